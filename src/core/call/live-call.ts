import type { CallAbout } from "../../protocol/index.ts";
import { shownIn } from "./anchored.ts";
import type { CallActivity } from "../run/quiet.ts";
import type { TimedPiece } from "./handler-activity.ts";
import { stepTime, journalScope } from "./journal.ts";
import { ToolTimeout } from "./tool-timeout.ts";
import type { CallRow, Clock, InteractionRow, JournalRow } from "../ports.ts";
import type { CallEnd, ToolDefinition } from "./tool.ts";
import type { CorePorts } from "../api.ts";

/** What goes on in a call, kept up to date by whoever does it. `run/quiet.ts` decides from it. */
interface LiveActivity extends CallActivity {
  pieces: ReadonlySet<TimedPiece>;
}

const NO_JOURNAL: ReadonlyMap<string, JournalRow> = new Map();
const NO_KEYS: ReadonlySet<never> = new Set();
const NEW = { isNew: true };

/**
 * A call that executes in this process. One that cannot be replayed stays in memory for as long as
 * people take to answer it: collections that most calls never use are made with their first entry.
 */
export class LiveCall {
  row: CallRow;
  /** What its runtime has told of it; not kept over a restart, where its prompts tell it. */
  about?: CallAbout;
  readonly tool: ToolDefinition;
  /** It was made by the run as it is held here, not in an earlier life of it. */
  isNew = false;
  readonly journal: ReadonlyMap<string, JournalRow>;
  /** Its interactions as last seen, by id. */
  readonly prompts: Map<string, InteractionRow>;
  /** How often each name has been used in each scope. */
  readonly used = new Map<string, number>();
  /** What `ctx.now()` gives in the handler, in each hook and in each step, by their path. */
  times?: Map<string, number>;
  /** When each step was stored, by its name in the journal. */
  stepTimes?: Map<string, number>;
  /** Names in use right now. */
  inUse: readonly string[] = [];
  readonly activity: LiveActivity;
  /** Whether somebody was there at its first prompt. */
  available?: Promise<boolean>;
  /** Keys whose `once` grant this call has used. */
  claimed?: Set<string>;
  stopTurn: boolean;
  /** Prompts on their way to the store: the call does not end before they are there. */
  storing: readonly Promise<void>[] = [];
  /** Set when the call is about to end: nothing is asked any more. */
  ending?: Promise<void> | undefined;
  /** Whoever asked for it no longer wants to know: nothing is asked any more. */
  unwanted?: boolean;
  /** How long its handler may still take by itself, where its tool says so. */
  readonly timeout?: ToolTimeout;
  /** Set when the call has ended before its handler returned. */
  end?: CallEnd;
  /** Lets whoever executes it go on with its end; only the first one counts. */
  conclude?: (end: CallEnd | Promise<CallEnd>) => void;

  constructor(
    clock: Clock,
    row: CallRow,
    tool: ToolDefinition | undefined,
    journal: JournalRow[],
    prompts: InteractionRow[],
  ) {
    const unfinished = prompts.filter((one) => !one.outcome && one.link === "live");
    const ahead = unfinished.length === 0 ? NO_KEYS : new Set(unfinished.map((one) => one.key));
    const stepTimes = journal.flatMap((entry) => stepTime(entry));
    this.row = row;
    this.tool = tool ?? { name: row.tool, description: "", parameters: {}, handler: () => {} };
    this.journal =
      journal.length === 0 ? NO_JOURNAL : new Map(journal.map((entry) => [entry.key, entry]));
    this.prompts = new Map(prompts.map((prompt) => [prompt.id, prompt]));
    if (stepTimes.length > 0) this.stepTimes = new Map(stepTimes);
    this.activity = { waiting: 0, running: 0, handling: 0, ahead, pieces: NO_KEYS };
    this.stopTurn = prompts.some((prompt) => prompt.response?.stop === true);
    if (tool?.timeoutMs !== undefined) this.timeout = new ToolTimeout(clock, tool.timeoutMs);
  }

  finish(end: CallEnd): void {
    this.end = end;
    this.timeout?.stop();
    for (const piece of this.activity.pieces) piece.forget();
    this.conclude?.(end);
  }
}

/**
 * `again`: with what the call has done and asked before. What others asked in its place is not its
 * own to come to: only the prompts of `runId` are.
 */
export async function createLiveCall(
  ports: Pick<CorePorts, "clock" | "store">,
  row: CallRow,
  tool: ToolDefinition | undefined,
  how: "first" | "again",
  runId = row.runId,
): Promise<LiveCall> {
  if (how === "first") return Object.assign(new LiveCall(ports.clock, row, tool, [], []), NEW);
  const [journal, shown] = await Promise.all([
    ports.store.journal(journalScope(row.sessionId, row.id)),
    ports.store.interactionsOfCall(row.sessionId, shownIn(row)),
  ]);
  const prompts = shown.filter((prompt) => prompt.runId === runId);
  return new LiveCall(ports.clock, row, tool, journal, prompts);
}

export function takeName(call: LiveCall, name: string): void {
  if (!call.inUse.includes(name)) call.inUse = [...call.inUse, name];
}

export function freeName(call: LiveCall, name: string): void {
  call.inUse = call.inUse.filter((one) => one !== name);
}

/** The handler has come to a prompt that an earlier life of the run had asked. */
export function comeTo({ activity }: LiveCall, key: string): void {
  if (!activity.ahead.has(key)) return;
  activity.ahead = new Set([...activity.ahead].filter((one) => one !== key));
}

/** One more prompt that the call waits for, or one less. */
export function countWaiting(call: LiveCall, change: 1 | -1): void {
  call.activity.waiting += change;
  if (change === 1 && call.activity.waiting === 1) call.timeout?.hold();
  if (change === -1 && call.activity.waiting === 0) call.timeout?.go();
}
