import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { byDepth } from "../../../test/support/depth.ts";
import { StoreUnavailable } from "../../core/ports.ts";
import { createFakeClock, storeContract } from "../../testing/index.ts";
import { interaction } from "../../testing/store-contract/interaction-rows.ts";
import { textEvent } from "../../testing/store-contract/subject.ts";
import { insert, update, write } from "../../testing/store-contract/writes.ts";
import { call, journalEntry, run, session } from "../../testing/store-contract/rows.ts";
import { verifyAudit } from "./audit/verify-audit.ts";
import { Database } from "./database.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const directory = mkdtempSync(join(tmpdir(), "beckon-store-"));
let files = 0;
/** In a folder of its own, where the heads of its audit are beside it. */
const newFile = () => {
  const folder = join(directory, `${++files}`);
  mkdirSync(folder);
  return join(folder, "beckon.db");
};
afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** Most runs do with the files that servers open; `npm run check` with one that a server has to itself. */
const SHARED_TOO = byDepth({ quick: [true], usual: [true, false], deep: [true, false] });

if (byDepth({ quick: false, usual: false, deep: true })) {
  storeContract("sqlite in memory", async () => {
    const clock = createFakeClock();
    return { store: openSqliteStore({ path: ":memory:", clock }), clock };
  });
}

for (const exclusive of SHARED_TOO) {
  const name = exclusive ? "sqlite in a file of its own" : "sqlite in a file";
  storeContract(name, async () => {
    const clock = createFakeClock();
    const path = newFile();
    const store = openSqliteStore({ path, clock, exclusive });
    const reopen = async () => {
      await store.close();
      // Its only user would void the leases.
      return openSqliteStore({ path, clock });
    };
    const verify = () => {
      const problems: string[] = [];
      const { events } = verifyAudit({ path }, ({ message }) => problems.push(message));
      return { events, problems };
    };
    return { store, clock, reopen, verify };
  });
}

describe("the memory of a store that has its file to itself", () => {
  const opened = () => {
    const path = newFile();
    const clock = createFakeClock();
    const store = openSqliteStore({ path, clock, exclusive: true });
    const other = () => new Database(path, 1_000);
    return { store, other, path };
  };

  test("a row that somebody else inserted meanwhile is a conflict, and disturbs nobody", async () => {
    const { store, other } = opened();
    await write(store, insert("sessions", session("s1")));
    const guest = other();
    guest.run("INSERT INTO journal VALUES ('s1', 'taken', 'value', 'done', NULL, NULL, 1)");
    guest.close();
    const entry = (key: string) => insert("journal", journalEntry(key, { scopeId: "s1" }));
    const results = await Promise.all([
      store.commit({ writes: [entry("free")], events: [] }),
      store.commit({ writes: [entry("taken")], events: [] }),
    ]);
    expect(results).toMatchObject([{ ok: true }, { ok: false, reason: "conflict" }]);
    expect(await store.journalEntry("s1", "free")).not.toBeNull();
    await store.close();
  });

  test("nothing that went on from what turns out otherwise is stored", async () => {
    const { store, other } = opened();
    await write(store, insert("sessions", session("s1")));
    const guest = other();
    guest.run("INSERT INTO journal VALUES ('s1', 'taken', 'value', 'done', NULL, NULL, 1)");
    const entry = (key: string) => insert("journal", journalEntry(key, { scopeId: "s1" }));
    const told: unknown[] = [];
    let followed: Promise<unknown> = Promise.resolve();
    const first = store.commit({
      writes: [entry("taken")],
      events: [],
      decided(result) {
        told.push(result.ok);
        followed = store.commit({ writes: [entry("follows")], events: [] });
        followed.catch(() => {});
      },
    });
    await expect(first).rejects.toThrow(StoreUnavailable);
    await expect(followed).rejects.toThrow(StoreUnavailable);
    expect(told).toEqual([true]);
    expect(guest.all("SELECT key FROM journal")).toEqual([{ key: "taken" }]);
    guest.close();
    await store.close();
  });

  test("nothing of a commit that fails halfway is stored", async () => {
    const { store, other, path } = opened();
    await write(store, insert("sessions", session("s1")));
    await store.close();
    const guest = other();
    guest.run("UPDATE sessions SET settings = 'not JSON'");
    const again = openSqliteStore({ path, clock: createFakeClock(), exclusive: true });
    const entry = (key: string) => insert("journal", journalEntry(key, { scopeId: "s1" }));
    const results = await Promise.allSettled([
      again.commit({ sessionId: "s1", writes: [entry("half")], events: [] }),
      again.commit({ writes: [entry("whole")], events: [] }),
    ]);
    expect(results).toMatchObject([{ status: "rejected" }, { value: { ok: true } }]);
    expect(await again.journalEntry("s1", "half")).toBeNull();
    expect(guest.all("SELECT key FROM journal")).toEqual([{ key: "whole" }]);
    guest.close();
    await again.close();
  });

  test("what was told to be refused is not stored after all", async () => {
    const { store, other } = opened();
    await write(store, insert("sessions", session("s1")));
    const guest = other();
    guest.run("INSERT INTO journal VALUES ('s1', 'taken', 'value', 'done', NULL, NULL, 1)");
    const told: unknown[] = [];
    const title = (text: string) => update("sessions", "s1", 1, { title: text });
    const results = await Promise.allSettled([
      store.commit({
        writes: [insert("journal", journalEntry("taken", { scopeId: "s1" })), title("first")],
        events: [],
      }),
      store.commit({
        writes: [title("second")],
        events: [],
        decided: ({ ok }) => void told.push(ok),
      }),
    ]);
    expect(told).toEqual([false]);
    expect(results).toMatchObject([
      { value: { ok: false, reason: "conflict" } },
      { reason: { name: StoreUnavailable.name } },
    ]);
    expect(guest.get("SELECT title FROM sessions")).toEqual({ title: "" });
    guest.close();
    await store.close();
  });

  test("a commit that is told to be stored, and that the database cannot hold, fails as unavailable", async () => {
    const { store } = opened();
    await write(store, insert("sessions", session("s1")));
    const told: unknown[] = [];
    const nowhere = store.commit({
      writes: [insert("runs", run("r1", { sessionId: "nowhere" }))],
      events: [],
      decided: ({ ok }) => void told.push(ok),
    });
    await expect(nowhere).rejects.toThrow(StoreUnavailable);
    expect(told).toEqual([true]);
    await store.close();
  });

  test("an orphan is found among hundreds that a server before left, also while some of them end", async () => {
    const path = newFile();
    const clock = createFakeClock();
    const before = openSqliteStore({ path, clock, exclusive: true });
    const orphan = (id: string, toolName: string) =>
      insert("interactions", interaction(id, { link: "orphaned", toolName }));
    await write(before, insert("sessions", session("s1")), insert("tool_calls", call("c1")));
    await write(before, ...Array.from({ length: 150 }, (_, index) => orphan(`i${index}`, "ask")));
    await write(before, orphan("wanted", "deploy"));
    await before.close();

    const store = openSqliteStore({ path, clock, exclusive: true });
    const asked = { tool: "deploy", inputDigest: "digest", requestDigest: "digest" };
    const find = async () => store.orphans({ sessionId: "s1", ...asked });
    let early: Promise<unknown> | undefined;
    await store.commit({
      writes: [update("interactions", "i0", 1, { status: "cancelled" })],
      events: [],
      decided: () => void (early = find()),
    });
    expect(await early).toMatchObject([{ id: "wanted" }]);
    expect(await find()).toMatchObject([{ id: "wanted" }]);
    await write(store, orphan("another", "deploy"));
    expect(await find()).toMatchObject([{ id: "wanted" }, { id: "another" }]);
    await store.close();
  });

  test("a row that changes several times before it is on disk is written once", async () => {
    const { store, other } = opened();
    await write(store, insert("sessions", session("s1")));
    const commits = [1, 2, 3].map((version) =>
      store.commit({
        sessionId: "s1",
        writes: [update("sessions", "s1", version, { title: `title ${version}` })],
        events: [textEvent(`e${version}`)],
      }),
    );
    expect(await Promise.all(commits)).toMatchObject([
      { lastSeq: 1 },
      { lastSeq: 2 },
      { lastSeq: 3 },
    ]);
    const guest = other();
    expect(guest.get("SELECT title, version, last_seq FROM sessions")).toEqual({
      title: "title 3",
      version: 4,
      last_seq: 3,
    });
    guest.close();
    await store.close();
  });

  test("what is used no more is forgotten, and is the same when it is read again", async () => {
    const { store } = opened();
    await write(store, insert("sessions", session("s1")));
    const ids = Array.from({ length: 9_000 }, (_, index) => `r${index}`);
    for (let from = 0; from < ids.length; from += 500) {
      const rows = ids.slice(from, from + 500).map((id) => insert("runs", run(id)));
      await write(store, ...rows);
    }
    expect(await store.run("r0")).toEqual(run("r0"));
    expect(await store.activeRuns("s1")).toHaveLength(ids.length);
    await write(store, update("runs", "r1", 1, { status: "ended" }));
    expect(await store.activeRuns("s1")).toHaveLength(ids.length - 1);
    expect(await store.summary("s1")).toMatchObject({ activeRuns: ids.length - 1 });
    await store.close();
  });

  test("rows that are too large for it are read each time", async () => {
    const { store } = opened();
    const runtimeState = { text: "x".repeat(100_000) };
    await write(store, insert("sessions", session("s1", { runtimeState })));
    await write(store, update("sessions", "s1", 1, { title: "after" }));
    expect(await store.session("s1")).toEqual(
      session("s1", { runtimeState, title: "after", version: 2 }),
    );
    await store.close();
  });
});

describe("a database file", () => {
  test("is written through to the disk before a commit resolves", () => {
    const database = openDatabase(newFile());
    expect(database.pragma("journal_mode")).toBe("wal");
    expect(database.pragma("synchronous")).toBe(2);
    expect(database.pragma("foreign_keys")).toBe(1);
    database.close();
  });

  test("can be read by its owner alone", () => {
    const path = newFile();
    const database = openDatabase(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    database.close();
  });

  test("of a newer version is refused with a sentence, and left alone", () => {
    const path = newFile();
    const newer = new Database(path, 0);
    newer.exec("CREATE TABLE of_the_future (id TEXT); PRAGMA user_version = 999");
    newer.close();
    const open = () => openSqliteStore({ path, clock: createFakeClock() });
    expect(open).toThrow(/written by a newer Beckon \(its schema is version 999/);
    const after = new Database(path, 0);
    expect(after.pragma("user_version")).toBe(999);
    after.close();
  });

  test("is migrated once", async () => {
    const path = newFile();
    const clock = createFakeClock();
    for (const _time of [1, 2, 3]) await openSqliteStore({ path, clock }).close();
    const database = openDatabase(path);
    expect(database.pragma("user_version")).toBe(MIGRATIONS.length);
    database.close();
  });

  test("opened by its only user has no leases left", async () => {
    const path = newFile();
    const clock = createFakeClock();
    const before = openSqliteStore({ path, clock });
    const leaseUntil = clock.now() + 60_000;
    await write(
      before,
      insert("sessions", session("s1")),
      insert("runs", run("live", { leaseUntil })),
      insert("runs", run("at work", { leaseUntil, status: "suspended" })),
      insert("runs", run("asleep", { leaseUntil: null, status: "suspended" })),
    );
    await before.close();
    const by = { owner: "node-2", leaseMs: 1_000, limit: 9 };

    const patient = openSqliteStore({ path, clock });
    expect(await patient.claim(by)).toEqual([]);
    await patient.close();

    const exclusive = openSqliteStore({ path, clock, exclusive: true });
    expect(await exclusive.claim(by)).toMatchObject([
      { id: "live", epoch: 2 },
      { id: "at work", epoch: 2 },
    ]);
    await exclusive.close();
  });
});
