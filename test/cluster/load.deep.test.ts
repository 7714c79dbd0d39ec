import { expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { runLoad } from "./load.ts";

test("forty clients of three nodes lose nothing while nodes, database and connections fail", async () => {
  const report = await runLoad({
    ...{ seed: 41, clients: 40, ms: 120_000, everyMs: 4_000, faults: FAULTS },
  });
  expect(report.violations).toEqual([]);
  expect(report.answers).toBeGreaterThan(100);
});

test("what a killed node executed is taken over within twenty seconds", async () => {
  const report = await runLoad({
    ...{ seed: 42, clients: 20, ms: 90_000, everyMs: 10_000, faults: ["kill"] },
  });
  expect(report.violations).toEqual([]);
  expect(report.takeovers.length).toBeGreaterThan(0);
});
