/** Characters that take two columns of a terminal. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
/** Characters that stand on the one before. */
const ON_TOP = /\p{Mn}|\p{Me}|\u200D|\uFE0F/u;

/** Colours and the like, which only we write: text of others has no escape in it any more. */
// oxlint-disable-next-line no-control-regex
const STYLE = /\u001B\[[\d;]*m/g;

/** How many columns a line takes. */
export function widthOf(line: string): number {
  let width = 0;
  for (const character of line.replaceAll(STYLE, "")) width += columnsOf(character);
  return width;
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** As much of a plain text as fits, with an ellipsis for the remaining. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return `${breakAt(text, width - 1)[0]}…`;
}

/** A plain text in pieces that fit, broken between words where there are some. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let remaining = text;
  while (widthOf(remaining) > width) {
    const [head] = breakAt(remaining, width);
    const space = head.lastIndexOf(" ");
    const end = space > head.length / 2 ? space + 1 : head.length;
    lines.push(remaining.slice(0, end));
    remaining = remaining.slice(end);
  }
  return [...lines, remaining];
}

function breakAt(text: string, width: number): [string, string] {
  let taken = 0;
  let end = 0;
  for (const character of text) {
    taken += columnsOf(character);
    if (taken > width && end > 0) break;
    end += character.length;
  }
  return [text.slice(0, end), text.slice(end)];
}

function columnsOf(character: string): number {
  if (ON_TOP.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
