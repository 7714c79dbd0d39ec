import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createFakeClock } from "../../src/testing/index.ts";
import { holds, SCHEDULES } from "./generated.ts";
import { rowOf, step } from "./row-steps.ts";
import { RowWorld } from "./row-world.ts";

const folder = mkdtempSync(join(tmpdir(), "beckon-rows-"));
const template = join(folder, "template.db");
const stories = Math.min(1_000, Math.ceil(SCHEDULES / 20));
let worlds = 0;

beforeAll(async () => {
  const database = openDatabase(template);
  const store = createSqliteStore(database, createFakeClock());
  for (const table of ["sessions", "runs", "tool_calls"] as const) {
    const rows = [0, 1, 4].map((which) => rowOf({ table, which, off: 0, a: which, b: which }));
    await Promise.all(rows.map((row) => store.commit({ writes: [row], events: [] })));
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  await store.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test(`in ${stories} stories of writes and failures the memory is what whoever opens the file sees`, async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });
  const entries = fc.constantFrom(6, 40, 4_000);
  const story = fc.asyncProperty(steps, entries, async (given, most) => {
    const place = join(folder, `${++worlds}`);
    const world = new RowWorld(place, template, most);
    try {
      for (const one of given) if (!(await world.take(one))) break;
    } finally {
      await world.close();
      rmSync(place, { recursive: true });
    }
  });
  await holds(story, stories, (values) => JSON.stringify(values));
});
