import type { RunRow } from "../rows.ts";

/*
 * Whether a run may suspend, decided from what goes on in it and from nothing else. A run suspends
 * when all that is left to do in it is to wait for people, and when it can be entered again.
 */

/** A piece of a handler that goes on after a prompt or a step, and has not come to its next one. */
export interface Piece {
  /** The prompt or step ended in this life of the run; it was not found in the store. */
  isNew: boolean;
  /** It has come to nothing for a moment: it is taken to wait for other prompts of its call. */
  isSilent: boolean;
}

/** What goes on in one call. */
export interface CallActivity {
  /** Prompts that it waits for people to answer. */
  waiting: number;
  /** Hooks and steps that are running. */
  running: number;
  /** Prompts that are being stored, or whose end is being handled. */
  handling: number;
  /** Prompts of an earlier life of the run that the handler has not come to yet, by their keys. */
  ahead: ReadonlySet<string>;
  pieces: ReadonlySet<Piece>;
}

/** What goes on in a run. */
export interface RunActivity {
  status: RunRow["status"];
  hasLease: boolean;
  /** Its agent and all of its tools can be run again from what is stored. */
  canReenter: boolean;
  /** Calls that the agent has asked for and that are not executing yet. */
  starting: number;
  /** Looks at the store that may find a prompt of the run changed. */
  looking: number;
  /** Commits of its own that are on their way. */
  committing: number;
  /** Changes of its own that are stored after those: calls that have ended meanwhile, for one. */
  deferred: number;
  calls: CallActivity[];
}

/**
 * How a run may suspend now. `leased`: it keeps its lease, so that it is entered once more if the
 * process dies, because a piece of a handler may still be at work. `free`: it belongs to nobody.
 */
export type Rest = "none" | "leased" | "free";

export function restOf(run: RunActivity): Rest {
  if (!run.canReenter || !isQuiet(run)) return "none";
  const rest = run.calls.some(mayBeAtWork) ? "leased" : "free";
  if (run.status === "live") return rest;
  // What is suspended already can only give up the lease that it has kept.
  return run.status === "suspended" && run.hasLease && rest === "free" ? "free" : "none";
}

/** Whether the process may forget what it holds in memory of a run that is suspended. */
export function mayForget(run: RunActivity): boolean {
  return run.status === "suspended" && run.committing === 0 && isQuiet(run);
}

/** Whether every call of a live run has come to where it waits for people. */
export function hasArrived({ status, calls }: RunActivity): boolean {
  return (
    status === "live" &&
    calls.length > 0 &&
    calls.every((call) => call.waiting > 0 && !call.running)
  );
}

function isQuiet({ starting, looking, deferred, calls }: RunActivity): boolean {
  const isIdle = starting === 0 && looking === 0 && deferred === 0;
  return isIdle && calls.length > 0 && calls.every(onlyWaits);
}

function onlyWaits({ waiting, running, handling, ahead, pieces }: CallActivity): boolean {
  const isAtWork = running > 0 || handling > 0 || ahead.size > 0;
  return waiting > 0 && !isAtWork && [...pieces].every(({ isSilent }) => isSilent);
}

function mayBeAtWork({ pieces }: CallActivity): boolean {
  return [...pieces].some(({ isNew }) => isNew);
}
