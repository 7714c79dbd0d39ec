import type { CorePorts } from "../api.ts";
import type { Piece } from "../run/quiet.ts";

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

/** A piece whose moment is counted. */
export interface TimedPiece extends Piece {
  forget(): void;
}

/** A call, some pieces of whose handler go on. */
interface Going {
  activity: { pieces: ReadonlySet<TimedPiece> };
}

/** A piece of the handler goes on: its run does not suspend for a moment. */
export function goOn(
  ports: Pick<CorePorts, "clock" | "log">,
  run: { rest(): Promise<void> },
  call: Going,
  isNew: boolean,
): void {
  const forget = ports.clock.timer(MOMENT_MS, () => {
    piece.isSilent = true;
    run.rest().catch((error: unknown) => ports.log.error({ error }, "a run could not suspend"));
  });
  const piece: TimedPiece = { isNew, isSilent: false, forget };
  call.activity.pieces = new Set([...call.activity.pieces, piece]);
}

/**
 * A piece of the handler has come to its next prompt or step. Which one cannot be told: while there
 * is another, it is none that would have to be entered once more.
 */
export function arrive(call: Going): void {
  const pieces = [...call.activity.pieces];
  const piece = pieces.find(({ isNew }) => !isNew) ?? pieces[0];
  if (!piece) return;
  piece.forget();
  call.activity.pieces = new Set(pieces.filter((one) => one !== piece));
}
