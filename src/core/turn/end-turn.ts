import type { TurnEnd } from "./agent.ts";
import type { CallPorts } from "../call/calls.ts";
import { ToolError } from "../call/tool.ts";
import { CANCELLED, endRunChange, INTERRUPTED, type RunEnd } from "../run/end.ts";
import { IsThere } from "../run/committing-run.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { Change } from "../writer.ts";
import { queuesTurn } from "./messages.ts";

/** An agent that is done leaves nothing behind; one that died leaves its prompts to be answered. */
export function endTurn(ports: CallPorts, run: LiveRun, end: TurnEnd): Promise<void> {
  return endWith(
    ports,
    run,
    end.status === "failed" ? { ...INTERRUPTED, ...end } : { ...CANCELLED, ...end },
  );
}

/** Ends a turn, whatever it ends as, and starts the one that waits. */
export async function endWith(ports: CallPorts, run: LiveRun, end: RunEnd): Promise<void> {
  const { sessionId } = run.row;
  let isLast = true;
  const build = async ({ writes }: Change): Promise<Change> => {
    const ending = { before: writes, calls: run.openCalls };
    const change = await endRunChange(ports, run.row, run.session, end, ending);
    isLast &&= ![...writes, ...change.writes].some(queuesTurn);
    return isLast ? { ...change, absent: [{ of: "queuedTurns", sessionId }] } : change;
  };
  try {
    await run.commit(build);
  } catch (error) {
    if (!(error instanceof IsThere)) throw error;
    isLast = false;
    await run.commit(build);
  }
  ports.live.delete(run.row.id);
  if (run.calls.size > 0) {
    run.cancel(new ToolError("tool_cancelled", "The turn ended before this call did."));
  }
  if (!isLast) await ports.startNextTurn(sessionId);
}
