import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MAY_LACK } from "../../../../test/support/depth.ts";
import type { Store } from "../../../core/ports.ts";
import { createFakeClock } from "../../../testing/index.ts";
import { session } from "../../../testing/store-contract/rows.ts";
import { textEvent } from "../../../testing/store-contract/subject.ts";
import { commit, insert } from "../../../testing/store-contract/writes.ts";
import { Database } from "../database.ts";
import { first } from "../migrations/001-first.ts";
import { openDatabase } from "../open-database.ts";
import { createSqliteStore, openSqliteStore } from "../sqlite-store.ts";
import { openHeadKeeper } from "./head-keeper.ts";
import { verifyAudit } from "./verify-audit.ts";

const clock = createFakeClock();
let directory: string;
let path: string;
let file: string;
let logged: string[];
let store: Store;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "beckon-heads-"));
  path = join(directory, "beckon.db");
  file = join(directory, "audit-heads");
  logged = [];
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

function open(exclusive = true): Store {
  const note = (_details: unknown, message: string) => void logged.push(message);
  store = openSqliteStore({ path, clock, exclusive, log: { info: note, warn: note, error: note } });
  return store;
}

async function reopen(exclusive = true): Promise<Store> {
  await store.close();
  return open(exclusive);
}

/** What the directory would hold had the process died now, without its head file, and goes on there. */
async function kill(): Promise<void> {
  const killed = join(directory, "killed");
  mkdirSync(killed);
  const database = new Database(path, 1_000);
  database.exec(`VACUUM INTO '${join(killed, "beckon.db")}'`);
  database.close();
  await store.close();
  path = join(killed, "beckon.db");
  file = join(killed, "audit-heads");
}

let ids = 0;
const append = (sessionId: string, count = 1) =>
  commit(store, {
    sessionId,
    events: Array.from({ length: count }, () => textEvent(`e${++ids}`)),
  });
const addSessions = (...names: string[]) =>
  commit(store, { writes: names.map((name) => insert("sessions", session(name))) });

const lines = () => readFileSync(file, "utf8").split("\n").slice(0, -1);
const heads = () => lines().map((line) => line.replace(/ [0-9a-f]{64}$/, ""));
function problems(): string[] {
  const found: string[] = [];
  verifyAudit({ path }, ({ problem }) => found.push(problem));
  return found;
}

function tamper(sql: string): void {
  const database = new Database(path, 1_000);
  expect(database.run(sql)).toBeGreaterThan(0);
  database.close();
}

/** Puts a disk without room under the open head file. */
function fillDisk(): void {
  const target = readdirSync("/proc/self/fd").find((name) => leadsTo(name) === file);
  closeSync(Number(target));
  const spare: number[] = [];
  for (;;) {
    const descriptor = openSync("/dev/full", "w");
    if (descriptor === Number(target)) break;
    spare.push(descriptor);
  }
  for (const descriptor of spare) closeSync(descriptor);
}

function leadsTo(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

describe("the head file", () => {
  test("is its owner's alone, and gets one line a session with each transaction", async () => {
    open();
    await addSessions("a", "b");
    expect(lines()).toEqual([]);
    await Promise.all([append("a", 2), append("b"), append("a")]);
    expect(heads()).toEqual(["a 3", "b 1"]);
    await append("a");
    expect(heads()).toEqual(["a 3", "b 1", "a 4"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(problems()).toEqual([]);
  });

  test.each([
    ["emptied", () => ""],
    ["cut", (text: string) => text.slice(0, text.indexOf("\n") + 1)],
  ])("that was %s is noticed, and noted for whoever verifies", async (_how, cut) => {
    open();
    await addSessions("a", "b");
    await append("a", 2);
    await append("b");
    await reopen();
    await store.close();
    writeFileSync(file, cut(readFileSync(file, "utf8")));
    open();
    expect(logged).toEqual([
      expect.stringMatching(/^the head file .* was missing, emptied or cut/),
    ]);
    expect(problems()).toEqual(["head_file_missing"]);
    await reopen();
    expect(logged).toHaveLength(1);
    expect(problems()).toEqual(["head_file_missing"]);
  });

  test.each([
    ["emptied", () => ""],
    ["cut", (text: string) => text.slice(0, text.indexOf("\n") + 1)],
  ])("that was %s after the first run on the directory is noticed too", async (_how, cut) => {
    open();
    await addSessions("a", "b");
    await append("a");
    await append("b");
    await store.close();
    writeFileSync(file, cut(readFileSync(file, "utf8")));
    open();
    expect(logged).toEqual([
      expect.stringMatching(/^the head file .* was missing, emptied or cut/),
    ]);
    expect(problems()).toEqual(["head_file_missing"]);
  });

  test("that was emptied after a kill in the first run is noticed too", async () => {
    open();
    await addSessions("a");
    await append("a");
    await kill();
    writeFileSync(file, "");
    open();
    expect(problems()).toEqual(["head_file_missing"]);
  });

  test("that knows more than the database says that events were lost, and what to do", async () => {
    open();
    await addSessions("a", "b");
    await append("a", 2);
    const older = join(directory, "older", "beckon.db");
    mkdirSync(join(directory, "older"));
    const database = new Database(path, 1_000);
    database.exec(`VACUUM INTO '${older}'`);
    database.close();
    await append("a");
    await append("b");
    await store.close();
    writeFileSync(join(directory, "older", "audit-heads"), readFileSync(file));
    path = older;
    open();
    expect(logged).toContainEqual(expect.stringMatching(/^the database has lost events .*restore/));
    expect(problems()).toEqual(expect.arrayContaining(["last_rows_missing"]));
  });

  test("holds one line a session after it was opened again", async () => {
    open();
    await addSessions("a", "b");
    for (const id of ["a", "b", "a", "a"]) await append(id);
    await reopen();
    expect(heads()).toEqual(["a 3", "b 1"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("says nothing of what was rolled back", async () => {
    const database = openDatabase(path);
    const keeper = openHeadKeeper({ database, path, clock, log: undefined });
    store = createSqliteStore(database, clock, { heads: keeper });
    await addSessions("a", "b");
    await append("a");
    const pages = Number(database.pragma("page_count"));
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const large = { sessionId: "b", events: [textEvent("large", "x".repeat(100_000))] };
    const results = await Promise.allSettled([append("a"), commit(store, large)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    database.exec(`PRAGMA max_page_count = ${pages + 10_000}`);
    await append("b");
    expect(heads()).toEqual(["a 1", "b 1"]);
    expect(problems()).toEqual([]);
  });

  test("catches up with what was committed and not yet written when the process died", async () => {
    open();
    await addSessions("a", "b");
    await append("a");
    const before = readFileSync(file);
    await append("a", 2);
    await append("b");
    await kill();
    writeFileSync(file, `${before.toString()}a 3 0123abc`);
    const summary = verifyAudit({ path }, (problem) => expect.fail(problem.message));
    expect(summary).toEqual({ sessions: 2, events: 4, unwitnessed: 3, problems: 0 });
    open();
    expect(heads()).toEqual(["a 3", "b 1"]);
    expect(logged).toEqual([]);
  });

  test("keeps a note of the head of a log that was cut, however much is appended to it", async () => {
    open();
    await addSessions("a");
    await append("a", 3);
    await store.close();
    const at = new Date(clock.now()).toISOString();
    const note = `# lost ${lines().at(-1)} after 1 of log-of-a at ${at}`;
    tamper("DELETE FROM events WHERE seq > 1");
    tamper("UPDATE sessions SET last_seq = 1, last_hash = (SELECT hash FROM events)");
    open();
    expect(logged).toEqual([expect.stringContaining("has lost events")]);
    await append("a");
    await append("a", 5);
    expect(heads()).toEqual([note, "a 1", "a 2", "a 7"]);
    expect(problems()).toEqual(["last_rows_missing"]);
    await reopen();
    expect(heads()).toEqual([note, "a 7"]);
    expect(problems()).toEqual(["last_rows_missing"]);
  });

  test("keeps the head of a log that is changed under a running server", async () => {
    open();
    await addSessions("a");
    await append("a", 3);
    const witnessed = lines();
    tamper("DELETE FROM events WHERE seq = 3");
    tamper("UPDATE sessions SET last_seq = 2, last_hash = (SELECT hash FROM events WHERE seq = 2)");
    await append("a", 2);
    await append("a");
    expect(lines()).toEqual(witnessed);
    expect(logged).toHaveLength(1);
    expect(problems()).toEqual(["head_differs"]);
  });

  test("goes on when somebody else appended to the same log, rightly", async () => {
    open();
    await addSessions("a");
    await append("a");
    const guest = openSqliteStore({ path, clock });
    await commit(guest, { sessionId: "a", events: [textEvent("guest")] });
    await guest.close();
    expect(heads()).toEqual(["a 1"]);
    await append("a");
    expect(heads()).toEqual(["a 1", "a 3"]);
    expect([logged, problems()]).toEqual([[], []]);
  });

  test("that cannot be written takes no commit with it, is reported once, and catches up", async () => {
    mkdirSync(`${file}.new`);
    open();
    await addSessions("a");
    await append("a");
    clock.jump(1_000);
    await append("a");
    expect(await store.events({ sessionId: "a", limit: 9 })).toHaveLength(2);
    expect(logged).toEqual(["the heads of the audit cannot be written"]);
    rmSync(`${file}.new`, { recursive: true });
    clock.jump(1_000);
    await append("a");
    expect(heads()).toEqual(["a 3"]);
    expect(logged).toEqual([expect.any(String), "the heads of the audit are written again"]);
    await append("a");
    expect(heads()).toEqual(["a 3", "a 4"]);
    expect(problems()).toEqual([]);
  });

  test.skipIf(!existsSync("/dev/full") && MAY_LACK)(
    "on a disk that is full loses no line: all are written when there is room again",
    async () => {
      open();
      await addSessions("a", "b");
      await append("a");
      fillDisk();
      await Promise.all([append("a"), append("b")]);
      await append("a");
      expect(heads()).toEqual(["a 1"]);
      expect(logged).toEqual(["the heads of the audit cannot be written"]);
      clock.jump(1_000);
      await append("a");
      expect(heads()).toEqual(["a 4", "b 1"]);
      expect(logged).toEqual([expect.any(String), "the heads of the audit are written again"]);
      expect(problems()).toEqual([]);
    },
  );

  test("is written anew when it has grown long", async () => {
    open();
    const many = Array.from({ length: 500 }, (_, at) => `s${at}`);
    await addSessions("quiet", ...many);
    await append("quiet");
    for (let round = 0; round < 22; round++) await Promise.all(many.map((id) => append(id)));
    expect(lines().length).toBeLessThan(10_000);
    expect(heads()).toEqual(expect.arrayContaining(["quiet 1", "s0 22", "s499 22"]));
    expect(problems()).toEqual([]);
  });

  test("is left alone by a store that shares the directory", async () => {
    open();
    await addSessions("a");
    await append("a");
    const before = lines();
    await reopen(false);
    await append("a");
    expect(lines()).toEqual(before);
  });

  test("that cannot be read keeps the server from starting, with a sentence", async () => {
    open();
    await addSessions("a");
    await append("a");
    await store.close();
    rmSync(file);
    mkdirSync(file);
    expect(() => open()).toThrow(`The audit's heads in ${file} cannot be read`);
  });

  test("is begun for a database from before the audit, whose rows are chained as they are", async () => {
    const old = new Database(path, 0);
    old.exec(`${first}; PRAGMA user_version = 1; BEGIN`);
    for (let seq = 1; seq <= 1_001; seq++) {
      old.run(
        "INSERT INTO events (session_id, seq, id, v, type, at, payload) VALUES ('a', ?, ?, 1, 'text', 5, ?)",
        seq,
        `old${seq}`,
        JSON.stringify({ text: `${seq} 🙂` }),
      );
    }
    old.exec(`INSERT INTO sessions (id, log_id, agent, owner_id, settings, last_seq, created_at,
      updated_at, version) VALUES ('a', 'l', 'demo', 'p1', '{}', 1001, 1, 1, 1);
      COMMIT`);
    old.close();
    open();
    await append("a");
    expect(heads()).toEqual(["a 1001", "a 1002"]);
    expect(problems()).toEqual([]);
  });
});
