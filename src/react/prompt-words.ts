import { type InteractionView, promptTitle, summaryOf, visibleText } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** What is said of a prompt that has just been asked. */
export function newsOf(request: InteractionRequest): string {
  const { interactionType, prompt, questions } = request;
  const title = promptTitle(request);
  if (interactionType === "approval") return visibleText(`Permission needed: ${title}`);
  const asked = prompt ?? questions?.[0]?.question ?? title;
  return visibleText(`${questions ? "Question" : "Answer needed"}: ${asked}`);
}

/** What is said of one that has just ended. */
export function endOf(interaction: InteractionView, clientId: string): string {
  const title = visibleText(promptTitle(interaction.request));
  return `${title}: ${visibleText(summaryOf(interaction, clientId))}`;
}
