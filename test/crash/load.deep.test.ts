import { expect, test } from "vitest";
import { runLoad } from "./load.ts";

const SEED = 20_261_118;

test("under load and random kills, every promise is kept", async () => {
  const report = await runLoad({ kills: 15, answers: 300, seed: SEED, sessions: 6 });
  expect(report.violations, `seed ${SEED}, killed at ${[...report.deaths.keys()].join()}`).toEqual(
    [],
  );
  expect(report.kills).toBeGreaterThanOrEqual(15);
  expect(report.answers).toBeGreaterThanOrEqual(300);
});
