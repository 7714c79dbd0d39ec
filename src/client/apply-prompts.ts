import type { InteractionRequest } from "../protocol/index.ts";
import { elsewhereWords } from "./elsewhere-words.ts";
import { isWaiting, unseenCall } from "./apply-calls.ts";
import type { EventOf } from "./event-of.ts";
import { showAlone, showInCall } from "./blocks.ts";
import type { Draft } from "./draft.ts";
import type { InteractionView, ToolCallView } from "./view.ts";

export function applyPending(draft: Draft, event: EventOf<"interaction_pending">): void {
  const { interactionId: id, toolCallId, pending, queued, orphaned, presentation } = event.payload;
  if (pending) draft.pending.set(id, toolCallId);
  else draft.pending.delete(id);
  const call = draft.calls.get(toolCallId);
  if (!call && presentation === "questionnaire") draft.silent.set(toolCallId, true);
  if (call && call.endedAt === undefined) {
    const status = isWaiting(draft, toolCallId) ? "waiting" : "running";
    if (call.status !== status) draft.calls.set(toolCallId, { ...call, status });
  }
  const prompt = draft.interactions.get(id);
  if (!prompt) return;
  const late = queued ? "queued" : orphaned ? "orphaned" : undefined;
  if (late && prompt.response === undefined) {
    draft.interactions.set(id, { ...opened(prompt), late });
  } else if (prompt.pending !== pending) {
    draft.interactions.set(id, { ...prompt, pending });
  }
}

/** The prompt as it was before it ended: it waits for an answer after all. */
function opened(prompt: InteractionView): InteractionView {
  const { reason: _reason, message: _message, endedAt: _endedAt, ...asked } = prompt;
  return { ...asked, state: "open", pending: false };
}

export function applyRequest(draft: Draft, event: EventOf<"interaction_request">): void {
  const request = event.payload;
  if (draft.interactions.has(request.interactionId)) return;
  const known = draft.calls.get(request.toolCallId);
  const call = known ?? unseenCall(draft, event, request.toolName);
  if (!known && event.turnId === undefined) draft.working.set(call.id, true);
  showPrompt(draft, event, call, {
    id: request.interactionId,
    callId: call.id,
    request,
    state: "open",
    pending: draft.pending.has(request.interactionId),
    askedAt: event.timestamp,
  });
}

/** Puts a prompt where it belongs, in the place of the attempt before it. */
export function showPrompt(
  draft: Draft,
  event: { id: string; turnId?: string },
  call: ToolCallView,
  prompt: InteractionView,
): void {
  const before = predecessor(draft, call, prompt.request);
  if (before) draft.interactions.set(before.id, { ...before, state: "replaced" });
  const display = prompt.request.presentation === "questionnaire" ? showAlone : showInCall;
  display(draft, event, prompt, before);
  const previous = before?.response?.input;
  draft.interactions.set(prompt.id, {
    ...prompt,
    ...(before && { replaces: before.id }),
    ...(previous && { previous }),
  });
  draft.calls.set(call.id, { ...call, interactionIds: [...call.interactionIds, prompt.id] });
}

/**
 * The attempt before this one. A call can have several prompts, whose keys the log does not tell:
 * among those that ended one attempt earlier it is the last that asked in the same words.
 */
function predecessor(
  draft: Draft,
  call: ToolCallView,
  request: InteractionRequest,
): InteractionView | undefined {
  const ended = call.interactionIds
    .flatMap((id) => draft.interactions.get(id) ?? [])
    .filter((one) => one.state === "answered" || one.reason === "timed_out")
    .filter((one) => one.state !== "replaced" && one.request.attempt === request.attempt - 1)
    .filter((one) => one.request.toolName === request.toolName);
  return ended.findLast((one) => one.request.prompt === request.prompt) ?? ended.at(-1);
}

export function applyResponse(draft: Draft, event: EventOf<"interaction_response">): void {
  const prompt = draft.interactions.get(event.payload.interactionId);
  if (!prompt || prompt.state === "replaced") return;
  const { reason: _reason, message: _message, late: _late, ...asked } = prompt;
  draft.interactions.set(prompt.id, {
    ...asked,
    state: "answered",
    response: event.payload,
    endedAt: event.timestamp,
  });
  const { action, updatedInput, late } = event.payload;
  // A program that a call runs has an input of its own, and a call that is over runs nothing more.
  const isItsOwn = action === "approve" && !prompt.request.anchored && !late;
  const call = draft.calls.get(prompt.callId);
  if (!call || !isItsOwn || updatedInput === undefined) return;
  const { changes: _changes, ...rest } = call;
  draft.calls.set(call.id, { ...rest, input: updatedInput, edited: true });
}

export function applyClosed(draft: Draft, event: EventOf<"interaction_closed">): void {
  const { interactionId, reason, action } = event.payload;
  const isElsewhere = reason === "decided_elsewhere";
  const message = isElsewhere ? elsewhereWords(action) : event.payload.message;
  const prompt = draft.interactions.get(interactionId);
  if (!prompt || prompt.response !== undefined) return;
  const { late: _late, ...asked } = prompt;
  draft.interactions.set(prompt.id, {
    ...asked,
    state: "closed",
    reason,
    ...(action === undefined ? {} : { action }),
    ...(message === undefined ? {} : { message }),
    endedAt: event.timestamp,
  });
}
