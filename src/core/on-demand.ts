/**
 * Gives an object properties that are made when they are read, each from the object's own `state`.
 * What is kept for weeks then keeps its state alone, and not a closure for each of its methods. The
 * properties are its own, and its methods come bound: one can destructure it, spread it, or set
 * one of them, as with a literal.
 */
export function onDemand<State, Properties extends object>(makers: {
  [Name in keyof Properties]: (state: State) => Properties[Name];
}): <Given extends object>(given: Given, state: State) => Given & Properties {
  const hidden = Symbol("state");
  const descriptors: PropertyDescriptorMap = {};
  for (const [name, make] of Object.entries<(state: State) => unknown>(makers)) {
    descriptors[name] = {
      enumerable: true,
      configurable: true,
      get(this: { [hidden]: State }) {
        return make(this[hidden]);
      },
      set(value: unknown) {
        Object.defineProperty(this, name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      },
    };
  }
  return (given, state) =>
    Object.defineProperties(
      Object.defineProperty(given, hidden, { value: state }),
      descriptors,
    ) as never;
}
