import type { ChatEvent, TransientEvent } from "./events.ts";
import type { StreamEvent } from "./stream-events.ts";

/** Turns what happens in one turn into the gateway's vocabulary, event by event. */
export interface StreamProjection {
  next(event: ChatEvent | TransientEvent): StreamEvent[];
}

/**
 * Contract: a pure function of the events given so far. Text that was seen growing is not told again
 * when its block is finished; what was missed of it is.
 */
export function createStreamProjection(): StreamProjection {
  /** How much of each growing block has been told. */
  const told = new Map<string, number>();

  function grow(blockId: string, offset: number, text: string): StreamEvent[] {
    const known = told.get(blockId) ?? 0;
    const fresh = text.slice(Math.max(0, known - offset));
    if (offset > known || fresh === "") return [];
    told.set(blockId, known + fresh.length);
    return [{ type: "text_delta", data: { text: fresh } }];
  }

  return {
    next(event) {
      if (event.type === "text_delta") {
        const { blockId, offset, text } = event.payload;
        return grow(blockId, offset, text);
      }
      if (event.type === "text") {
        const { blockId, text } = event.payload;
        return blockId === undefined
          ? [{ type: "text_delta", data: { text } }]
          : grow(blockId, 0, text);
      }
      return toStreamEvents(event);
    },
  };
}

function toStreamEvents(event: ChatEvent | TransientEvent): StreamEvent[] {
  switch (event.type) {
    case "tool_call": {
      const { toolCallId, toolName, input } = event.payload;
      return [
        { type: "tool_call_start", data: { toolCallId, toolName } },
        { type: "tool_call_end", data: { toolCallId, toolName, input } },
      ];
    }
    case "tool_result": {
      const { toolCallId, toolName, ok, result, error } = event.payload;
      const data = { toolCallId, toolName, ok, ...(error ? { error } : { result }) };
      return [{ type: "tool_result", data }];
    }
    case "interaction_request":
      return [asked(event.payload)];
    case "interaction_closed": {
      const { toolCallId, interactionId, reason } = event.payload;
      return [{ type: "interaction_closed", data: { toolCallId, interactionId, reason } }];
    }
    case "interaction_pending":
      return [
        {
          type: "session_status",
          data: { status: event.payload.pending ? "waiting" : "running" },
        },
      ];
    case "session_status":
      return [{ type: "session_status", data: event.payload }];
    case "error":
      return [{ type: "error", data: { ...event.payload } }];
    case "turn_end":
      return [{ type: "done", data: { sessionId: event.sessionId, status: event.payload.status } }];
    default:
      return [];
  }
}

function asked(
  request: Extract<ChatEvent, { type: "interaction_request" }>["payload"],
): StreamEvent {
  const { toolCallId, interactionId, toolName, questions, prompt, error, inputSchema } = request;
  const ref = { toolCallId, interactionId };
  if (request.interactionType === "approval") {
    // Of an input that is too large for the event, its interaction has all.
    const input = request.toolInput === undefined ? "" : JSON.stringify(request.toolInput);
    return { type: "approval_required", data: { ...ref, toolName, input } };
  }
  if (questions) return { type: "question_prompt", data: { ...ref, questions } };
  return {
    type: "input_required",
    data: {
      ...ref,
      ...(prompt === undefined ? {} : { prompt }),
      ...(error === undefined ? {} : { error }),
      ...(inputSchema === undefined ? {} : { inputSchema }),
    },
  };
}
