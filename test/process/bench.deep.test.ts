import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Report } from "../../bench/print.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const PROGRAM = ["--import", "tsx", "bench/main.ts"];

/** Every figure that the pages and the issue speak of, by the name that programs read. */
const KEYS = [
  "ask.alone",
  "ask.aloneOverPromises",
  "ask.cpu",
  "ask.cpuOverEcho",
  "ask.cpuOverPromises",
  "ask.together",
  "ask.togetherOverPromises",
  "call.alone",
  "call.cpu",
  "call.together",
  "fanout.cpu",
  "fanout.time",
  "growth.log",
  "growth.prompts",
  "memory.connection",
  "memory.heldPrompt",
  "memory.prompt",
  "overdue.drained",
  "overdue.lagLongest",
  "overdue.lagMedian",
  "overdue.lagP99",
  "page.cards",
  "page.interactive",
  "page.open",
  "page.script",
  "page.styles",
  "page.update",
  "replay.time",
  "restart.answer",
  "restart.listening",
  "start.listening",
  "start.memory",
];

/** Those that another checkout is measured in too. */
const KEYS_AGAINST = KEYS.filter(
  (key) => /^(ask|call|fanout|growth|replay|start|restart)\./.test(key) && !key.includes("Over"),
);

/** What hardly depends on how busy a machine is: no more than ten times what is aimed at. */
const BOUNDS = { "memory.connection": 220, "start.memory": 1_200, "page.script": 1_300 };

test("the bench prints every figure with its reference, its ratio and its target", async () => {
  const { stdout } = await run(process.execPath, [...PROGRAM, "--tiny", "--json"], { cwd: root });
  const { machine, command, rounds, figures } = JSON.parse(stdout) as Report;
  expect(command).toBe("npm run bench -- --tiny");
  expect(rounds).toBe(1);
  for (const name of ["date", "node", "ws", "sqlite", "os", "cpu"] as const) {
    expect(machine[name], name).toMatch(/./);
  }
  expect(machine.diskSyncMs).toBeGreaterThan(0);
  expect(Object.keys(figures).toSorted()).toEqual(KEYS);
  for (const [key, { beckon, bare, ratio, target, unit, spread }] of Object.entries(figures)) {
    for (const value of [beckon, bare, ratio, ...spread.beckon, ...spread.bare]) {
      expect(value, key).toEqual(expect.any(Number));
    }
    expect(target, key).toMatch(/[<≤]|within the spread|none/);
    expect(unit, key).toMatch(/^(ms|asks\/s|KiB|MiB|kB)$/);
  }
  for (const [key, most] of Object.entries(BOUNDS)) {
    expect(figures[key]?.beckon, key).toBeLessThan(most);
  }
}, 240_000);

test("another checkout is measured in the same rounds, and its figures stand beside ours", async () => {
  const args = [...PROGRAM, "--tiny", "--json", "--against", root];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  const { against, figures } = JSON.parse(stdout) as Report;
  const { version } = JSON.parse(await readFile(`${root}/package.json`, "utf8")) as {
    version: string;
  };
  expect(against).toMatch(new RegExp(`^${version}( \\([0-9a-f]+\\))?$`));
  const compared = Object.entries(figures).filter(([, figure]) => figure.against);
  expect(compared.map(([key]) => key).toSorted()).toEqual(KEYS_AGAINST);
  for (const [key, { against: theirs }] of compared) {
    for (const value of [theirs?.value, theirs?.ratio, ...(theirs?.spread ?? [])]) {
      expect(value, key).toBeGreaterThan(0);
    }
  }
}, 240_000);

test.each([
  [["--against", "/nowhere"], "There is no built checkout in /nowhere"],
  [["--against", root, "--only", "page"], "Beside another checkout --only takes one of ask, call"],
  [["--only", "nothing"], "--only takes one of ask, call"],
])("%s is answered with what is wrong", async (args, sentence) => {
  const refused = run(process.execPath, [...PROGRAM, ...args], { cwd: root });
  await expect(refused).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(sentence),
  });
});

test("the page on speed quotes every figure of a run, and no other", async () => {
  const page = await readFile(`${root}/docs/speed.md`, "utf8");
  const quoted = page.slice(page.indexOf("<!-- figures -->"), page.indexOf("<!-- /figures -->"));
  const keys = [...quoted.matchAll(/^\| `([\w.]+)`/gm)].map(([, key = ""]) => key);
  expect(keys.toSorted()).toEqual(KEYS);
  expect(quoted).toMatch(/^\d{4}-\d\d-\d\d: `npm run bench.*`, medians of \d+ rounds/m);
});
