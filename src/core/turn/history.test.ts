import { expect, test } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import type { LogQuery } from "../ports.ts";
import { ReadingTurns } from "../live/reading-turns.ts";
import type { LogPorts } from "../live/read-log.ts";
import { toldSince } from "./history.ts";

test("what was told is read in pieces of bounded size, in turns with other readers", async () => {
  const [asked, turns]: [LogQuery[], number[]] = [[], []];
  const clock = createFakeClock();
  let turn = 0;
  const reading = new ReadingTurns({
    async turn() {
      await clock.turn();
      turn++;
    },
  });
  const store = {
    async eventTexts(query: LogQuery) {
      asked.push(query);
      turns.push(turn);
      const seq = Math.min((query.before ?? 0) - 1, 5);
      const event = { seq, type: "text", payload: { text: `said ${seq}` } };
      return seq < 1 ? [] : [{ seq, json: JSON.stringify(event), bytes: 10_000_000 }];
    },
  };
  const told = await toldSince({ store, reading } as unknown as LogPorts, "s1");
  expect(told.texts).toEqual(["said 5", "said 4", "said 3", "said 2", "said 1"]);
  for (const { maxBytes } of asked) expect(maxBytes).toBeLessThanOrEqual(128 * 1024);
  expect(new Set(turns).size).toBe(asked.length);
});
