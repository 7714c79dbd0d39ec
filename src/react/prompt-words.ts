import { type InteractionView, summaryOf, visibleText } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** What a prompt is called. */
export function titleOf({ interactionType, toolName, prompt, ...request }: InteractionRequest) {
  if (interactionType === "approval") return `Allow ${toolName}?`;
  const { questions, inputSchema } = request;
  if (!questions) {
    const only = inputSchema?.fields?.length === 1 && !inputSchema.sections?.length;
    const asked = only ? inputSchema.fields?.[0]?.label : undefined;
    return inputSchema?.title ?? prompt ?? asked ?? `${toolName} asks`;
  }
  return prompt ?? (questions.length > 1 ? `${questions.length} questions` : questions[0]?.header);
}

/** What is said of a prompt that has just been asked. */
export function newsOf(request: InteractionRequest): string {
  const { interactionType, toolName, prompt, questions } = request;
  if (interactionType === "approval") return visibleText(`Permission needed: ${toolName}`);
  return visibleText(
    questions
      ? `Question: ${prompt ?? questions[0]?.question}`
      : `Answer needed: ${prompt ?? titleOf(request)}`,
  );
}

/** What is said of one that has just ended. */
export function endOf(interaction: InteractionView, clientId: string): string {
  const title = visibleText(titleOf(interaction.request) ?? "");
  return `${title}: ${visibleText(summaryOf(interaction, clientId))}`;
}
