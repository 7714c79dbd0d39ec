/** Where the gate asks: apart from everything that the tool's own code may ask. */
export const GATE = "gate";

/** Whether the gate asked this prompt, by its key. */
export function isOfGate(key: string): boolean {
  return key.startsWith(`${GATE}|prompt|`);
}
