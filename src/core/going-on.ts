import type { Env } from "./env.ts";
import type { LiveCall } from "./live-call.ts";
import type { LiveRun } from "./live-run.ts";

/*
 * A prompt or a step of a handler is over, and the piece of the handler that waited for it goes on.
 * If it asks again or begins a step, the engine sees that. If it only waits for other prompts of its
 * call (`Promise.all`), the engine sees nothing: after a moment the run may suspend. That is safe
 * also if the piece is still at work: its next step takes the run back first.
 */

const MOMENT_MS = 250;

/** A piece of the handler goes on: its run does not suspend for a moment. */
export function goOn(env: Env, run: LiveRun, call: LiveCall): void {
  const forget = env.clock.timer(MOMENT_MS, () => {
    call.goingOn.delete(forget);
    run.rest().catch((error: unknown) => env.log.error({ error }, "a run could not suspend"));
  });
  call.goingOn.add(forget);
}

/** A piece of the handler has come to its next prompt or step. */
export function arrive(call: LiveCall): void {
  const [forget] = call.goingOn;
  if (!forget) return;
  forget();
  call.goingOn.delete(forget);
}
