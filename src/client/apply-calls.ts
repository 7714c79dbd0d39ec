import type { EventOf } from "./event-of.ts";
import { showCall } from "./blocks.ts";
import type { Draft } from "./draft.ts";
import type { InteractionView, ToolCallView } from "./view.ts";

/** The one failure after which a prompt may stay open: the server says so, or closes it by itself. */
const INTERRUPTED = "tool_interrupted";

export function applyToolCall(draft: Draft, event: EventOf<"tool_call">): void {
  const { toolCallId: id, toolName: name, input, origin, ...about } = event.payload;
  const { title, changes, parentCallId } = about;
  const known = draft.calls.get(id);
  if (known && !known.placeholder) return;
  draft.calls.set(id, {
    ...(known ?? newCall(draft, id, event.timestamp)),
    name,
    ...(known?.edited ? {} : { input }),
    origin,
    ...(title === undefined ? {} : { title }),
    ...(changes === undefined || known?.edited ? {} : { changes }),
    ...(parentCallId === undefined ? {} : { parentCallId }),
    placeholder: false,
  });
  if (known) return;
  if (event.turnId === undefined) draft.working.set(id, true);
  showCall(draft, event, id);
}

export function applyCallUpdate(draft: Draft, event: EventOf<"tool_call_update">): void {
  const { toolCallId: id, title, changes } = event.payload;
  const call = draft.calls.get(id);
  if (!call || call.endedAt !== undefined) return;
  draft.calls.set(id, {
    ...call,
    ...(title === undefined ? {} : { title }),
    ...(changes === undefined ? {} : { changes }),
  });
}

export function applyToolResult(draft: Draft, event: EventOf<"tool_result">): void {
  const { toolCallId: id, toolName, ok, result, error, authorizedBy } = event.payload;
  draft.working.delete(id);
  draft.outputs.delete(id);
  const known = draft.calls.get(id);
  if (!known && draft.silent.has(id)) return;
  const call = known ?? unseenCall(draft, event, toolName);
  draft.calls.set(id, {
    ...call,
    ...(call.placeholder ? { name: toolName } : {}),
    status: ok ? "ok" : "error",
    output: "",
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    ...(typeof authorizedBy === "string" ? { authorizedBy } : {}),
    endedAt: event.timestamp,
  });
  if (!known) showCall(draft, event, id);
  endPrompts(draft, call, event);
}

/** Nobody waits for a call that is over, and nobody may approve one that has failed. */
function endPrompts(draft: Draft, call: ToolCallView, event: EventOf<"tool_result">): void {
  const { ok, error } = event.payload;
  const failed = !ok && error?.code !== INTERRUPTED;
  for (const [id, callId] of [...draft.pending.entries()]) {
    if (callId === call.id) draft.pending.delete(id);
  }
  for (const id of call.interactionIds) {
    const prompt = draft.interactions.get(id);
    if (prompt?.state === "answered" && standsForCall(prompt) && error) {
      draft.interactions.set(id, { ...prompt, failure: error });
    }
    // What was left open for a late answer has no part in how the call ended.
    if (prompt?.state !== "open" || prompt.late) continue;
    draft.interactions.set(
      id,
      failed
        ? { ...prompt, pending: false, state: "closed", reason: "failed", endedAt: event.timestamp }
        : { ...prompt, pending: false },
    );
  }
}

/** No other block shows how its call ended. What a program asks inside a call has no part in that. */
function standsForCall({ request, response }: InteractionView): boolean {
  const isNo = response?.action === "deny" || response?.action === "cancel";
  return request.presentation === "questionnaire" && !request.anchored && !isNo;
}

/** A call of which only its prompt or its result has been seen. */
export function unseenCall(
  draft: Draft,
  event: { timestamp: string; turnId?: string; payload: { toolCallId: string } },
  name: string,
): ToolCallView {
  const call = newCall(draft, event.payload.toolCallId, event.timestamp);
  return { ...call, name, origin: event.turnId === undefined ? "http" : "agent" };
}

function newCall(draft: Draft, id: string, at: string): ToolCallView {
  return {
    id,
    name: "",
    input: undefined,
    origin: "agent",
    status: isWaiting(draft, id) ? "waiting" : "running",
    output: "",
    interactionIds: [],
    placeholder: true,
    startedAt: at,
  };
}

/** Whether a prompt of the call is pending. */
export function isWaiting(draft: Draft, callId: string): boolean {
  for (const [, call] of draft.pending.entries()) if (call === callId) return true;
  return false;
}
