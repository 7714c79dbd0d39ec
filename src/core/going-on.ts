import type { Env } from "./env.ts";
import type { LiveCall } from "./live-call.ts";
import type { LiveRun } from "./live-run.ts";

/*
 * A prompt or a step of a handler is over, and the piece of the handler that waited for it goes on.
 * If it asks again or begins a step, the engine sees that. If it only waits for other prompts of its
 * call (`Promise.all`), the engine sees nothing: after a moment the run may suspend. That is safe
 * also if the piece is still at work: its next step takes the run back first. Should the process die
 * before, a run is entered once more for what an answer or a step has set going in this life; what
 * was as silent in the life before is taken to wait.
 */

const MOMENT_MS = 250;

/** Hooks are known to be running; only the handler goes on unseen. */
export const HANDLER = "";

/** A piece of a handler that has not come to its next prompt or step. */
export interface Piece {
  /** What it goes on from happened in this life, and was not found in the store. */
  isNew: boolean;
  /** Its moment is over. */
  isSilent: boolean;
  forget(): void;
}

/** A piece of the handler goes on: its run does not suspend for a moment. */
export function goOn(env: Env, run: LiveRun, call: LiveCall, isNew: boolean): void {
  const forget = env.clock.timer(MOMENT_MS, () => {
    piece.isSilent = true;
    run.rest().catch((error: unknown) => env.log.error({ error }, "a run could not suspend"));
  });
  const piece: Piece = { isNew, isSilent: false, forget };
  call.goingOn.add(piece);
}

/**
 * A piece of the handler has come to its next prompt or step. Which one cannot be told: while there
 * is another, it is none that would have to be entered once more.
 */
export function arrive(call: LiveCall): void {
  const pieces = [...call.goingOn];
  const piece = pieces.find(({ isNew }) => !isNew) ?? pieces[0];
  if (!piece) return;
  piece.forget();
  call.goingOn.delete(piece);
}

/** Whether each of them is taken to wait for the other prompts of its call. */
export function allSilent(call: LiveCall): boolean {
  return [...call.goingOn].every(({ isSilent }) => isSilent);
}

/** Whether one of them may be at work on what has happened in this life. */
export function mayBeAtWork(call: LiveCall): boolean {
  return [...call.goingOn].some(({ isNew }) => isNew);
}
