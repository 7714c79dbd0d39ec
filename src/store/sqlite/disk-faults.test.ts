import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Store, StoreUnavailable } from "../../core/ports.ts";
import { createFakeClock } from "../../testing/index.ts";
import { grant } from "../../testing/store-contract/interaction-rows.ts";
import { session } from "../../testing/store-contract/rows.ts";
import { textEvent } from "../../testing/store-contract/subject.ts";
import { commit, insert } from "../../testing/store-contract/writes.ts";
import { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { createSqliteStore } from "./sqlite-store.ts";

const NOTHING = { lastSeq: 0, events: [], grant: null };

function unavailable(because: RegExp): StoreUnavailable[] {
  const cause = expect.objectContaining({ message: expect.stringMatching(because) });
  return Array.from({ length: 4 }, () =>
    expect.objectContaining({ name: StoreUnavailable.name, cause }),
  );
}

describe("a disk that fails", () => {
  let directory: string;
  let database: Database;
  let store: Store;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "beckon-faults-"));
    database = openDatabase(join(directory, "beckon.db"), 100);
    store = createSqliteStore(database, createFakeClock());
    await commit(store, { writes: [insert("sessions", session("s1"))] });
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  const append = async (id: string, text = id) =>
    store.commit({ sessionId: "s1", writes: [], events: [textEvent(id, text)] });

  /** What goes wrong when some commits, and a look at its health, are tried at once. */
  async function tryToWrite(): Promise<unknown[]> {
    const commits = await Promise.allSettled([
      append("small"),
      append("large", "x".repeat(100_000)),
      store.commit({
        writes: [insert("grants", grant("g1", { key: "x".repeat(100_000) }))],
        events: [],
      }),
    ]);
    const health = await Promise.allSettled([store.health()]);
    return [...commits, ...health].map((result) =>
      result.status === "rejected" ? result.reason : result.value,
    );
  }

  async function whatIsStored(): Promise<unknown> {
    const row = await store.session("s1");
    const events = await store.events({ sessionId: "s1", limit: 9 });
    return { lastSeq: row?.lastSeq, events, grant: await store.grant("g1") };
  }

  async function writeAgain(): Promise<unknown> {
    await store.health();
    return append("afterwards");
  }

  test("because it is full stores nothing, and all is well when there is room again", async () => {
    const pages = Number(database.pragma("page_count"));
    database.exec(`PRAGMA max_page_count = ${pages}`);
    expect(await tryToWrite()).toEqual(unavailable(/full/));
    expect(await whatIsStored()).toEqual(NOTHING);
    database.exec(`PRAGMA max_page_count = ${pages + 10_000}`);
    expect(await writeAgain()).toEqual({ ok: true, lastSeq: 1 });
  });

  test("because it is read-only stores nothing, and all is well when it is not", async () => {
    database.exec("PRAGMA query_only = ON");
    expect(await tryToWrite()).toEqual(unavailable(/readonly/));
    expect(await whatIsStored()).toEqual(NOTHING);
    database.exec("PRAGMA query_only = OFF");
    expect(await writeAgain()).toEqual({ ok: true, lastSeq: 1 });
  });

  test("because another process holds it stores nothing, and all is well when it lets go", async () => {
    const other = new Database(join(directory, "beckon.db"), 0);
    other.exec("BEGIN IMMEDIATE");
    expect(await tryToWrite()).toEqual(unavailable(/locked/));
    expect(await whatIsStored()).toEqual(NOTHING);
    other.close();
    expect(await writeAgain()).toEqual({ ok: true, lastSeq: 1 });
  });

  test("because another process holds it for a moment keeps writes waiting, and not the loop", async () => {
    const patient = createSqliteStore(
      openDatabase(join(directory, "beckon.db")),
      createFakeClock(),
    );
    const other = new Database(join(directory, "beckon.db"), 0);
    other.exec("BEGIN IMMEDIATE");
    const waiting = patient.commit({ sessionId: "s1", writes: [], events: [textEvent("e1")] });
    // A writer that waited inside SQLite would let no turn of the loop through before it failed.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await patient.events({ sessionId: "s1", limit: 9 })).toEqual([]);
    other.close();
    expect(await waiting).toEqual({ ok: true, lastSeq: 1 });
    await patient.close();
  });
});
