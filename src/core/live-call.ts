import type { CallEnd } from "./agent.ts";
import { shownIn } from "./anchored.ts";
import { type Env, journalScope } from "./env.ts";
import type { Piece } from "./going-on.ts";
import { stepTime } from "./journal.ts";
import { Patience } from "./patience.ts";
import type { CallRow, InteractionRow, JournalRow } from "./ports.ts";
import type { ToolDefinition } from "./tool.ts";

/** A call that executes in this process. */
export interface LiveCall {
  row: CallRow;
  tool: ToolDefinition;
  journal: Map<string, JournalRow>;
  /** Its interactions as last seen, by id. */
  prompts: Map<string, InteractionRow>;
  /** How often each name has been used in each scope. */
  used: Map<string, number>;
  /** What `ctx.now()` gives in the handler, in each hook and in each step, by their path. */
  times: Map<string, number>;
  /** When each step was stored, by its name in the journal. */
  stepTimes: Map<string, number>;
  /** Names in use right now. */
  inUse: Set<string>;
  /** Prompts that it waits for, and hooks and steps that are running. */
  waiting: number;
  active: number;
  /** Prompts that something is being done for, other than waiting. */
  busy: number;
  /** Whether somebody was there at its first prompt. */
  available?: Promise<boolean>;
  /** Keys whose `once` grant this call has used. */
  claimed: Set<string>;
  stopTurn: boolean;
  /** Pieces of the handler that go on after a prompt or a step. */
  goingOn: Set<Piece>;
  /** Prompts that it had when it was entered again, and that its handler has not come to yet. */
  ahead: Set<string>;
  /** Prompts on their way to the store: the call does not end before they are there. */
  storing: Set<Promise<void>>;
  /** Set when the call is about to end: nothing is asked any more. */
  ending?: Promise<void>;
  /** Whoever asked for it no longer wants to know: nothing is asked any more. */
  unwanted?: boolean;
  /** How long its handler may still take by itself, where its tool says so. */
  patience?: Patience;
  /** Set when the call has ended before its handler returned. */
  end?: CallEnd;
  finish(end: CallEnd): void;
  finished: Promise<CallEnd>;
}

/**
 * `again`: with what the call has done and asked before. What others asked in its place is not its
 * own to come to: only the prompts of `runId` are.
 */
export async function createLiveCall(
  env: Env,
  row: CallRow,
  tool: ToolDefinition | undefined,
  how: "first" | "again",
  runId = row.runId,
): Promise<LiveCall> {
  const [journal, shown] =
    how === "first"
      ? [[], []]
      : await Promise.all([
          env.store.journal(journalScope(row.sessionId, row.id)),
          env.store.interactionsOfCall(row.sessionId, shownIn(row)),
        ]);
  const prompts = shown.filter((prompt) => prompt.runId === runId);
  let finish = (_end: CallEnd) => {};
  const finished = new Promise<CallEnd>((resolve) => (finish = resolve));
  const call: LiveCall = {
    row,
    tool: tool ?? { name: row.tool, description: "", parameters: {}, handler: () => {} },
    journal: new Map(journal.map((entry) => [entry.key, entry])),
    prompts: new Map(prompts.map((prompt) => [prompt.id, prompt])),
    used: new Map(),
    times: new Map(),
    stepTimes: new Map(journal.flatMap((entry) => stepTime(entry))),
    inUse: new Set(),
    claimed: new Set(),
    waiting: 0,
    active: 0,
    busy: 0,
    goingOn: new Set(),
    ahead: new Set(
      prompts.filter((one) => !one.outcome && one.link === "live").map((one) => one.key),
    ),
    storing: new Set(),
    stopTurn: prompts.some((prompt) => prompt.response?.stop === true),
    ...(tool?.timeoutMs === undefined ? {} : { patience: new Patience(env.clock, tool.timeoutMs) }),
    finished,
    finish(end) {
      call.end = end;
      call.patience?.stop();
      for (const piece of call.goingOn) piece.forget();
      finish(end);
    },
  };
  return call;
}

/** One more prompt that the call waits for, or one less. */
export function countWaiting(call: LiveCall, change: 1 | -1): void {
  call.waiting += change;
  if (change === 1 && call.waiting === 1) call.patience?.hold();
  if (change === -1 && call.waiting === 0) call.patience?.go();
}
