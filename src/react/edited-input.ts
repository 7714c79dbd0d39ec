/** What a person made of an input. */
export interface EditedInput {
  changed: boolean;
  value?: unknown;
  problem?: string;
}

/**
 * An input as JSON to edit. What could not be seen in a text field stands there as an escape, which
 * means the same.
 */
export function toEditableJson(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? "null").replace(UNSEEN, (one) =>
    one.codePointAt(0) === 0x0a ? one : toEscape(one),
  );
}

/** Reads it back. Text that says the same as before is no change. */
export function parseEdit(text: string | undefined, original: unknown): EditedInput {
  if (text === undefined) return { changed: false };
  try {
    const value: unknown = JSON.parse(text);
    return { changed: JSON.stringify(value) !== JSON.stringify(original), value };
  } catch {
    return { changed: true, problem: "This is not JSON yet, so it cannot run." };
  }
}

/** Format characters, odd spaces, fillers that draw nothing, and halves of characters. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\u00A0\u115F\u1160\u2000-\u200A\u3164\uFFA0]/gu;

/** JSON escapes name UTF-16 units. */
function toEscape(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
