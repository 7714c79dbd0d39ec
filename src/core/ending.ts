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

/** The prompts that a call has asked or that were asked in its place; of an anchored one its own. */
export async function promptsAt(env: Env, call: CallRow): Promise<InteractionRow[]> {
  const rows = await env.store.interactionsOfCall(call.sessionId, shownIn(call));
  return isAnchored(call) ? rows.filter((row) => row.runId === call.runId) : rows;
}

/**
 * Ends the runs of what others did in the place of a call that ends: those whose prompts were closed
 * with it, and operations, whether or not they were asking. To be looked for after the call's
 * version was read: whoever begins something there changes that.
 */
export async function endBorrowers(
  env: Env,
  call: CallRow,
  end: CallEnd,
  borrowers: string[],
): Promise<{ writes: Write[]; ended: string[] }> {
  if (isAnchored(call)) return { writes: [], ended: [] };
  const active = await env.store.activeRuns(call.sessionId);
  const operations = active.filter(
    ({ state }) => isOperationState(state) && state.anchor === call.id,
  );
  const asks = active.filter((run) => borrowers.includes(run.id) && !operations.includes(run));
  const now = env.clock.now();
  const writes = [...asks, ...operations].map((run) => endOfRun(run, now));
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
