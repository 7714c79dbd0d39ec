import {
  type InteractionView,
  isConfirmation,
  promptTitle,
  summaryOf,
  visibleText,
} from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** What is said of a prompt that has just been asked. */
export function newsOf(request: InteractionRequest): string {
  const { interactionType, toolName, prompt, questions } = request;
  if (interactionType === "approval") {
    return visibleText(
      isConfirmation(request) ? "A yes is needed" : `Permission needed: ${toolName}`,
    );
  }
  return visibleText(
    questions
      ? `Question: ${prompt ?? questions[0]?.question}`
      : `Answer needed: ${prompt ?? promptTitle(request)}`,
  );
}

/** What is said of one that has just ended. */
export function endOf(interaction: InteractionView, clientId: string): string {
  const title = visibleText(promptTitle(interaction.request));
  return `${title}: ${visibleText(summaryOf(interaction, clientId))}`;
}
