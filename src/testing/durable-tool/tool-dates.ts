/**
 * Gives the code of a tool another wall clock, and nobody else: a question that shows the time must
 * not come out the same again just because a test is quick.
 */
export function shiftToolDates(offset: () => number): () => void {
  offsets.add(offset);
  if (offsets.size === 1) globalThis.Date = shifted;
  return () => {
    offsets.delete(offset);
    if (offsets.size === 0) globalThis.Date = Real;
  };
}

/** Each answers for the tools of its own check; outside of them it is 0. */
const offsets = new Set<() => number>();
const Real = globalThis.Date;

function now(): number {
  let ms = Real.now();
  for (const offset of offsets) ms += offset();
  return ms;
}

const shifted = new Proxy(Real, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
