import { isAnchored } from "./anchored.ts";
import {
  CANCELLED,
  endCallChange,
  type EndPorts,
  endRunChange,
  endRunWrite,
  INTERRUPTED,
} from "../run/end.ts";
import { followUps } from "../prompt/late-answer.ts";
import type { Step } from "../interaction.ts";
import type { BuildChange } from "../run/committing-run.ts";
import type { HeldRuns, LiveRun } from "../run/live-run.ts";
import type { LiveCall } from "./live-call.ts";
import { touchSession } from "../turn/messages.ts";
import type { Write } from "../ports.ts";
import { type CallEnd, ToolError } from "./tool.ts";
import { type Change, joinChanges } from "../writer.ts";
import type { CorePorts } from "../api.ts";
import type { Secrets } from "../prompt/secrets.ts";

/** What it takes to end a call, with the turn in which it was made where a person says so. */
export interface FinishPorts extends EndPorts, HeldRuns, Pick<CorePorts, "bus"> {
  secrets: Secrets;
  startNextTurn(sessionId: string): Promise<void>;
  stopTurn(sessionId: string, turnId: string, actorId: string): Promise<void>;
}

/**
 * Gives a call its one result, in one commit with what becomes of its prompts and of its run.
 * `last` is the end of the prompt that led here; if it stays open, that is said after the result.
 */
export function finishCall(
  ports: FinishPorts,
  run: LiveRun,
  call: LiveCall,
  end: CallEnd,
  how: { last?: Step; leftovers?: "orphaned" } = {},
): Promise<void> {
  if (!call.ending) {
    call.ending = finish(ports, run, call, end, how);
    call.ending.catch(() => (call.ending = undefined));
  }
  return call.ending;
}

async function finish(
  ports: FinishPorts,
  run: LiveRun,
  call: LiveCall,
  end: CallEnd,
  how: { last?: Step; leftovers?: "orphaned" },
): Promise<void> {
  // A prompt that is being stored right now must be there to be closed with the call.
  await Promise.allSettled(call.storing);
  const stops = call.stopTurn && run.row.kind === "turn";
  if (call.stopTurn && isAnchored(call.row)) await stopTurnOf(ports, call);
  const isTurn = run.row.kind === "turn";
  // Who has begun something in the place of a call has written its row: then there is another look.
  let isAlone = call.isNew && how.leftovers === undefined;
  const build: BuildChange = async (before) => {
    const look = { ...how, before: before.writes, isAlone };
    isAlone = false;
    const change = await ending(ports, run, call, end, look);
    if (stops) {
      const { writes } = joinChanges(before, change);
      const { session } = run;
      const rest = await endRunChange(ports, run.row, session, CANCELLED, { before: writes });
      return joinChanges(change, rest);
    }
    if (isTurn) change.writes.push(...run.suspension({ ending: call }));
    else change.writes.push(endRunWrite(run.row, ports.clock.now()));
    return change;
  };
  if (isTurn && run.mayRunAhead && !stops) await run.defer(build);
  else await run.commit(build);
  // Not before: a run whose call is still being ended must not be let go by another that waits.
  run.calls.delete(call.row.id);
  call.finish(end);
  for (const id of call.prompts.keys()) ports.secrets.forget(id);
  if (run.row.kind === "call" || stops) {
    ports.live.delete(run.row.id);
    // No result in the log tells of it.
    if (isAnchored(call.row)) ports.bus.publish({ type: "run", runId: run.row.id });
    if (stops)
      run.cancel(new ToolError("tool_cancelled", "The person denied this and stopped the turn."));
    await ports.startNextTurn(run.row.sessionId);
  }
}

/** The person denied and said stop: the turn ends in which the call was made, and the call with it. */
export async function stopTurnOf(ports: FinishPorts, { row, prompts }: LiveCall): Promise<void> {
  const said = [...prompts.values()].find(({ response }) => response?.stop)?.response;
  if (row.turnId !== null)
    await ports.stopTurn(row.sessionId, row.turnId, said?.responder.id ?? "");
}

/** The call cannot go on here: it ends at once, and its prompts stay open for a late answer. */
export async function orphanCall(
  ports: FinishPorts,
  run: LiveRun,
  call: LiveCall,
): Promise<CallEnd> {
  const end = INTERRUPTED.callEnd;
  await finishCall(ports, run, call, end, { leftovers: "orphaned" });
  await ports.startNextTurn(run.row.sessionId);
  return end;
}

async function ending(
  ports: FinishPorts,
  run: LiveRun,
  call: LiveCall,
  end: CallEnd,
  {
    last,
    leftovers,
    before,
    isAlone,
  }: { last?: Step; leftovers?: "orphaned"; before: Write[]; isAlone: boolean },
): Promise<Change> {
  const now = ports.clock.now();
  // The version comes first: whoever asks after this look makes the commit fail, and it is looked again.
  const stored = isAlone ? call.row : await ports.store.call(call.row.sessionId, call.row.id);
  const rest = await endCallChange(
    ports,
    { ...call.row, version: stored?.version ?? call.row.version },
    {
      end,
      leftovers: leftovers ?? (end.ok ? "cancelled" : "failed"),
      now,
      except: last?.row.id,
      before,
      ...(isAlone && { alone: [...call.prompts.values()] }),
    },
  );
  const { session } = run;
  const messages = followUps(ports, session, rest.unheard, now);
  const staysOpen = last?.row.status === "open";
  const change: Change = {
    sessionId: run.row.sessionId,
    writes: [...(last ? [last.write] : []), ...rest.writes, ...messages.writes],
    events: [
      ...(last && !staysOpen ? last.events : []),
      ...rest.events,
      ...(last && staysOpen ? last.events : []),
      ...messages.events,
    ],
    interactions: [...(last ? [last.row] : []), ...rest.interactions],
    ended: rest.ended,
  };
  if (messages.events.length > 0) change.writes.push(touchSession(session, { updatedAt: now }));
  return change;
}
