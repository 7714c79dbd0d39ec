import type { WebSocket } from "ws";

interface Frame {
  type: string;
  event?: { type: string; payload: Record<string, unknown> };
}

/** Answers every prompt of a session that this socket follows, and tells of each of its events. */
export function answerPrompts(
  socket: WebSocket,
  sessionId: string,
  onEvent: (type: string) => void,
): void {
  let count = 0;
  socket.on("message", (data: Buffer) => {
    const { type, event } = JSON.parse(data.toString()) as Frame;
    if (type !== "chat_event" || !event) return;
    onEvent(event.type);
    if (event.type !== "interaction_request") return;
    const answer = {
      type: "tool_interaction_response",
      sessionId,
      callId: event.payload["toolCallId"],
      interactionId: event.payload["interactionId"],
      responseId: `answer-${sessionId}-${++count}`,
      action: "submit",
      input: { answer: "blue" },
    };
    socket.send(JSON.stringify(answer));
  });
}
