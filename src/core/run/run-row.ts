import type { CorePorts } from "../api.ts";
import type { AskState, OperationState, RunRow } from "../ports.ts";

/** The agent of sessions that were made for asking: nobody reads messages there. */
export const OUTSIDE = "outside";

/** A run that nobody executes yet. */
export function queuedRun(
  id: string,
  sessionId: string,
  createdAt: number,
  what: Pick<RunRow, "kind" | "trigger" | "position" | "state">,
): RunRow {
  return {
    id,
    sessionId,
    ...what,
    status: "queued",
    owner: null,
    epoch: 0,
    leaseUntil: null,
    attempt: 0,
    lives: 0,
    createdAt,
    endedAt: null,
    version: 1,
  };
}

/** A run of one call outside a turn, which nobody executes yet. */
export function callRun(
  { ids, clock }: Pick<CorePorts, "ids" | "clock">,
  sessionId: string,
  state: RunRow["state"],
): RunRow {
  const what = { kind: "call", trigger: null, position: null, state } as const;
  return queuedRun(ids.next(), sessionId, clock.now(), what);
}

/** Whether the run is there for what a program outside asked. */
export function isAskState(state: RunRow["state"]): state is AskState {
  return state !== null && "ask" in state;
}

/** Whether the run is there for an operation that works in the place of another call. */
export function isOperationState(state: RunRow["state"]): state is OperationState {
  return state !== null && "anchor" in state && !("ask" in state);
}
