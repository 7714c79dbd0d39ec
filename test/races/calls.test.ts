import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { test } from "vitest";
import { holds, SCHEDULES } from "./generated.ts";
import { call, runRound } from "./race.ts";
import { round, roundsOf } from "./schedule.ts";
import { createTally, must, winnerOf } from "./winner.ts";

const HALF = SCHEDULES / 2;

test(`${HALF} schedules of answer and deadline of a call outside a turn have exactly one winner each`, async () => {
  const tally = createTally(["answer", "deadline"]);
  await holds(
    fc.asyncProperty(round, (one) =>
      runRound(one, call, (log, replies, end) => {
        tally.add(winnerOf(log, replies));
        // A cancel ends the running turn only, and there is none.
        must(!replies.includes("stopped"), "A cancel stopped what is no turn.");
        const result = log.find((event) => event.type === "tool_result")?.payload;
        const { ok, result: value, error } = result ?? { ok: undefined };
        const stored = ok ? { ok, result: value } : { ok, error };
        must(isDeepStrictEqual(end, stored), `The caller was told ${JSON.stringify(end)}.`);
      }),
    ),
    roundsOf(HALF),
  );
  tally.check(HALF);
}, 600_000);
