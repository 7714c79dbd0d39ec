import { escapeHidden } from "../client/index.ts";

/**
 * Text of others on its way to a terminal: control, bidi, zero-width and other characters that do
 * not show as what they are become escapes that can be seen, so that they can neither hide words
 * nor move the cursor.
 */
export function visible(text: string): string {
  return escapeHidden(text, toEscape);
}

/** The same in its lines. A tab is shown as four spaces. */
export function visibleLines(text: string): string[] {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => visible(line.replaceAll("\t", "    ")));
}

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
