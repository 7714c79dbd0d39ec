import type { AgentErrorCode } from "../../protocol/index.ts";
import { enterAsk } from "../outside/enter-ask.ts";
import { doubtClaim } from "./claim.ts";
import { canReplay, executeCall } from "../call/calls.ts";
import { CANCELLED, endRunChange, INTERRUPTED, type RunEnd } from "./end.ts";
import { LiveRun, type LiveRunPorts } from "./live-run.ts";
import { sessionAfter, touchSession } from "../turn/messages.ts";
import {
  type CommitResult,
  type RunRow,
  type SessionRow,
  StoreUnavailable,
  type Write,
} from "../ports.ts";
import { ToolError } from "../call/tool.ts";
import type { AgentRuntime } from "../turn/agent.ts";
import { endTurn } from "../turn/end-turn.ts";
import type { TurnPorts } from "../turn/held-turn.ts";
import { runTurn } from "../turn/turns.ts";
import { type Change, LOST_RACE, untilCommitted } from "../writer.ts";
import { LEASE_MS, MAX_ATTEMPTS, MAX_LIVES, claimWrite } from "./lease.ts";
import { isAskState } from "./run-row.ts";
import type { CoreOptions } from "../api.ts";
import { abilityOf, canTakeTurns } from "./ability.ts";

const CLAIMED_AT_ONCE = 100;
/** How many runs a node works on, of those that it takes over. */
const MOST_WORKING = 1_000;

export interface RunPorts extends TurnPorts, LiveRunPorts {
  options: CoreOptions;
}

/**
 * Starts the oldest queued turn of a session, unless one is under way. If the store fails, the next
 * heartbeat starts it: whoever called has stored what it came for.
 *
 * @param wherever also where another node would be the better place
 */
export async function startNextTurn(
  ports: RunPorts,
  sessionId: string,
  { wherever = false } = {},
): Promise<void> {
  if (ports.isStopping()) return;
  try {
    await startOldest(ports, sessionId, wherever);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    ports.log.warn({ error, sessionId }, "the next turn could not start; it is tried again");
  }
}

async function startOldest(ports: RunPorts, sessionId: string, wherever: boolean): Promise<void> {
  await untilCommitted(async () => {
    const [session, [queued]] = await Promise.all([
      ports.store.session(sessionId),
      ports.store.queuedRuns(sessionId),
    ]);
    if (!session || session.deletedAt !== null || session.activeRunId !== null) return;
    if (!queued || (!wherever && !canTakeTurns(ports, session))) return;
    const claim = claimWrite(ports, queued);
    const run: RunRow = { ...queued, ...claim.set, version: queued.version + 1 };
    const writes = [claim, takeTurn(ports, session, run)];
    const result = await ports.writer.commit({
      sessionId,
      writes,
      events: [turnStart(run)],
      inDoubt: [() => doubtClaim(ports, run)],
    });
    if (!result.ok) return LOST_RACE;
    enterRun(ports, run, "first", { session: sessionAfter(session, writes) });
  });
}

/** Makes a turn the one that its session is busy with. */
export function takeTurn(
  ports: RunPorts,
  session: SessionRow,
  run: RunRow,
  alongside: Partial<SessionRow> | null = null,
): Write {
  const updatedAt = ports.clock.now();
  return touchSession(session, { activeRunId: run.id, updatedAt, ...alongside });
}

export function turnStart(run: RunRow) {
  return {
    type: "turn_start" as const,
    turnId: run.id,
    payload: {
      trigger: run.trigger ?? "user",
      ...(run.state && "messageId" in run.state ? { messageId: run.state.messageId } : {}),
    },
  };
}

/** Stores a new run and enters it, before it is on disk where everything in it can be done again. */
export async function storeAndEnter(
  ports: RunPorts,
  { run, session }: { run: RunRow; session: SessionRow },
  change: Change,
  mayRunAhead: boolean,
): Promise<CommitResult> {
  const { decided, stored } = ports.writer.commitAhead({
    ...change,
    inDoubt: [() => doubtClaim(ports, run)],
  });
  const result = await (mayRunAhead ? decided : stored);
  if (!result.ok) return result;
  enterRun(ports, run, "first", { session: sessionAfter(session, change.writes), stored });
  await stored;
  return result;
}

/** What whoever enters a run knows of it. */
interface Known {
  /** The session of the run, as the commit has left it that made the run this process's. */
  session?: SessionRow;
  /** When the run and its call are on disk, if they may not be yet. */
  stored?: Promise<unknown>;
}

/** Executes a run that is ours, for the first time or again from its journal. */
export function enterRun(
  ports: RunPorts,
  row: RunRow,
  how: "first" | "again",
  known: Known = {},
): void {
  ports.stranded.delete(row.id);
  enter(ports, row, how, known).catch((error: unknown) => {
    ports.log.error({ error, runId: row.id }, "a run could not go on; it is tried again");
    ports.live.get(row.id)?.lose();
    ports.stranded.set(row.id, { byStore: error instanceof StoreUnavailable });
  });
}

async function enter(
  ports: RunPorts,
  row: RunRow,
  how: "first" | "again",
  known: Known,
): Promise<void> {
  const session = known.session ?? (await ports.store.session(row.sessionId));
  if (!session) return;
  if (session.deletedAt !== null) return void (await endFromOutside(ports, row.id, CANCELLED));
  if (row.attempt > MAX_ATTEMPTS || row.lives > MAX_LIVES)
    return void (await endFromOutside(ports, row.id, INTERRUPTED));
  const entered = { row, session, how, stored: known.stored };
  return row.kind === "turn" ? enterTurn(ports, entered) : enterCall(ports, entered);
}

interface Entered {
  row: RunRow;
  session: SessionRow;
  how: "first" | "again";
  stored: Known["stored"];
}

async function enterTurn(ports: RunPorts, entered: Entered): Promise<void> {
  const { row, session, how } = entered;
  const agent = ports.agents.get(session.agent);
  const { reenter } = agent?.capabilities ?? {};
  const kept = structuredClone(session.runtimeState);
  const resumes = reenter === "native" && agent?.canResume?.(row.id, kept) === true;
  const reenters = reenter === "replay" || resumes;
  if (how === "again" && !reenters) {
    const known = await knownEnds(ports, row, agent, kept);
    return void (await endFromOutside(ports, row.id, { ...INTERRUPTED, known }));
  }
  const run = hold(ports, entered, reenters ? canReplayCalls : () => false);
  if (agent) return runTurn(ports, run, session, agent, how);
  const message = `This server has no agent "${session.agent}".`;
  const code: AgentErrorCode = "unknown_agent";
  return endTurn(ports, run, { status: "failed", error: { code, message } });
}

/** How calls ended that were let run, which nobody heard. Without it, that is not known. */
async function knownEnds(
  ports: RunPorts,
  row: RunRow,
  agent: AgentRuntime | undefined,
  state: unknown,
): Promise<RunEnd["known"]> {
  const calls = await ports.store.calls(row.id);
  const ran = calls.filter(({ status, authorizedBy }) => status === "running" && authorizedBy);
  const nativeIds = new Set(ran.flatMap(({ nativeId }) => nativeId ?? []));
  if (nativeIds.size === 0) return undefined;
  return agent?.endsOf?.(state, nativeIds).catch((error: unknown) => {
    ports.log.warn({ error }, "an agent's own record of its calls could not be read");
    return undefined;
  });
}

async function enterCall(ports: RunPorts, entered: Entered): Promise<void> {
  const { row, how } = entered;
  if (isAskState(row.state)) return enterAsk(ports, hold(ports, entered), row.state);
  const [call] = await ports.store.calls(row.id);
  if (!call || call.status === "ended")
    return void (await endFromOutside(ports, row.id, INTERRUPTED));
  const run = hold(ports, entered);
  run.mayRunAhead = call.durable === "replay";
  // Not awaited: it may wait for people for weeks.
  executeCall(ports, run, { row: call, how }).catch((error: unknown) => run.fail(error));
}

function canReplayCalls(run: LiveRun): boolean {
  return [...run.calls.values()].every((call) => canReplay(call.tool, call.row));
}

function hold(
  ports: RunPorts,
  { row, session, how, stored }: Entered,
  canReenter = canReplayCalls,
): LiveRun {
  const run = new LiveRun(ports, row, session, { canReenter, how });
  if (stored) run.goAheadOf(stored);
  ports.live.set(row.id, run);
  return run;
}

/** Ends a run from outside it, unless it has ended. Whoever executes it finds its epoch gone. */
export async function endFromOutside(
  ports: RunPorts,
  runId: string,
  end: RunEnd,
): Promise<boolean> {
  const sessionId = await untilCommitted(async () => {
    const run = await ports.store.run(runId);
    if (!run || run.status === "ended") return undefined;
    const session = await ports.store.session(run.sessionId);
    if (!session) return undefined;
    const result = await ports.writer.commit(await endRunChange(ports, run, session, end));
    return result.ok ? run.sessionId : LOST_RACE;
  });
  if (sessionId === undefined) return false;
  ports.live.get(runId)?.cancel(new ToolError(end.callEnd.error.code, end.callEnd.error.message));
  ports.bus.publish({ type: "run", runId });
  await startNextTurn(ports, sessionId);
  return true;
}

/** Ends the running turn of a session; says whether there was one. */
export async function cancelTurn(
  ports: RunPorts,
  actorId: string,
  sessionId: string,
  turnId?: string,
): Promise<boolean> {
  const session = await ports.store.session(sessionId);
  const runId = session?.activeRunId;
  if (!runId || (turnId !== undefined && turnId !== runId)) return false;
  return endFromOutside(ports, runId, { ...CANCELLED, actorId });
}

/** How many runs may be claimed now: what others can execute too need not wait for this process. */
function roomFor({ live, options }: RunPorts): number {
  if (!options.shared) return CLAIMED_AT_ONCE;
  const working = [...live.values()].filter(({ row }) => row.status === "live").length;
  return Math.min(CLAIMED_AT_ONCE, MOST_WORKING - working);
}

/** A run was claimed here, and the process has not heard of that. */
function goOnClaimed(ports: RunPorts, row: RunRow): void {
  const found = ports.live.get(row.id);
  if (found && found.row.epoch === row.epoch) return;
  if (found && found.row.epoch === row.epoch - 1) return found.goOn(row);
  found?.lose();
  enterRun(ports, row, howToEnter(row));
}

/** Whoever claims a run for the first time is the first to execute it. */
function howToEnter({ epoch }: RunRow): "first" | "again" {
  return epoch === 1 ? "first" : "again";
}

/** Takes over runs whose owner is gone. */
export async function takeOverRuns(ports: RunPorts): Promise<void> {
  const { owner } = ports.options;
  const ability = abilityOf(ports);
  for (let limit = roomFor(ports); limit > 0; limit = roomFor(ports)) {
    const claimed = await ports.store.claim({
      owner,
      leaseMs: LEASE_MS,
      limit,
      ...(ability ? { ability } : {}),
    });
    for (const row of claimed) {
      ports.live.get(row.id)?.lose();
      // One that was stored for another node to execute is claimed for the first time.
      enterRun(ports, row, howToEnter(row));
    }
    if (claimed.length < limit) break;
  }
}

/** Takes over runs whose owner is gone, and restarts our own. */
export async function recoverRuns(ports: RunPorts): Promise<void> {
  await takeOverRuns(ports);
  await restartRuns(ports);
}

/** Goes on with runs of ours that the store's failure stranded, and starts turns that it kept back. */
export async function restartRuns(ports: RunPorts): Promise<void> {
  const { owner } = ports.options;
  for (const [runId, { byStore, perhaps }] of ports.stranded) {
    const row = await ports.store.run(runId);
    const isOurs = row?.status === "live" && row.owner === owner;
    if (perhaps !== undefined) {
      ports.stranded.delete(runId);
      if (row && isOurs && row.epoch === perhaps) goOnClaimed(ports, row);
      continue;
    }
    if (row && (isOurs || row.status === "suspended")) {
      const claim = claimWrite(ports, row);
      // A disk that is full for an hour is no fault of the run.
      if (byStore) Object.assign(claim.set, { attempt: row.attempt, lives: row.lives });
      else claim.set.attempt = row.attempt + 1;
      const change = { sessionId: row.sessionId, writes: [claim], events: [] };
      const result = await ports.writer.commit(change);
      if (!result.ok) continue;
      enterRun(ports, { ...row, ...claim.set, version: row.version + 1 }, "again");
    }
    ports.stranded.delete(runId);
  }
  for (const sessionId of await ports.store.startable(1_000, abilityOf(ports))) {
    await startNextTurn(ports, sessionId, { wherever: true });
  }
}
