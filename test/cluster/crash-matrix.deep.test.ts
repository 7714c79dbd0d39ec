import { expect, test } from "vitest";
import { CrashWorld } from "../crash/crash-world.ts";
import { casesOf, runCase } from "../crash/matrix.ts";
import { createDatabase } from "../support/postgres/database.ts";
import { keptInPostgres } from "./evidence.ts";

/*
 * On a PostgreSQL a server that was killed leaves leases behind, which have to lapse before its
 * next life takes its runs over: that is waited for, and so several cases wait side by side.
 */
test.concurrent.each(casesOf(1, "first"))(
  "killed at $point on a PostgreSQL, $story keeps every promise",
  async (one) => {
    const store = await createDatabase();
    const keptIn = (directory: string) => keptInPostgres(directory, store);
    const world = await CrashWorld.start({ keptIn });
    try {
      expect(await runCase(world, one)).toEqual([]);
    } finally {
      await world.close();
    }
  },
);
