import type { SessionStatus, TurnStatus } from "./events.ts";
import type { InputSchema, Question } from "./request.ts";

export interface CallRef {
  toolCallId: string;
  toolName: string;
}

interface PromptRef {
  toolCallId: string;
  interactionId: string;
}

/** The gateway's vocabulary: a projection of chat events for clients that follow one turn. */
export type StreamEvent =
  | { type: "text_delta"; data: { text: string } }
  | { type: "tool_call_start"; data: CallRef }
  | { type: "tool_call_delta"; data: { toolCallId: string; text: string } }
  | { type: "tool_call_end"; data: CallRef & { input: unknown } }
  | {
      type: "tool_result";
      data: CallRef & { ok: boolean; result?: unknown; error?: { code: string; message: string } };
    }
  | { type: "approval_required"; data: PromptRef & { toolName: string; input: string } }
  | { type: "question_prompt"; data: PromptRef & { questions: Question[] } }
  | {
      type: "input_required";
      data: PromptRef & { prompt?: string; error?: string; inputSchema?: InputSchema };
    }
  | { type: "interaction_closed"; data: PromptRef & { reason: string } }
  | { type: "session_status"; data: { status: SessionStatus; model?: string; usage?: unknown } }
  | { type: "error"; data: { message: string; code?: string } }
  | { type: "done"; data: { sessionId: string; status?: TurnStatus } };
