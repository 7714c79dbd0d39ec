import type { CallEnd } from "./agent.ts";
import { isAnchored } from "./anchored.ts";
import { endCall, endGuests, readLeaving } from "./ending.ts";
import { CANCELLED, endRunChange, followUps, INTERRUPTED } from "./end-run.ts";
import type { Env } from "./env.ts";
import type { Step } from "./interaction.ts";
import type { LiveRun } from "./live-run.ts";
import type { LiveCall } from "./live-call.ts";
import { touchSession } from "./messages.ts";
import type { SessionRow, Write } from "./ports.ts";
import { ToolError } from "./tool.ts";
import type { Change } from "./writer.ts";

/**
 * Gives a call its one result, in one commit with what becomes of its prompts and of its run.
 * `last` is the end of the prompt that led here; if it stays open, that is said after the result.
 */
export function finishCall(
  env: Env,
  run: LiveRun,
  call: LiveCall,
  end: CallEnd,
  how: { last?: Step; leftovers?: "orphaned" } = {},
): Promise<void> {
  if (!call.ending) {
    call.ending = finish(env, run, call, end, how);
    call.ending.catch(() => (call.ending = undefined));
  }
  return call.ending;
}

async function finish(
  env: Env,
  run: LiveRun,
  call: LiveCall,
  end: CallEnd,
  how: { last?: Step; leftovers?: "orphaned" },
): Promise<void> {
  // A prompt that is being stored right now must be there to be closed with the call.
  await Promise.allSettled(call.storing);
  const stops = call.stopTurn && run.row.kind === "turn";
  if (call.stopTurn && isAnchored(call.row)) await stopTurnOf(env, call);
  const ahead = run.mayRunAhead && !stops;
  await run.commit(
    async () => {
      const { change, session } = await ending(env, run, call, end, how);
      if (stops) return withTurnCancelled(env, run, session, change);
      if (run.row.kind === "turn") change.writes.push(...run.suspension({ ending: call }));
      else change.writes.push(endWrite(env, run));
      return change;
    },
    { ahead },
  );
  // Not before: a run whose call is still being ended must not be let go by another that waits.
  run.calls.delete(call.row.id);
  call.finish(end);
  for (const id of call.prompts.keys()) env.secrets.forget(id);
  if (run.row.kind === "call" || stops) {
    env.live.delete(run.row.id);
    // No result in the log tells of it.
    if (isAnchored(call.row)) env.bus.publish({ type: "run", runId: run.row.id });
    if (stops)
      run.cancel(new ToolError("tool_cancelled", "The person denied this and stopped the turn."));
    await env.startNextTurn(run.row.sessionId);
  }
}

/** The person denied and said stop: the turn ends in which the call was made, and the call with it. */
export async function stopTurnOf(env: Env, { row, prompts }: LiveCall): Promise<void> {
  const said = [...prompts.values()].find(({ response }) => response?.stop)?.response;
  if (row.turnId !== null) await env.stopTurn(row.sessionId, row.turnId, said?.responder.id ?? "");
}

/** The call cannot go on here: it ends at once, and its prompts stay open for a late answer. */
export async function orphanCall(env: Env, run: LiveRun, call: LiveCall): Promise<CallEnd> {
  const end = INTERRUPTED.callEnd;
  await finishCall(env, run, call, end, { leftovers: "orphaned" });
  await env.startNextTurn(run.row.sessionId);
  return end;
}

async function ending(
  env: Env,
  run: LiveRun,
  call: LiveCall,
  end: CallEnd,
  { last, leftovers }: { last?: Step; leftovers?: "orphaned" },
): Promise<{ change: Change; session: SessionRow }> {
  const now = env.clock.now();
  const session = await env.store.session(call.row.sessionId);
  if (!session) throw new Error(`Session ${call.row.sessionId} is gone.`);
  // Also what it has not asked itself: a program outside may have asked in its place. The version
  // comes first: whoever asks after this look makes the commit fail, and it is looked again.
  const stored = await env.store.call(call.row.sessionId, call.row.id);
  const { prompts, guests } = await readLeaving(env, call.row);
  const rest = endCall(
    { ...call.row, version: stored?.version ?? call.row.version },
    prompts.filter((row) => row.id !== last?.row.id),
    end,
    leftovers ?? (end.ok ? "cancelled" : "failed"),
    now,
  );
  const borrowed = await endGuests(env, end, guests, rest.borrowers);
  const messages = followUps(env, session, rest.unheard, now);
  const staysOpen = last?.row.status === "open";
  const change: Change = {
    sessionId: run.row.sessionId,
    writes: [...(last ? [last.write] : []), ...rest.writes, ...messages.writes, ...borrowed.writes],
    events: [
      ...(last && !staysOpen ? last.events : []),
      ...rest.events,
      ...(last && staysOpen ? last.events : []),
      ...messages.events,
    ],
    interactions: [...(last ? [last.row] : []), ...rest.interactions],
    ended: borrowed.ended,
  };
  if (messages.events.length > 0) change.writes.push(touchSession(session, { updatedAt: now }));
  return { change, session };
}

/** The person denied and said stop: the turn ends with the call, in the same commit. */
async function withTurnCancelled(
  env: Env,
  run: LiveRun,
  session: SessionRow,
  change: Change,
): Promise<Change> {
  const whole = await endRunChange(env, run.row, session, CANCELLED);
  // The session's row is written by both: what ends the turn is what must be in it.
  const own = change.writes.filter((write) => write.table !== "sessions");
  const done = new Set(own.map(rowName));
  const mine = new Set(
    change.events.flatMap((event) =>
      event.type === "tool_result" ? [event.payload.toolCallId] : [],
    ),
  );
  return {
    ...change,
    writes: [...own, ...whole.writes.filter((write) => !done.has(rowName(write)))],
    events: [
      ...change.events,
      ...whole.events.filter((event) => !(event.callId && mine.has(event.callId))),
    ],
    interactions: [...(change.interactions ?? []), ...(whole.interactions ?? [])],
    ended: [...(change.ended ?? []), ...(whole.ended ?? [])],
  };
}

function rowName(write: Write): string {
  return `${write.table}:${[write.id].flat().join("/")}`;
}

function endWrite(env: Env, run: LiveRun): Write {
  return {
    table: "runs",
    id: run.row.id,
    ifVersion: run.row.version,
    set: {
      status: "ended",
      endStatus: "completed",
      endedAt: env.clock.now(),
      owner: null,
      leaseUntil: null,
    },
  };
}
