import { escapeHidden, hidesSomething } from "./visible-text.ts";

/** What of an input is edited: its command as it is written, or all of it as JSON. */
export type EditedPart = "command" | "input";

/** What a person made of an input. */
export interface EditedInput {
  changed: boolean;
  value?: unknown;
  problem?: string;
}

/** The command where there is one, and a text field can show all of it as it is. */
export function editablePart(value: unknown): EditedPart {
  const command = commandOf(value);
  return command === undefined || hidesSomething(command) ? "input" : "command";
}

/**
 * The text to edit. What could not be seen in a text field stands in JSON as an escape, which means
 * the same.
 */
export function toEditableText(value: unknown, part: EditedPart): string {
  if (part === "command") return commandOf(value) ?? "";
  return escapeHidden(JSON.stringify(value, null, 2) ?? "null", (one) =>
    one === "\n" ? one : toEscape(one),
  );
}

/** Reads it back. Text that says the same as before is no change. */
export function parseEdit(
  text: string | undefined,
  original: unknown,
  part: EditedPart,
): EditedInput {
  if (text === undefined) return { changed: false };
  if (part === "command") {
    if (text.trim() === "") return { changed: true, problem: "There is no command." };
    return {
      changed: text !== commandOf(original),
      value: { ...(original as object), command: text },
    };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { changed: JSON.stringify(value) !== JSON.stringify(original), value };
  } catch {
    return { changed: true, problem: "This is not JSON yet." };
  }
}

function commandOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("command" in value)) return undefined;
  return typeof value.command === "string" ? value.command : undefined;
}

/** JSON escapes name UTF-16 units. */
function toEscape(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
