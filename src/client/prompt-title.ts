import type { InteractionRequest } from "../protocol/index.ts";
import { approvalTitle, isConfirmation } from "./approval-title.ts";
import { firstLine } from "./tool-input-parts.ts";

/**
 * What a prompt is called. Of an approval never the asker's own words: those stand apart. Only a
 * confirmation, which runs nothing, is called by its question.
 */
export function promptTitle(request: InteractionRequest): string {
  const { interactionType, toolName, prompt, questions, inputSchema } = request;
  if (interactionType === "approval")
    return (isConfirmation(request) && firstLine(prompt?.trim() ?? "")) || approvalTitle(request);
  if (questions) {
    const [first] = questions;
    return prompt ?? (questions.length > 1 ? `${questions.length} questions` : first?.header) ?? "";
  }
  const only = inputSchema?.fields?.length === 1 && !inputSchema.sections?.length;
  const asked = only ? inputSchema.fields?.[0]?.label : undefined;
  return inputSchema?.title ?? prompt ?? asked ?? `${toolName} asks`;
}
