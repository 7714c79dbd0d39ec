import type { InteractionView } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** A prompt known only by its call, for cards that are given no `interaction`. */
export function standIn(
  sessionId: string,
  toolCallId: string,
  request: Partial<InteractionRequest> & Pick<InteractionRequest, "interactionType" | "toolName">,
): InteractionView {
  const id = `${sessionId}/${toolCallId}`;
  return {
    id,
    callId: toolCallId,
    request: { toolCallId, interactionId: id, presentation: "tool", attempt: 1, ...request },
    state: "open",
    pending: true,
    askedAt: "",
  };
}
