import type { Engine } from "./engine.ts";

/** What somebody does in the given turn of the loop. */
export interface Act {
  at: number;
  act(): Promise<unknown>;
}

/**
 * Less than a heartbeat of the engine, as turns are milliseconds: what gets lost must show, and not
 * be found again because the engine looks after things from time to time.
 */
const MOST_TURNS = 4_500;

/**
 * Lets everybody act at their moments, while a millisecond passes with each turn of the loop, until
 * all that they began has ended, and `ended` too. What never ends is a failure like any other.
 */
export async function play(
  engine: Engine,
  acts: Act[],
  ended: Promise<unknown>[] = [],
  msPerTurn = 1,
): Promise<void> {
  const waiting = acts.toSorted((a, b) => b.at - a.at);
  const state = { left: acts.length + ended.length, failures: [] as unknown[] };
  const follow = (promise: Promise<unknown>) =>
    promise.then(
      () => state.left--,
      (error: unknown) => state.failures.push(error),
    );
  for (const one of ended) void follow(one);
  for (let turn = 0; state.left > 0 && state.failures.length === 0; turn++) {
    if (turn > MOST_TURNS) throw new Error(`${state.left} things that were begun do not end.`);
    while (waiting.at(-1)?.at === turn) void follow((waiting.pop() as Act).act());
    engine.clock.pass(msPerTurn);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (state.failures.length > 0) throw state.failures[0];
}
