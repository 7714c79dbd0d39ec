import { type Env, LEASE_MS } from "./env.ts";
import type { AskState, OperationState, RunRow, Write } from "./ports.ts";

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
    endStatus: null,
    host: null,
    owner: null,
    epoch: 0,
    leaseUntil: null,
    attempt: 0,
    lives: 0,
    wakes: 0,
    createdAt,
    endedAt: null,
    version: 1,
  };
}

/** Makes a queued or suspended run ours. */
export function claimWrite(env: Env, row: RunRow): Extract<Write, { table: "runs" }> {
  return {
    table: "runs",
    id: row.id,
    ifVersion: row.version,
    set: {
      status: "live",
      owner: env.options.owner,
      host: env.options.host,
      epoch: row.epoch + 1,
      leaseUntil: env.clock.now() + LEASE_MS,
      attempt: 1,
      lives: row.lives + 1,
    },
  };
}

/** Something happened that the owner must see before it may fall asleep. */
export function wakeWrite(row: RunRow): Extract<Write, { table: "runs" }> {
  return { table: "runs", id: row.id, ifVersion: row.version, set: { wakes: row.wakes + 1 } };
}

/** Whether the run is there for what a program outside asked. */
export function isAskState(state: RunRow["state"]): state is AskState {
  return state !== null && "ask" in state;
}

/** Whether the run is there for an operation that works in the place of another call. */
export function isOperationState(state: RunRow["state"]): state is OperationState {
  return state !== null && "anchor" in state && !("ask" in state);
}
