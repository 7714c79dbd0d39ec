import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { knowsProcessor } from "../../bench/postgres/database.ts";
import type { Report } from "../../bench/print.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const PROGRAM = ["--import", "tsx", "bench/main.ts", "--store", "postgres"];

/** Every figure that the pages speak of, by the name that programs read. */
const KEYS = [
  "postgres.alone",
  "postgres.aloneOverSqlite",
  "postgres.databaseCpu",
  "postgres.growth",
  "postgres.kept",
  "postgres.log",
  "postgres.oneNode",
  "postgres.oneNodeOverSqlite",
  "postgres.serverCpu",
  "postgres.threeNodes",
  "postgres.trips",
  "postgres.twoNodes",
];

test("the bench prints what servers on a PostgreSQL take, beside what they are compared with", async () => {
  const { stdout } = await run(process.execPath, [...PROGRAM, "--tiny", "--json"], { cwd: root });
  const { command, machine, figures } = JSON.parse(stdout) as Report;
  expect(command).toBe("npm run bench -- --store postgres --tiny");
  expect(machine.postgres).toMatch(/^\d+\./);
  const measured = KEYS.filter((key) => knowsProcessor || key !== "postgres.databaseCpu");
  expect(Object.keys(figures).toSorted()).toEqual(measured);
  for (const [key, { beckon, bare, ratio, target, unit, spread }] of Object.entries(figures)) {
    for (const value of [beckon, bare, ratio, ...spread.beckon, ...spread.bare]) {
      expect(value, key).toEqual(expect.any(Number));
    }
    expect(target, key).toMatch(/≤|within the spread|none/);
    expect(unit, key).toMatch(/^(ms|asks\/s|kB|trips)$/);
  }
  // A transaction that is sent in one piece is one round trip, and an ask makes five.
  expect(figures["postgres.trips"]?.bare).toBeGreaterThanOrEqual(5);
}, 240_000);

test.each([
  [["--store", "mysql"], "--store takes one of sqlite, postgres."],
  [["--only", "page"], "With --store postgres --only takes one of ask, growth."],
  [["--against", root], "Another checkout is measured on SQLite only"],
])("%s is answered with what is wrong", async (args, sentence) => {
  const refused = run(process.execPath, [...PROGRAM, ...args], { cwd: root });
  await expect(refused).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(sentence),
  });
});

test("the page on speed quotes every figure of a run on PostgreSQL, and no other", async () => {
  const page = await readFile(`${root}/docs/speed.md`, "utf8");
  const from = page.indexOf("<!-- figures on PostgreSQL -->");
  const quoted = page.slice(from, page.indexOf("<!-- /figures on PostgreSQL -->"));
  const keys = [...quoted.matchAll(/^\| `([\w.]+)`/gm)].map(([, key = ""]) => key);
  expect(keys.toSorted()).toEqual(KEYS);
  expect(quoted).toMatch(/^\d{4}-\d\d-\d\d: `npm run bench.*`, medians of \d+ rounds/m);
});
