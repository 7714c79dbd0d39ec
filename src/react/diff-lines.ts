/** The lines of a change; those that both texts begin or end with stand around what differs. */
export function diffLines(before: string, after: string): { mark: string; text: string }[] {
  const old = before.split("\n");
  const fresh = after.split("\n");
  const shortest = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shortest && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shortest - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const marked = (mark: string, lines: string[]) => lines.map((text) => ({ mark, text }));
  return [
    ...marked(" ", old.slice(0, head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", fresh.slice(head, fresh.length - tail)),
    ...marked(" ", old.slice(old.length - tail)),
  ];
}
