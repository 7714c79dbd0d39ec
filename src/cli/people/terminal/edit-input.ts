import {
  editablePart,
  type EditedInput,
  parseEdit,
  toEditableText,
} from "../../../client/edited-input.ts";
import { type TerminalUi, layoutOf } from "./terminal-ui.ts";
import { editLine } from "./edit-line.ts";
import { hint } from "./layout.ts";

/** Lets a person change an input: its command where it has one, else its JSON. Nothing if they went back. */
export async function editInput(
  ui: TerminalUi,
  { input, original, signal }: { input: unknown; original: unknown; signal: AbortSignal },
): Promise<EditedInput | undefined> {
  const layout = layoutOf(ui);
  const part = editablePart(input);
  const above = [
    `  ${layout.style.bold(part === "command" ? "The command" : "The input, as JSON")}`,
  ];
  const keys = hint("Enter takes it; nothing runs yet · Alt+Enter new line · Esc back", layout);
  let value = toEditableText(input, part);
  let below = keys;
  for (;;) {
    const given = await editLine(ui, { above, below, value, multiline: true, signal });
    if (typeof given === "string") return undefined;
    value = given.text;
    const edit = parseEdit(value, original, part);
    if (edit.problem === undefined) return edit;
    below = [layout.style.red(`  ${edit.problem}`), ...keys];
  }
}
