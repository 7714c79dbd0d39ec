import type { InteractionRequest } from "../protocol/index.ts";

/** What a prompt is called. Of an approval never the asker's own words: those stand apart. */
export function promptTitle(request: InteractionRequest): string {
  const { interactionType, kind, toolName, prompt, questions, inputSchema } = request;
  if (interactionType === "approval") return kind === "confirm" ? "Confirm" : `Allow ${toolName}?`;
  if (questions) {
    const [first] = questions;
    return prompt ?? (questions.length > 1 ? `${questions.length} questions` : first?.header) ?? "";
  }
  const only = inputSchema?.fields?.length === 1 && !inputSchema.sections?.length;
  const asked = only ? inputSchema.fields?.[0]?.label : undefined;
  return inputSchema?.title ?? prompt ?? asked ?? `${toolName} asks`;
}
