/*
 * The heart: what can happen to an interaction, decided from its row alone.
 *
 *   open ──answer──▶ answered            open ──deadline──▶ timed_out
 *    │  └─deadline, with a hook─▶ expiring ──hook──▶ timed_out, or open again as queued
 *    ├──cancel / call failed / call ended──▶ cancelled / failed
 *    └──decided in the agent's own terminal──▶ decided_elsewhere
 *
 * Nothing here reads a clock, a store or a socket. Each function takes the row as it is and gives
 * the row as it shall be, the guarded write that makes it so, and the events that tell of it.
 * Because every write is guarded by the row's version, whoever commits first wins, and the loser
 * reads the row again and is told what became of it.
 */
import type {
  Action,
  ClosedReason,
  InteractionRequest,
  InteractionResponse,
} from "../protocol/index.ts";
import type { InteractionRow, NewEvent, Outcome, Write } from "./ports.ts";

type WithoutStamp<Event> = Event extends unknown ? Omit<Event, "id" | "at"> : never;
/** An event before it gets its id and its time. */
export type EventDraft = WithoutStamp<NewEvent>;

/** What one decision does to one interaction. */
export interface Step {
  row: InteractionRow;
  write: Write;
  events: EventDraft[];
}

export type Refusal =
  | { refused: "stale_interaction"; current: string; response: InteractionResponse | null }
  | { refused: "already_answered"; response: InteractionResponse }
  | { refused: "interaction_closed"; reason: InteractionRow["status"] };

export function isOpen(row: InteractionRow): boolean {
  return row.status === "open" || row.status === "expiring";
}

/** Begins: people are told that somebody waits, then what is asked. */
export function open(row: InteractionRow): Step {
  return {
    row: { ...row, version: 1 },
    write: { table: "interactions", id: row.id, ifVersion: 0, set: row },
    events: [
      pendingEvent(row, { pending: true }),
      { ...envelope(row), type: "interaction_request", payload: row.request },
    ],
  };
}

/** The first answer wins; a later one is told who did. */
export function respond(
  row: InteractionRow,
  attemptsAfter: InteractionRow[],
  response: InteractionResponse,
  now: number,
): Step | Refusal {
  if (row.status !== "open") return refuse(row, attemptsAfter);
  const late = row.link !== "live";
  const payload: InteractionResponse = late ? { ...response, late: true } : response;
  const step = change(row, {
    status: "answered",
    response: payload,
    decidedResponseId: response.answerId,
    endedAt: now,
    expiresAt: null,
  });
  step.events.push({
    ...envelope(row),
    actorId: response.responder.id,
    type: "interaction_response",
    payload,
  });
  if (!late) step.events.push(pendingEvent(row, { pending: false }));
  return step;
}

export function refuse(row: InteractionRow, attemptsAfter: InteractionRow[]): Refusal {
  const current = attemptsAfter.find(isOpen);
  if (current) {
    return { refused: "stale_interaction", current: current.id, response: row.response };
  }
  if (row.response) return { refused: "already_answered", response: row.response };
  return { refused: "interaction_closed", reason: row.status };
}

/** The deadline has passed: over at once, or first the tool's hook has its say. */
export function expire(row: InteractionRow, now: number): Step {
  return row.hasTimeoutHook ? change(row, { status: "expiring" }) : close(row, "timed_out", now);
}

/** Ends without an answer. */
export function close(
  row: InteractionRow,
  reason: ClosedReason,
  now: number,
  message?: string,
  outcome: Outcome | null = row.outcome,
): Step {
  const step = change(row, { status: reason, endedAt: now, expiresAt: null, outcome });
  const wasPending = row.link === "live";
  step.events.push({
    ...envelope(row),
    type: "interaction_closed",
    payload: {
      toolCallId: row.callId,
      interactionId: row.id,
      reason,
      ...(message === undefined ? {} : { message }),
    },
  });
  if (wasPending) step.events.push(pendingEvent(row, { pending: false }));
  return step;
}

/** Decided where its agent asked as well, and what came of that there is its outcome. */
export function decideElsewhere(
  row: InteractionRow,
  outcome: Extract<Outcome, { kind: "complete" | "error" }>,
  now: number,
): Step {
  const step = close(row, "decided_elsewhere", now, undefined, outcome);
  const action = actionElsewhere(step.row);
  for (const event of step.events) {
    if (event.type === "interaction_closed") event.payload = { ...event.payload, action };
  }
  return step;
}

/** What was decided about a prompt in the agent's own terminal. */
export function actionElsewhere({ outcome, type }: InteractionRow): Action {
  if (outcome?.kind === "error" && outcome.error.code === "tool_denied") return "deny";
  return type === "input" ? "submit" : "approve";
}

/** Stays open for a late answer after its call has ended. The events belong after the tool's result. */
export function detach(
  row: InteractionRow,
  link: "queued" | "orphaned",
  outcome: Outcome | null = row.outcome,
): Step {
  const step = change(row, { status: "open", link, expiresAt: null, outcome });
  step.events.push(pendingEvent(row, { pending: false, [link]: true }));
  return step;
}

/** Keeps what the tool made of the response; from now on the hook is never run again for it. */
export function settle(row: InteractionRow, outcome: Outcome): Step {
  return change(row, { outcome });
}

/** Answered, but the run that asked is gone: the answer waits for an identical call to adopt it. */
export function strand(row: InteractionRow): Step {
  return change(row, { link: "orphaned" });
}

/** Gives the answer of an orphaned prompt to the call that asks the same again; never twice. */
export function adopt(row: InteractionRow, callId: string): Step {
  return change(row, { adoptedByCall: callId });
}

/** The next attempt of a prompt: what it does not say is as before. */
export function nextRequest(
  before: InteractionRequest,
  again: Partial<InteractionRequest>,
  ids: { toolCallId: string; interactionId: string; attempt: number },
): InteractionRequest {
  const { toolName, asker, anchored, presentation, context, toolInput, toolInputBytes } = before;
  const { approvalScopes, approvalOptions, approvalCovers, completedView } = before;
  const { editable, kind, timeoutMs, title, changes, changesBytes } = before;
  return defined({
    title,
    changes,
    changesBytes,
    anchored,
    kind,
    context,
    toolInput,
    toolInputBytes,
    editable,
    approvalScopes,
    approvalOptions,
    approvalCovers,
    completedView,
    timeoutMs,
    presentation,
    interactionType: before.interactionType,
    ...defined(again),
    toolName,
    asker,
    ...ids,
  });
}

/** Without the keys whose value is undefined, which would hide what they stand over. */
export function defined<T extends object>(value: T): T {
  const result: Partial<T> = {};
  for (const key in value) if (value[key] !== undefined) result[key] = value[key];
  return result as T;
}

function change(row: InteractionRow, set: Partial<InteractionRow>): Step {
  return {
    row: { ...row, ...set, version: row.version + 1 },
    write: { table: "interactions", id: row.id, ifVersion: row.version, set },
    events: [],
  };
}

function pendingEvent(
  row: InteractionRow,
  state: { pending: boolean; queued?: boolean; orphaned?: boolean },
): EventDraft {
  return {
    ...envelope(row),
    type: "interaction_pending",
    payload: {
      toolCallId: row.callId,
      toolName: row.toolName,
      interactionId: row.id,
      ...state,
      presentation: row.request.presentation,
    },
  };
}

function envelope(row: InteractionRow) {
  return {
    callId: row.callId,
    interactionId: row.id,
    ...(row.turnId === null ? {} : { turnId: row.turnId }),
    ...(row.responseId === null ? {} : { responseId: row.responseId }),
  };
}
