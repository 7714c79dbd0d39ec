import type { ChatEvent, EventType } from "../protocol/index.ts";
import { applyCallUpdate, applyToolCall, applyToolResult } from "./apply-calls.ts";
import { applyClosed, applyPending, applyRequest, applyResponse } from "./apply-prompts.ts";
import {
  applyError,
  applyMessage,
  applyText,
  applyThinking,
  applyTurnEnd,
  applyTurnStart,
} from "./apply-turns.ts";
import type { Draft } from "./draft.ts";
import type { EventOf } from "./event-of.ts";

/** What each event does to a view. Types that are not here come from a newer server: no harm done. */
const APPLY: { readonly [Type in EventType]: (draft: Draft, event: EventOf<Type>) => void } = {
  turn_start: applyTurnStart,
  user_message: applyMessage,
  text: applyText,
  thinking: applyThinking,
  tool_call: applyToolCall,
  tool_call_update: applyCallUpdate,
  tool_result: applyToolResult,
  interaction_pending: applyPending,
  interaction_request: applyRequest,
  interaction_response: applyResponse,
  interaction_closed: applyClosed,
  error: applyError,
  turn_end: applyTurnEnd,
};

/** Applies an event that comes after all others. */
export function applyEvent(draft: Draft, event: ChatEvent): void {
  draft.log(event);
  if (Object.hasOwn(APPLY, event.type)) APPLY[event.type](draft, event as never);
}
