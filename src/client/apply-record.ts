import type { ChatEvent, InteractionRecord } from "../protocol/index.ts";
import { unseenCall } from "./apply-calls.ts";
import { applyClosed, applyPending, applyResponse, showPrompt } from "./apply-prompts.ts";
import type { Draft } from "./draft.ts";
import { toInteractionView } from "./to-interaction-view.ts";
import type { ChatView } from "./view.ts";

/*
 * Prompts that the server lists as open and whose request is in no event that was read: older than
 * all of them, or so new that the event is still on its way. They are shown all the same.
 */

/** The turn of calls of which no event was read. It stands before all others. */
export const UNREAD = "unread";

/** Applies what the log does not tell of, after everything that it does. */
export function applyRecords(
  draft: Draft,
  events: readonly ChatEvent[],
  records: readonly InteractionRecord[],
): void {
  const unread = records.filter((record) => !draft.interactions.has(record.id)).sort(byAge);
  const untold = records.filter((record) => isUntold(draft, record));
  for (const record of untold) applyWaiting(draft, record);
  if (unread.length === 0) return;
  for (const record of unread) applyRecord(draft, record);
  const ids = new Set(unread.map((record) => record.id));
  for (const event of events) applyIfAbout(draft, event, ids);
}

/** Whether the part of the log that was read begins after a call had said that it waits for this. */
export function isUntold(
  { interactions, calls }: Pick<ChatView, "interactions" | "calls"> | Draft,
  { id, status, waiting }: InteractionRecord,
): boolean {
  const prompt = interactions.get(id);
  if (!prompt || status !== "pending" || waiting !== "live") return false;
  const hasEnded = calls.get(prompt.callId)?.endedAt !== undefined;
  return prompt.state === "open" && !prompt.pending && prompt.late === undefined && !hasEnded;
}

function applyWaiting(draft: Draft, record: InteractionRecord): void {
  const prompt = draft.interactions.get(record.id);
  const call = draft.calls.get(record.toolCallId);
  draft.records.set(record.id, record);
  draft.pending.set(record.id, record.toolCallId);
  if (prompt) draft.interactions.set(prompt.id, { ...prompt, pending: true });
  if (call) draft.calls.set(call.id, { ...call, status: "waiting" });
}

function byAge(a: InteractionRecord, b: InteractionRecord): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}

function applyRecord(draft: Draft, record: InteractionRecord): void {
  const { id, toolCallId } = record;
  const prompt = toInteractionView(record);
  if (prompt.pending) draft.pending.set(id, toolCallId);
  draft.records.set(id, record);
  const known = draft.calls.get(toolCallId);
  if (!known && draft.turns[0]?.id !== UNREAD) {
    draft.insertTurn(0, { id: UNREAD, kind: "outside", blocks: [] });
  }
  const event = {
    id: UNREAD,
    turnId: UNREAD,
    timestamp: record.createdAt,
    payload: { toolCallId },
  };
  const call = known ?? unseenCall(draft, event, record.toolName);
  showPrompt(draft, event, call, { ...prompt, pending: draft.pending.has(id) });
}

/** The log may have told how a prompt ended before the list told of the prompt. */
function applyIfAbout(draft: Draft, event: ChatEvent, ids: ReadonlySet<string>): void {
  if (event.type === "interaction_response" && ids.has(event.payload.interactionId)) {
    applyResponse(draft, event);
  } else if (event.type === "interaction_closed" && ids.has(event.payload.interactionId)) {
    applyClosed(draft, event);
  } else if (event.type === "interaction_pending" && ids.has(event.payload.interactionId)) {
    applyPending(draft, event);
  }
}

/** Whether an event tells of something that was known from the list alone, and gives it its place. */
export function tellsOfRecord(draft: Draft, event: ChatEvent): boolean {
  if (draft.records.size === 0) return false;
  if (event.type === "interaction_request") return draft.records.has(event.payload.interactionId);
  return event.type === "tool_call" && draft.calls.has(event.payload.toolCallId);
}
