import type { ChatEvent, TransientEvent } from "./events.ts";
import type { CallRef, StreamEvent } from "./stream-events.ts";

/** Turns what happens in one turn into the gateway's vocabulary, event by event. */
export interface StreamProjection {
  next(event: ChatEvent | TransientEvent): StreamEvent[];
}

/**
 * Contract: a pure function of the events given so far. Text that was seen growing is not told again
 * when its block is finished; what was missed of it is. Of a call's input the end tells all.
 */
export function createStreamProjection(): StreamProjection {
  /** How much has been told of each growing block, and of each call's input; all of it at its end. */
  const told = { blocks: new Map<string, number>(), inputs: new Map<string, number>() };

  function grow(blockId: string, offset: number, text: string): StreamEvent[] {
    const fresh = freshPart(told.blocks, blockId, offset, text);
    return fresh === "" ? [] : [{ type: "text_delta", data: { text: fresh } }];
  }

  function start({ toolCallId, toolName }: CallRef): StreamEvent[] {
    const isStarted = told.inputs.has(toolCallId);
    return isStarted ? [] : [{ type: "tool_call_start", data: { toolCallId, toolName } }];
  }

  function growInput(call: CallRef, offset: number, text: string): StreamEvent[] {
    const { toolCallId } = call;
    const started = start(call);
    const fresh = freshPart(told.inputs, toolCallId, offset, text);
    if (fresh === "") return [];
    return [...started, { type: "tool_call_delta", data: { toolCallId, text: fresh } }];
  }

  function endInput(call: CallRef, input: unknown): StreamEvent[] {
    const { toolCallId, toolName } = call;
    const started = start(call);
    told.inputs.set(toolCallId, Infinity);
    return [...started, { type: "tool_call_end", data: { toolCallId, toolName, input } }];
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
      if (event.type === "tool_call_delta") {
        const { offset, text } = event.payload;
        return growInput(event.payload, offset, text);
      }
      if (event.type === "tool_call") return endInput(event.payload, event.payload.input);
      return toStreamEvents(event);
    },
  };
}

/** What a piece adds to what has been told; nothing, if it comes after a piece that was missed. */
function freshPart(told: Map<string, number>, id: string, offset: number, text: string): string {
  const known = told.get(id) ?? 0;
  const fresh = offset > known ? "" : text.slice(known - offset);
  if (fresh !== "") told.set(id, known + fresh.length);
  return fresh;
}

function toStreamEvents(event: ChatEvent | TransientEvent): StreamEvent[] {
  switch (event.type) {
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
