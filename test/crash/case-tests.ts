import { afterAll, expect, test } from "vitest";
import { CrashWorld } from "./crash-world.ts";
import { type Case, runCase } from "./matrix.ts";

/** One test for each case, all on one data directory. */
export function caseTests(title: string, cases: Case[]): void {
  let world: CrashWorld | undefined;

  afterAll(() => world?.close());

  test.each(cases)(title, async (one) => {
    world ??= await CrashWorld.start();
    try {
      expect(await runCase(world, one), `${one.story}, ${one.times} × at ${one.point}`).toEqual([]);
    } catch (error) {
      // What is broken in one case must not fail the next.
      await world.close();
      world = undefined;
      throw error;
    }
  });
}
