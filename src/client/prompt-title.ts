import type { InteractionRequest } from "../protocol/index.ts";

/** A program wants a yes and runs nothing by a name of its own. */
export function isConfirmation({ kind, toolName }: InteractionRequest): boolean {
  return kind === "confirm" && toolName === "confirm";
}

/** What a prompt is called. Of an approval never the asker's own words: those stand apart. */
export function promptTitle(request: InteractionRequest): string {
  const { interactionType, toolName, prompt, questions, inputSchema } = request;
  if (interactionType === "approval") {
    return isConfirmation(request) ? "Confirm" : `Allow ${toolName}?`;
  }
  if (questions) {
    const [first] = questions;
    return prompt ?? (questions.length > 1 ? `${questions.length} questions` : first?.header) ?? "";
  }
  const only = inputSchema?.fields?.length === 1 && !inputSchema.sections?.length;
  const asked = only ? inputSchema.fields?.[0]?.label : undefined;
  return inputSchema?.title ?? prompt ?? asked ?? `${toolName} asks`;
}
