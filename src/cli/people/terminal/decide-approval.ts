import type { InteractionRecord, ResponseBody } from "../../../protocol/index.ts";
import { choicesOf } from "./choices.ts";
import { decide } from "./decide.ts";
import { type Desk, paperOf } from "./desk.ts";
import { editInput } from "./edit-input.ts";
import { hasFolded, inputLines } from "./input-lines.ts";
import { type KeyHelp } from "./layout.ts";
import { printPages } from "./pages.ts";

/** Lets a person decide about a call, and change what it runs with where its tool allows that. */
export async function decideApproval(
  desk: Desk,
  { record, canStop, signal }: { record: InteractionRecord; canStop: boolean; signal: AbortSignal },
): Promise<ResponseBody | undefined> {
  const { request } = record;
  let updatedInput: unknown;
  for (;;) {
    const input = updatedInput ?? request.toolInput;
    const decided = await decide(desk, record, {
      choices: choicesOf(request, canStop),
      others: otherKeys(record, input),
      signal,
    });
    if (decided === "e") {
      const edited = await editInput(desk, { input, signal });
      if (edited === undefined) continue;
      const isChanged = JSON.stringify(edited) !== JSON.stringify(request.toolInput);
      updatedInput = isChanged ? edited : undefined;
      await show(desk, isChanged ? "Would run now" : "What would run", edited, signal);
    } else if (decided === "v") {
      await show(desk, "What would run", input, signal, true);
    } else if (typeof decided !== "string") {
      const isEdited = decided?.action === "approve" && updatedInput !== undefined;
      return isEdited ? { ...decided, updatedInput } : decided;
    }
  }
}

async function show(
  desk: Desk,
  label: string,
  input: unknown,
  signal: AbortSignal,
  unfolded = false,
): Promise<void> {
  const paper = paperOf(desk);
  const lines = inputLines(input, paper, unfolded);
  await printPages(desk, [`  ${paper.style.dim(label)}`, ...lines, ""], signal);
}

function otherKeys({ request }: InteractionRecord, input: unknown): KeyHelp[] {
  const isCommand = typeof (input as { command?: unknown } | undefined)?.command === "string";
  return [
    ...(request.editable
      ? [{ key: "e", label: isCommand ? "Edit the command" : "Edit the input" }]
      : []),
    ...(hasFolded(input) ? [{ key: "v", label: "Show unchanged lines too" }] : []),
  ];
}
