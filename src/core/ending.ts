import type { CallEnd } from "./agent.ts";
import { isAnchored, shownIn } from "./anchored.ts";
import { hasSecret } from "./check-request.ts";
import type { Env } from "./env.ts";
import { close, detach, type EventDraft, isOpen, type Step, strand } from "./interaction.ts";
import type { CallRow, InteractionRow, RunRow, Write } from "./ports.ts";
import { isOperationState } from "./run-writes.ts";

/** What becomes of prompts that are still open when their call ends. */
export type Leftovers = "failed" | "cancelled" | "orphaned";

export interface Ending {
  writes: Write[];
  events: EventDraft[];
  interactions: InteractionRow[];
  /** Answers that were accepted and that no hook has dealt with: they become messages. */
  unheard: InteractionRow[];
  /** Runs of programs outside whose prompt was shown in the call, and closed with it. */
  borrowers: string[];
}

const CANCELLED = "tool_cancelled";
const NOT_THERE = "The tool call in which this was asked has ended.";
const LEFT_OPEN = "The tool call ended without waiting for this answer.";

/** Ends a call: closes its prompts, gives its result, then says which prompts outlive it. */
export function endCall(
  call: CallRow,
  prompts: InteractionRow[],
  end: CallEnd,
  leftovers: Leftovers,
  now: number,
): Ending {
  const closed: Step[] = [];
  const detached: Step[] = [];
  const borrowers: string[] = [];
  // Only the call that an agent made tells it later: a program that asks in its place waits for it.
  const left = isAnchored(call) && leftovers === "orphaned" ? "failed" : leftovers;
  for (const row of prompts.filter((one) => isOpen(one) && one.link === "live")) {
    if (row.runId !== call.runId) {
      closed.push(close(row, isCancelled(end) ? "cancelled" : "failed", now, NOT_THERE));
      borrowers.push(row.runId);
    } else if (left !== "orphaned") {
      closed.push(close(row, left, now, left === "cancelled" && end.ok ? LEFT_OPEN : undefined));
    } else if (row.expiresAt !== null && row.expiresAt <= now) {
      closed.push(close(row, "timed_out", now));
    } else if (hasSecret(row.request.inputSchema)) {
      closed.push(
        close(row, "cancelled", now, "The run that asked is gone; a secret cannot wait for it."),
      );
    } else {
      detached.push(detach(row, "orphaned"));
    }
  }
  // What a program outside asked it finds in the record: that starts no turn.
  const own = prompts.filter((row) => row.runId === call.runId);
  const unheard = left === "orphaned" ? own.filter(isUnheard) : [];
  const stranded = unheard.filter((row) => !hasSecret(row.request.inputSchema)).map(strand);
  const steps = [...closed, ...detached, ...stranded];
  return {
    writes: [...steps.map((step) => step.write), callWrite(call, end, now)],
    events: [
      ...closed.flatMap((step) => step.events),
      ...(isAnchored(call) ? [] : [resultEvent(call, end)]),
      ...detached.flatMap((step) => step.events),
    ],
    interactions: steps.map((step) => step.row),
    unheard,
    borrowers,
  };
}

function isUnheard(row: InteractionRow): boolean {
  return row.status === "answered" && !row.outcome && row.link === "live";
}

function callWrite(call: CallRow, end: CallEnd, now: number): Write {
  return {
    table: "tool_calls",
    id: [call.sessionId, call.id],
    ifVersion: call.version,
    set: {
      status: "ended",
      ok: end.ok,
      result: end.ok ? { value: end.result } : null,
      error: end.ok ? null : end.error,
      endedAt: now,
    },
  };
}

function resultEvent(call: CallRow, end: CallEnd): EventDraft {
  return {
    type: "tool_result",
    callId: call.id,
    ...(call.turnId === null ? {} : { turnId: call.turnId }),
    ...(call.responseId === null ? {} : { responseId: call.responseId }),
    payload: {
      toolCallId: call.id,
      toolName: call.tool,
      ok: end.ok,
      ...(end.ok ? { result: end.result } : { error: end.error }),
      ...(call.authorizedBy === null ? {} : { authorizedBy: call.authorizedBy }),
    },
  };
}

function isCancelled(end: CallEnd): boolean {
  return !end.ok && end.error.code === CANCELLED;
}

/** What there is to end with a call. */
interface Leaving {
  /** What it has asked, and what was asked in its place; of an anchored call its own. */
  prompts: InteractionRow[];
  /** Runs of what others do in its place. */
  guests: RunRow[];
}

/**
 * To be read after the version of the call, which whoever begins something in its place changes.
 * The runs come first: what a guest asks after this look changes its run, and makes the commit fail.
 */
export async function readLeaving(env: Env, call: CallRow): Promise<Leaving> {
  const active = isAnchored(call) ? [] : await env.store.activeRuns(call.sessionId);
  const guests = active.filter(
    ({ state }) => state && "anchor" in state && state.anchor === call.id,
  );
  const rows = await env.store.interactionsOfCall(call.sessionId, shownIn(call));
  const prompts = isAnchored(call) ? rows.filter((row) => row.runId === call.runId) : rows;
  return { prompts, guests };
}

/**
 * Ends the runs of what others do in the place of a call that ends: operations, and questions that
 * were closed with it. A question that has its answer ends by itself.
 */
export async function endGuests(
  env: Env,
  end: CallEnd,
  guests: RunRow[],
  borrowers: string[],
): Promise<{ writes: Write[]; ended: string[] }> {
  const operations = guests.filter(({ state }) => isOperationState(state));
  const leaving = guests.filter((run) => borrowers.includes(run.id) || operations.includes(run));
  const now = env.clock.now();
  const writes = leaving.map((run) => endOfRun(run, now));
  for (const run of operations) {
    for (const own of await env.store.calls(run.id)) {
      if (own.status !== "ended") writes.push(callWrite(own, cutOff(end), now));
    }
  }
  return { writes, ended: operations.map((run) => run.id) };
}

function cutOff(end: CallEnd): CallEnd {
  const message = "The tool call in which this ran has ended, so it was stopped.";
  return {
    ok: false,
    error: { code: isCancelled(end) ? CANCELLED : "tool_interrupted", message },
  };
}

function endOfRun(run: RunRow, now: number): Write {
  const set = {
    status: "ended",
    endStatus: "cancelled",
    endedAt: now,
    epoch: run.epoch + 1,
    owner: null,
    leaseUntil: null,
  } as const;
  return { table: "runs", id: run.id, ifVersion: run.version, set };
}

/** The end that a call has in the store. */
export function storedEnd(call: CallRow): CallEnd {
  if (call.ok) return { ok: true, result: call.result?.value };
  return { ok: false, error: call.error ?? { code: "tool_error", message: "The call failed." } };
}
