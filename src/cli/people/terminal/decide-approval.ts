import { editablePart } from "../../../client/edited-input.ts";
import { toldIn } from "../../../client/told-in-input.ts";
import type { InteractionRecord, ResponseBody } from "../../../protocol/index.ts";
import { choicesOf } from "./choices.ts";
import { decide } from "./decide.ts";
import { type TerminalUi, layoutOf } from "./terminal-ui.ts";
import { editInput } from "./edit-input.ts";
import { hasFolded, inputLines } from "./input-lines.ts";
import { type KeyHelp } from "./layout.ts";
import { printPages } from "./pages.ts";
import { inputLabel } from "./prompt-view.ts";

/** Lets a person decide about a call, and change what it runs with where its tool allows that. */
export async function decideApproval(
  ui: TerminalUi,
  { record, canStop, signal }: { record: InteractionRecord; canStop: boolean; signal: AbortSignal },
): Promise<ResponseBody | undefined> {
  const { request } = record;
  const told = toldIn(request);
  const folder = request.context?.cwd;
  let updatedInput: unknown;
  for (;;) {
    const input = updatedInput ?? request.toolInput;
    // What was edited does something else to the files.
    const changes = updatedInput === undefined ? request.changes : undefined;
    const decided = await decide(ui, record, {
      choices: choicesOf(request, canStop),
      others: otherKeys(record, input, changes),
      signal,
    });
    if (decided === "e") {
      const edit = await editInput(ui, { input, original: request.toolInput, signal });
      if (!edit) continue;
      updatedInput = edit.changed ? edit.value : undefined;
      const label = edit.changed ? "Would run now" : inputLabel(request);
      await show(ui, label, inputLines(edit.value, layoutOf(ui), { told }), signal);
    } else if (decided === "v") {
      const lines = inputLines(input, layoutOf(ui), { told, changes, folder, unfolded: true });
      await show(ui, inputLabel(request), lines, signal);
    } else if (typeof decided !== "string") {
      const isEdited = decided?.action === "approve" && updatedInput !== undefined;
      return isEdited ? { ...decided, updatedInput } : decided;
    }
  }
}

async function show(
  ui: TerminalUi,
  label: string,
  lines: string[],
  signal: AbortSignal,
): Promise<void> {
  await printPages(ui, [`  ${layoutOf(ui).style.dim(label)}`, ...lines, ""], signal);
}

function otherKeys(
  { request }: InteractionRecord,
  input: unknown,
  changes: InteractionRecord["request"]["changes"],
): KeyHelp[] {
  const isCommand = editablePart(input) === "command";
  return [
    ...(request.editable
      ? [{ key: "e", label: isCommand ? "Edit the command" : "Edit the input" }]
      : []),
    ...(hasFolded(input, changes) ? [{ key: "v", label: "Show unchanged lines too" }] : []),
  ];
}
