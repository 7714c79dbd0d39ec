import { cpSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../../core/ports.ts";
import { createFakeClock } from "../../../testing/index.ts";
import { session } from "../../../testing/store-contract/rows.ts";
import { textEvent } from "../../../testing/store-contract/subject.ts";
import { commit, insert } from "../../../testing/store-contract/writes.ts";
import { Database } from "../database.ts";
import { chainSession } from "../migrations/002-audit.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { openSqliteStore } from "../sqlite-store.ts";
import { verifyAudit } from "./verify-audit.ts";

const clock = createFakeClock();
const LOST = /^the database has lost events/;
let directory: string;
let data: string;
let copies: number;
let logged: string[];
let store: Store;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "beckon-lost-"));
  data = directory;
  copies = 0;
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const inData = (name: string) => join(data, name);

function open(): void {
  logged = [];
  const note = (_details: unknown, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note };
  store = openSqliteStore({ path: inData("beckon.db"), clock, exclusive: true, log });
}

async function reopen(): Promise<void> {
  await store.close();
  open();
}

/** Moves all that is in the WAL into the database. */
function checkpoint(): void {
  const database = new Database(inData("beckon.db"), 1_000);
  expect(database.pragma("wal_checkpoint(TRUNCATE)")).toBe(0);
  database.close();
}

/** A copy of the data as it is now, elsewhere, in which files may come and go. */
function leave(): string {
  const left = join(directory, `left-${++copies}`);
  for (const name of ["beckon.db", "beckon.db-wal", "beckon.db-shm", "audit-heads"]) {
    cpSync(inData(name), join(left, name));
  }
  return left;
}

/** Leaves the data as `kill -9` does at this moment: nothing of the WAL is in the database yet. */
async function kill(): Promise<void> {
  const left = leave();
  await store.close();
  data = left;
}

let ids = 0;
const append = (sessionId: string, count = 1) =>
  commit(store, { sessionId, events: Array.from({ length: count }, () => textEvent(`l${++ids}`)) });
const addSessions = (...names: string[]) =>
  commit(store, { writes: names.map((name) => insert("sessions", session(name))) });
const logId = async (id: string) => (await store.session(id))?.logId;
const lastSeq = async (id: string) => (await store.session(id))?.lastSeq;

function verify() {
  const problems: object[] = [];
  const { events } = verifyAudit({ path: inData("beckon.db") }, (one) => problems.push(one));
  return { problems, events };
}

/** Sessions "cut" with 3 events and "whole" with 2 in the database, 10 more of "cut" in the WAL. */
async function killedWithEventsInTheWal(): Promise<void> {
  open();
  await addSessions("cut", "whole");
  await append("cut", 3);
  await append("whole", 2);
  checkpoint();
  for (let event = 0; event < 10; event++) await append("cut");
  await kill();
}

const deleteWal = () => rmSync(inData("beckon.db-wal"));
const cutWal = () =>
  truncateSync(inData("beckon.db-wal"), statSync(inData("beckon.db-wal")).size / 2);

describe("events that a database has lost", () => {
  test.each([
    ["deleted", deleteWal],
    ["cut in half", cutWal],
  ])("with a WAL that was %s are told of once, and give their log another id", async (_, lose) => {
    await killedWithEventsInTheWal();
    lose();
    open();
    const last = Number(await lastSeq("cut"));
    expect(last).toBeGreaterThanOrEqual(3);
    expect(last).toBeLessThan(13);
    expect(logged).toEqual([expect.stringMatching(LOST)]);
    const renewed = await logId("cut");
    expect(renewed).not.toBe("log-of-cut");
    expect(await logId("whole")).toBe("log-of-whole");

    await append("cut", 20);
    await append("whole");
    const message = `Rows ${last + 1} to 13 were missing when the server started at ${new Date(clock.now()).toISOString()}.`;
    const problems = [{ problem: "last_rows_missing", sessionId: "cut", seq: last + 1, message }];
    expect(verify()).toEqual({ problems, events: last + 20 + 3 });
    await reopen();
    expect(logged).toEqual([]);
    expect([await logId("cut"), await logId("whole")]).toEqual([renewed, "log-of-whole"]);
    expect(verify()).toEqual({ problems, events: last + 20 + 3 });
  });

  test("that were all of a session, or the session itself, are told of once", async () => {
    open();
    await addSessions("empty");
    checkpoint();
    await addSessions("gone");
    await append("empty", 2);
    await append("gone");
    await kill();
    deleteWal();
    open();
    expect(logged).toEqual([expect.stringMatching(LOST)]);
    const renewed = await logId("empty");
    expect(renewed).not.toBe("log-of-empty");
    await append("empty");
    const problems = [
      { problem: "last_rows_missing", sessionId: "empty", seq: 1 },
      { problem: "session_missing", sessionId: "gone" },
    ];
    expect(verify()).toMatchObject({ problems, events: 1 });
    await reopen();
    expect(logged).toEqual([]);
    expect(await logId("empty")).toBe(renewed);
    expect(verify()).toMatchObject({ problems, events: 1 });
  });

  test("are no loss any more when the WAL is put back, and the log has its old id", async () => {
    await killedWithEventsInTheWal();
    const aside = leave();
    deleteWal();
    open();
    expect(logged).toEqual([expect.stringMatching(LOST)]);
    await store.close();
    cpSync(inData("audit-heads"), join(aside, "audit-heads"));
    data = aside;
    open();
    expect(logged).toEqual([]);
    expect(await logId("cut")).toBe("log-of-cut");
    expect(verify()).toEqual({ problems: [], events: 15 });
  });

  test("and lost again leave no id in use that a client may know", async () => {
    await killedWithEventsInTheWal();
    deleteWal();
    open();
    const second = await logId("cut");
    await kill();
    // The new id was in the WAL.
    deleteWal();
    open();
    const third = await logId("cut");
    expect(new Set(["log-of-cut", second, third]).size).toBe(3);
    expect(logged).toEqual([expect.stringMatching(LOST)]);
    await reopen();
    expect(logged).toEqual([]);
    await append("cut", 2);
    await kill();
    deleteWal();
    open();
    expect([await lastSeq("cut"), logged.length]).toEqual([3, 1]);
    expect([second, third]).not.toContain(await logId("cut"));
    expect(verify()).toMatchObject({ events: 5, problems: [{ seq: 4 }, { seq: 4 }] });
  });

  test("and whose numbers were used again since give their log another id too", async () => {
    await killedWithEventsInTheWal();
    deleteWal();
    // A store that keeps no heads: so did servers of before go on.
    store = openSqliteStore({ path: inData("beckon.db"), clock });
    await append("cut", 12);
    await store.close();
    open();
    expect(logged).toEqual([expect.stringMatching(LOST)]);
    const renewed = await logId("cut");
    expect(renewed).not.toBe("log-of-cut");
    await append("cut");
    const problems = [{ problem: "head_differs", sessionId: "cut", seq: 13 }];
    expect(verify()).toMatchObject({ problems, events: 18 });
    await reopen();
    expect([logged, await logId("cut")]).toEqual([[], renewed]);
  });

  test("are found in data of before, which opens and verifies as it is", async () => {
    const old = new Database(inData("beckon.db"), 0);
    for (const step of MIGRATIONS.slice(0, 7)) {
      if (typeof step === "string") old.exec(step);
      else step(old);
    }
    old.exec(`PRAGMA user_version = 7;
      INSERT INTO events (session_id, seq, id, v, type, at, payload)
        VALUES ('a', 1, 'old', 1, 'text', 5, '{"text":"old"}');
      INSERT INTO sessions (id, log_id, agent, owner_id, settings, last_seq, created_at,
        updated_at, version) VALUES ('a', 'l', 'demo', 'p1', '{}', 1, 1, 1, 1)`);
    chainSession(old, "a", "l");
    old.close();
    expect(verify()).toEqual({ problems: [], events: 1 });
    open();
    expect(await logId("a")).toBe("l");
    await append("a");
    await kill();
    const aside = leave();
    expect(verify()).toEqual({ problems: [], events: 2 });
    // The migration is in the WAL, too.
    data = aside;
    deleteWal();
    open();
    expect([await lastSeq("a"), logged]).toEqual([1, [expect.stringMatching(LOST)]]);
    expect(await logId("a")).not.toBe("l");
    await append("a");
    expect(verify()).toMatchObject({ problems: [{ seq: 2 }], events: 2 });
  });
});
