import { type Desk, paperOf } from "./desk.ts";
import { editLine } from "./edit-line.ts";
import { hint } from "./layout.ts";

/** Lets a person change an input: its command where it has one, else its JSON. Nothing if they went back. */
export async function editInput(
  desk: Desk,
  { input, signal }: { input: unknown; signal: AbortSignal },
): Promise<unknown> {
  const paper = paperOf(desk);
  const command = (input as { command?: unknown } | undefined)?.command;
  const isCommand = typeof command === "string";
  const above = [`  ${paper.style.bold(isCommand ? "The command" : "The input, as JSON")}`];
  const keys = hint("Enter takes it; nothing runs yet · Alt+Enter new line · Esc back", paper);
  let value = isCommand ? command : JSON.stringify(input, null, 2);
  let below = keys;
  for (;;) {
    const given = await editLine(desk, { above, below, value, multiline: true, signal });
    if (typeof given === "string") return undefined;
    value = given.text;
    if (isCommand) return { ...(input as object), command: value };
    try {
      return JSON.parse(value) as unknown;
    } catch {
      below = [paper.style.red("  This is not JSON yet, so it cannot run."), ...keys];
    }
  }
}
