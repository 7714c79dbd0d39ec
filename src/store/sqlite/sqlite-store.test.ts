import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createFakeClock, storeContract } from "../../testing/index.ts";
import { insert, write } from "../../testing/store-contract/writes.ts";
import { run, session } from "../../testing/store-contract/rows.ts";
import { verifyAudit } from "./audit/verify-audit.ts";
import { Database } from "./database.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const directory = mkdtempSync(join(tmpdir(), "beckon-store-"));
let files = 0;
const newFile = () => join(directory, `${++files}.db`);
afterAll(() => {
  rmSync(directory, { recursive: true });
});

storeContract("sqlite in memory", async () => {
  const clock = createFakeClock();
  return { store: openSqliteStore({ path: ":memory:", clock }), clock };
});

storeContract("sqlite in a file", async () => {
  const clock = createFakeClock();
  const path = newFile();
  const store = openSqliteStore({ path, clock });
  const reopen = async () => {
    await store.close();
    return openSqliteStore({ path, clock });
  };
  const verify = () => {
    const problems: string[] = [];
    const { events } = verifyAudit({ path }, ({ message }) => problems.push(message));
    return { events, problems };
  };
  return { store, clock, reopen, verify };
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
    const by = { owner: "node-2", host: "here", leaseMs: 1_000, limit: 9 };

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
