import type { TurnStatus } from "../../protocol/index.ts";
import type { CallEnd } from "../call/tool.ts";
import { isAnchored, shownIn } from "../call/anchored.ts";
import { hasSecret } from "../prompt/check-request.ts";
import { close, detach, type EventDraft, isOpen, type Step, strand } from "../interaction.ts";
import type { CallRow, InteractionRow, RunRow, SessionRow, TurnState, Write } from "../ports.ts";
import { followUps } from "../prompt/late-answer.ts";
import { touchSession } from "../turn/messages.ts";
import type { Change } from "../writer.ts";
import { isOperationState } from "./run-row.ts";
import type { CorePorts } from "../api.ts";

/*
 * The one place where runs and calls end. Whoever ends one commits what is made here: the row's
 * end, what becomes of prompts that are still open, and what others do in the place of the call.
 */

export type EndPorts = Pick<CorePorts, "clock" | "ids" | "store">;

/** What becomes of prompts that are still open when their call ends. */
type Leftovers = "failed" | "cancelled" | "orphaned";

export interface RunEnd {
  status: TurnStatus;
  /** The end of every call that has none yet. */
  callEnd: CallEnd & { ok: false };
  /** How some ended all the same, by their native ids. */
  known?: ReadonlyMap<string, CallEnd>;
  leftovers: Leftovers;
  /** Whoever ended it, where somebody did. */
  actorId?: string;
  error?: { code: string; message: string };
}

export const CANCELLED: RunEnd = {
  status: "cancelled",
  callEnd: {
    ok: false,
    error: { code: "tool_cancelled", message: "The turn was cancelled before the call ended." },
  },
  leftovers: "cancelled",
};

export const INTERRUPTED: RunEnd = {
  status: "interrupted",
  callEnd: {
    ok: false,
    error: {
      code: "tool_interrupted",
      message:
        "The run was interrupted. If a prompt of it is still open, your answer will arrive as a message.",
    },
  },
  leftovers: "orphaned",
};

/** The end of a run. Its epoch grows: whoever still executes it stores nothing any more. */
export function endRunWrite(run: RunRow, now: number): Write {
  const set = {
    status: "ended",
    endedAt: now,
    epoch: run.epoch + 1,
    owner: null,
    leaseUntil: null,
  } as const;
  return { table: "runs", id: run.id, ifVersion: run.version, set };
}

/** The end of a call, without what becomes of its prompts. */
function endCallWrite(call: CallRow, end: CallEnd, now: number): Write {
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

interface Ending {
  writes: Write[];
  events: EventDraft[];
  interactions: InteractionRow[];
  /** Answers that were accepted and that no hook has dealt with: they become messages. */
  unheard: InteractionRow[];
  /** Runs of programs outside whose prompt was shown in the call, and closed with it. */
  borrowers: string[];
}

const NOT_THERE = "The tool call in which this was asked has ended.";
const LEFT_OPEN = "The tool call ended without waiting for this answer.";

/** Ends a call: closes its prompts, gives its result, then says which prompts outlive it. */
function endCall(
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
    writes: [...steps.map((step) => step.write), endCallWrite(call, end, now)],
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
  return !end.ok && end.error.code === CANCELLED.callEnd.error.code;
}

interface CallEnding extends Ending {
  /** Runs of operations that ended with it. */
  ended: string[];
}

/**
 * Ends a call, and the runs of what others do in its place. To be called after the version of the
 * call was read, which whoever begins something in its place changes. The runs are read first: what
 * a guest asks after this look changes its run, and makes the commit fail.
 *
 * @param except a prompt that the same commit has dealt with
 * @param before what the same commit does to the prompts of the call
 */
export async function endCallChange(
  ports: Pick<CorePorts, "store">,
  call: CallRow,
  {
    end,
    leftovers,
    now,
    except,
    before = [],
    alone,
  }: {
    end: CallEnd;
    leftovers: Leftovers;
    now: number;
    except?: string | undefined;
    before?: Write[];
    /** Its prompts, where it is known that nobody else has begun anything in its place. */
    alone?: InteractionRow[] | undefined;
  },
): Promise<CallEnding> {
  const looksForGuests = !alone && !isAnchored(call);
  const active = looksForGuests ? await ports.store.activeRuns(call.sessionId) : [];
  const guests = active.filter(
    ({ state }) => state && "anchor" in state && state.anchor === call.id,
  );
  const stored = alone ?? (await ports.store.interactionsOfCall(call.sessionId, shownIn(call)));
  const rows = promptsAfter(stored, before);
  // Also what it has not asked itself: a program outside may have asked in its place.
  const prompts = isAnchored(call) ? rows.filter((row) => row.runId === call.runId) : rows;
  const ending = endCall(
    call,
    prompts.filter((row) => row.id !== except),
    end,
    leftovers,
    now,
  );
  const borrowed = await endGuests(ports, end, guests, ending.borrowers, now);
  return { ...ending, writes: [...ending.writes, ...borrowed.writes], ended: borrowed.ended };
}

/**
 * Ends the runs of what others do in the place of a call that ends: operations, and questions that
 * were closed with it. A question that has its answer ends by itself.
 */
async function endGuests(
  ports: Pick<CorePorts, "store">,
  end: CallEnd,
  guests: RunRow[],
  borrowers: string[],
  now: number,
): Promise<{ writes: Write[]; ended: string[] }> {
  const operations = guests.filter(({ state }) => isOperationState(state));
  const leaving = guests.filter((run) => borrowers.includes(run.id) || operations.includes(run));
  const writes = leaving.map((run) => endRunWrite(run, now));
  for (const run of operations) {
    for (const own of await ports.store.calls(run.id)) {
      if (own.status !== "ended") writes.push(endCallWrite(own, cutOff(end), now));
    }
  }
  return { writes, ended: operations.map((run) => run.id) };
}

function cutOff(end: CallEnd): CallEnd {
  const message = "The tool call in which this ran has ended, so it was stopped.";
  return {
    ok: false,
    error: { code: isCancelled(end) ? CANCELLED.callEnd.error.code : "tool_interrupted", message },
  };
}

/** The end that a call has in the store. */
export function storedEnd(call: CallRow): CallEnd {
  if (call.ok) return { ok: true, result: call.result?.value };
  return { ok: false, error: call.error ?? { code: "tool_error", message: "The call failed." } };
}

/**
 * Ends a run with everything in it, in one commit. Reads the rows anew each time it is called.
 *
 * @param before what the same commit does to the calls of the run
 * @param calls those of the run that have not ended, where that is known
 */
export async function endRunChange(
  ports: EndPorts,
  run: RunRow,
  session: SessionRow,
  end: RunEnd,
  { before = [], calls }: { before?: Write[]; calls?: CallRow[] | undefined } = {},
): Promise<Change> {
  const now = ports.clock.now();
  const writes: Write[] = [];
  const events: EventDraft[] = [];
  const interactions: InteractionRow[] = [];
  const unheard: InteractionRow[] = [];
  const ended: string[] = [];
  const stored = calls ?? (await ports.store.calls(run.id));
  for (const call of callsAfter(stored, run.id, before)) {
    if (call.status === "ended") continue;
    const { callEnd, known, leftovers } = end;
    const itsEnd = known?.get(call.nativeId ?? "") ?? callEnd;
    const ending = await endCallChange(ports, call, { end: itsEnd, leftovers, now, before });
    writes.push(...ending.writes);
    ended.push(...ending.ended);
    events.push(...ending.events);
    interactions.push(...ending.interactions);
    unheard.push(...ending.unheard);
  }
  if (run.kind === "turn") {
    const turn = { turnId: run.id };
    if (end.error) events.push({ ...turn, type: "error", payload: end.error });
    const { model, usage } = (run.state ?? {}) as Partial<TurnState>;
    const told = { ...(model === undefined ? {} : { model }), ...(usage ? { usage } : {}) };
    events.push({ ...turn, type: "turn_end", payload: { status: end.status, ...told } });
  }
  writes.push(endRunWrite(run, now));
  if (end.actorId !== undefined) for (const event of events) event.actorId = end.actorId;
  const messages = followUps(ports, session, unheard, now);
  writes.push(...messages.writes);
  events.push(...messages.events);
  const isActive = session.activeRunId === run.id;
  if (isActive || messages.events.length > 0) {
    writes.push(
      touchSession(session, { updatedAt: now, ...(isActive ? { activeRunId: null } : {}) }),
    );
  }
  return { sessionId: run.sessionId, writes, events, interactions, ended };
}

/** Calls as some writes leave them, with those that the writes make. */
function callsAfter(stored: CallRow[], runId: string, writes: Write[]): CallRow[] {
  const calls = new Map(stored.map((call) => [call.id, call]));
  for (const write of writes) {
    if (write.table !== "tool_calls") continue;
    const call = { ...calls.get(write.id[1]), ...write.set } as CallRow;
    if (call.runId === runId) calls.set(call.id, { ...call, version: write.ifVersion + 1 });
  }
  return [...calls.values()];
}

/** Prompts as some writes leave them. */
function promptsAfter(stored: InteractionRow[], writes: Write[]): InteractionRow[] {
  const prompts = new Map(stored.map((row) => [row.id, row]));
  for (const write of writes) {
    const row = write.table === "interactions" ? prompts.get(String(write.id)) : undefined;
    if (!row) continue;
    prompts.set(row.id, { ...row, ...write.set, version: write.ifVersion + 1 } as InteractionRow);
  }
  return [...prompts.values()];
}
