import type { FileChange } from "../../protocol/index.ts";

/** Texts of so many characters together are told whole: the lines that stay can be unfolded. */
const WHOLE = 16 * 1024;
/** Of longer ones so many lines are told before the first and after the last that changes. */
const AROUND = 20;

/** A change of a long text without the lines far before and after all that it changes. */
export function inPart(change: FileChange): FileChange {
  const { oldText, newText } = change;
  if (oldText === undefined || newText === undefined) return change;
  if (oldText.length + newText.length <= WHOLE) return change;
  const [before, after] = [oldText.split("\n"), newText.split("\n")];
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const from = Math.max(0, head - AROUND);
  const kept = Math.max(0, tail - AROUND);
  const part = (lines: string[]) => lines.slice(from, lines.length - kept).join("\n");
  return { ...change, oldText: part(before), newText: part(after) };
}
