import { escapeHidden } from "../client/index.ts";

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
  return escapeHidden(JSON.stringify(value, null, 2) ?? "null", (one) =>
    one === "\n" ? one : toEscape(one),
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

/** JSON escapes name UTF-16 units. */
function toEscape(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
