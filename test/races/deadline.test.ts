import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { holds } from "./generated.ts";
import { play } from "./play.ts";
import { call, runRound, turn } from "./race.ts";
import { BEFORE_MS, type Round, round } from "./schedule.ts";
import { createTally, winnerOf } from "./winner.ts";

const ROUNDS = 10;

/** One answer each, and the deadline of all in one millisecond. */
const inOneMillisecond: fc.Arbitrary<Round> = round.map(({ schedules, ...rest }) => ({
  ...rest,
  schedules: schedules.map((one) => ({
    ...one,
    deadline: 0,
    eager: false,
    answers: [one.deadline],
    cancel: null,
  })),
}));

test("answer and deadline in the same millisecond, a thousand times: one of them wins", async () => {
  const tally = createTally(["answer", "deadline"]);
  let raced = 0;
  await holds(
    fc.asyncProperty(inOneMillisecond, fc.nat({ max: 60 }), fc.boolean(), (one, at, inTurn) =>
      runRound(
        one,
        inTurn ? turn : call,
        (log, replies) => {
          raced++;
          tally.add(winnerOf(log, replies));
        },
        async (engine, acts, ended) => {
          // It is the millisecond of the deadline from the first answer to the last; the loop comes
          // to its timers at some turn in between.
          engine.clock.oversleep(BEFORE_MS);
          const timers = { at, act: async () => engine.clock.pass(0) };
          await play(engine, [...acts, timers], ended, 0);
        },
      ),
    ),
    ROUNDS,
  );
  expect(raced).toBe(1_000);
  tally.check(raced);
}, 600_000);

test("the same seed is the same race again, event by event", async () => {
  const [one] = fc.sample(round, { seed: 20_261_116, numRuns: 1 }) as [Round];
  const record = async () => {
    const logs: ChatEvent[][] = [];
    await runRound(one, turn, (log) => void logs.push(log));
    return logs;
  };
  expect(await record()).toEqual(await record());
});
