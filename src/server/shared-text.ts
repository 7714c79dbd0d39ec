const texts = new Map<object, string>();

/**
 * What many clients are told without a break as text that is made once. `told` names it: the same
 * object, which nobody changes any more.
 */
export function sharedText(told: object, make: () => string): string {
  let text = texts.get(told);
  if (text === undefined) {
    if (texts.size === 0) process.nextTick(() => texts.clear());
    texts.set(told, (text = make()));
  }
  return text;
}
