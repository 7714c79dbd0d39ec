import type { AgentErrorCode } from "../protocol/index.ts";
import { enterAsk } from "./asks.ts";
import { canReplay, executeCall } from "./calls.ts";
import { CANCELLED, endRunChange, INTERRUPTED, type RunEnd } from "./end-run.ts";
import { type Env, LEASE_MS, MAX_ATTEMPTS, MAX_LIVES } from "./env.ts";
import { LiveRun } from "./live-run.ts";
import { claimWrite, isAskState } from "./run-writes.ts";
import { touchSession } from "./messages.ts";
import { type RunRow, type SessionRow, StoreUnavailable, type Write } from "./ports.ts";
import { ToolError } from "./tool.ts";
import { endTurn, runTurn } from "./turns.ts";
import { LOST_RACE, untilCommitted } from "./writer.ts";

/**
 * Starts the oldest queued turn of a session, unless one is under way. If the store fails, the next
 * heartbeat starts it: whoever called has stored what it came for.
 */
export async function startNextTurn(env: Env, sessionId: string): Promise<void> {
  if (env.isStopping()) return;
  try {
    await startOldest(env, sessionId);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    env.log.warn({ error, sessionId }, "the next turn could not start; it is tried again");
  }
}

async function startOldest(env: Env, sessionId: string): Promise<void> {
  await untilCommitted(async () => {
    const session = await env.store.session(sessionId);
    if (!session || session.deletedAt !== null || session.activeRunId !== null) return;
    const [queued] = await env.store.queuedRuns(sessionId);
    if (!queued) return;
    const claim = claimWrite(env, queued);
    const run: RunRow = { ...queued, ...claim.set, version: queued.version + 1 };
    const result = await env.writer.commit({
      sessionId,
      writes: [claim, takeTurn(env, session, run)],
      events: [turnStart(run)],
    });
    if (!result.ok) return LOST_RACE;
    enterRun(env, run, "first");
  });
}

/** Makes a turn the one that its session is busy with. */
export function takeTurn(env: Env, session: SessionRow, run: RunRow): Write {
  return touchSession(session, {
    activeRunId: run.id,
    takenPosition: run.position ?? session.takenPosition,
    updatedAt: env.clock.now(),
  });
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

/** Executes a run that is ours, for the first time or again from its journal. */
export function enterRun(env: Env, row: RunRow, how: "first" | "again"): void {
  env.stranded.delete(row.id);
  enter(env, row, how).catch((error: unknown) => {
    env.log.error({ error, runId: row.id }, "a run could not go on; it is tried again");
    env.live.get(row.id)?.lose();
    env.stranded.set(row.id, { byStore: error instanceof StoreUnavailable });
  });
}

async function enter(env: Env, row: RunRow, how: "first" | "again"): Promise<void> {
  const session = await env.store.session(row.sessionId);
  if (!session) return;
  if (session.deletedAt !== null) return void (await endFromOutside(env, row.id, CANCELLED));
  if (row.attempt > MAX_ATTEMPTS || row.lives > MAX_LIVES)
    return void (await endFromOutside(env, row.id, INTERRUPTED));
  return row.kind === "turn" ? enterTurn(env, row, session, how) : enterCall(env, row, how);
}

async function enterTurn(
  env: Env,
  row: RunRow,
  session: SessionRow,
  how: "first" | "again",
): Promise<void> {
  const agent = env.agents.get(session.agent);
  const { reenter } = agent?.capabilities ?? {};
  const resumes = reenter === "native" && agent?.canResume?.(row.id, session.runtimeState) === true;
  const reenters = reenter === "replay" || resumes;
  if (how === "again" && !reenters) return void (await endFromOutside(env, row.id, INTERRUPTED));
  const run = hold(env, row, () => reenters);
  if (agent) return runTurn(env, run, session, agent, how);
  const message = `This server has no agent "${session.agent}".`;
  const code: AgentErrorCode = "unknown_agent";
  return endTurn(env, run, { status: "failed", error: { code, message } });
}

async function enterCall(env: Env, row: RunRow, how: "first" | "again"): Promise<void> {
  if (isAskState(row.state)) {
    return enterAsk(
      env,
      hold(env, row, () => true),
      row.state,
    );
  }
  const [call] = await env.store.calls(row.id);
  if (!call || call.status === "ended")
    return void (await endFromOutside(env, row.id, INTERRUPTED));
  await executeCall(
    env,
    hold(env, row, () => true),
    call,
    how,
  );
}

function hold(env: Env, row: RunRow, reenters: () => boolean): LiveRun {
  const run: LiveRun = new LiveRun(
    env,
    row,
    () => reenters() && [...run.calls.values()].every((call) => canReplay(call.tool, call.row)),
  );
  env.live.set(row.id, run);
  return run;
}

/** Ends a run from outside it, unless it has ended. Whoever executes it finds its epoch gone. */
export async function endFromOutside(env: Env, runId: string, end: RunEnd): Promise<boolean> {
  const sessionId = await untilCommitted(async () => {
    const run = await env.store.run(runId);
    if (!run || run.status === "ended") return undefined;
    const session = await env.store.session(run.sessionId);
    if (!session) return undefined;
    const result = await env.writer.commit(await endRunChange(env, run, session, end));
    return result.ok ? run.sessionId : LOST_RACE;
  });
  if (sessionId === undefined) return false;
  env.live.get(runId)?.cancel(new ToolError(end.callEnd.error.code, end.callEnd.error.message));
  env.bus.publish({ type: "run", runId });
  await startNextTurn(env, sessionId);
  return true;
}

/** Ends the running turn of a session; says whether there was one. */
export async function cancelTurn(
  env: Env,
  actorId: string,
  sessionId: string,
  turnId?: string,
): Promise<boolean> {
  const session = await env.store.session(sessionId);
  const runId = session?.activeRunId;
  if (!runId || (turnId !== undefined && turnId !== runId)) return false;
  return endFromOutside(env, runId, { ...CANCELLED, actorId });
}

/** Takes over runs whose owner is gone, and those of ours that the store's failure stranded. */
export async function recoverRuns(env: Env): Promise<void> {
  const { owner, host } = env.options;
  for (;;) {
    const claimed = await env.store.claim({ owner, host, leaseMs: LEASE_MS, limit: 100 });
    for (const row of claimed) enterRun(env, row, "again");
    if (claimed.length < 100) break;
  }
  for (const [runId, { byStore }] of env.stranded) {
    const row = await env.store.run(runId);
    const isOurs = row?.status === "live" && row.owner === owner;
    if (row && (isOurs || row.status === "suspended")) {
      const claim = claimWrite(env, row);
      // A disk that is full for an hour is no fault of the run.
      if (byStore) Object.assign(claim.set, { attempt: row.attempt, lives: row.lives });
      else claim.set.attempt = row.attempt + 1;
      const change = { sessionId: row.sessionId, writes: [claim], events: [] };
      const result = await env.writer.commit(change);
      if (!result.ok) continue;
      enterRun(env, { ...row, ...claim.set, version: row.version + 1 }, "again");
    }
    env.stranded.delete(runId);
  }
  for (const sessionId of await env.store.startable(1_000)) await startNextTurn(env, sessionId);
}
