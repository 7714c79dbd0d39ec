import type { InteractionView } from "../../src/client/index.ts";
import type { InteractionRequest, InteractionResponse } from "../../src/protocol/index.ts";

/** A prompt that a call waits for, as a view of the log holds it. */
export function prompt(
  request: Partial<InteractionRequest>,
  view: Partial<InteractionView> = {},
): InteractionView {
  const id = view.id ?? "prompt-1";
  return {
    id,
    callId: "call-1",
    state: "open",
    pending: true,
    askedAt: "2030-01-01T00:00:00.000Z",
    ...view,
    request: {
      toolCallId: "call-1",
      interactionId: id,
      toolName: "Bash",
      interactionType: "input",
      presentation: "tool",
      attempt: 1,
      ...request,
    },
  };
}

/** What somebody answered, by default on another device. */
export function response(part: Partial<InteractionResponse>): InteractionResponse {
  return {
    toolCallId: "call-1",
    interactionId: "prompt-1",
    answerId: "answer-1",
    action: "submit",
    responder: { id: "person-2", name: "Ann", clientId: "other-client" },
    ...part,
  };
}
