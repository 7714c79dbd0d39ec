const texts = new WeakMap<object, string>();

/**
 * What many clients are told at once as text that is made once. `told` names it: the same object,
 * which nobody changes any more.
 */
export function sharedText(told: object, make: () => string): string {
  let text = texts.get(told);
  if (text === undefined) texts.set(told, (text = make()));
  return text;
}
