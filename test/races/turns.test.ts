import * as fc from "fast-check";
import { test } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { holds, SCHEDULES } from "./generated.ts";
import { runRound, turn } from "./race.ts";
import { round, roundsOf } from "./schedule.ts";
import { createTally, must, winnerOf } from "./winner.ts";

const HALF = SCHEDULES / 2;

test(`${HALF} schedules of answer, deadline and cancel in a turn have exactly one winner each`, async () => {
  const tally = createTally(["answer", "deadline", "cancel"]);
  await holds(
    fc.asyncProperty(round, (one) =>
      runRound(one, turn, (log, replies) => {
        tally.add(winnerOf(log, replies));
        checkTurn(log, replies);
      }),
    ),
    roundsOf(HALF),
  );
  tally.check(HALF);
}, 600_000);

/** A turn is cancelled if a cancel was told that it stopped it, and only then. */
function checkTurn(log: ChatEvent[], replies: string[]): void {
  const last = log.at(-1);
  const end = last?.type === "turn_end" ? last.payload.status : "missing";
  const wanted = replies.includes("stopped") ? "cancelled" : "completed";
  must(end === wanted, `The end of the turn is "${end}", not "${wanted}".`);
  const result = log.find((event) => event.type === "tool_result")?.payload;
  must(result?.error?.code !== "tool_cancelled" || end === "cancelled", "Nobody cancelled.");
}
