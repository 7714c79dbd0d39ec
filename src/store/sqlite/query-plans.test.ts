import { describe, expect, test } from "vitest";
import { createFakeClock } from "../../testing/index.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { createSqliteStore } from "./sqlite-store.ts";

/** Walks over an index whose size is what is asked for, or what is open: never the history. */
const ALLOWED_WALKS = [
  /^SCAN (tokens|principals) USING INDEX (tokens_by_age|people)$/,
  /^SCAN interactions USING (COVERING )?INDEX interactions_(open|open_of_session|due)$/,
  /^SCAN runs USING (COVERING )?INDEX runs_queued$/,
  /^SCAN grants USING INDEX grants_usable$/,
  // Few rows: the processes that share the database, and who is there with them.
  /^SCAN (nodes|presence)$/,
  /^SCAN json_each VIRTUAL TABLE/,
];

const ABILITY = { host: "h", agents: ["demo"], tools: [], patienceMs: 1 };

async function useEveryRead(database: Database): Promise<void> {
  const store = createSqliteStore(database, createFakeClock());
  const readableBy = { ownerId: "p1", sessionId: "s1" };
  await Promise.all([
    store.claim({ owner: "n", leaseMs: 1, limit: 1 }),
    store.claim({ owner: "n", leaseMs: 1, limit: 1, ability: ABILITY }),
    store.renew("n", 1),
    store.renew("n", 1, [{ id: "r", epoch: 1 }]),
    store.due(1),
    store.nextDeadline(),
    store.startable(1),
    store.startable(1, ABILITY),
    store.nodes(),
    store.node("n"),
    store.presence(),
    store.leave("n"),
    store.summary("s1"),
    store.session("s1"),
    store.sessions({ limit: 1 }),
    store.sessions({ limit: 1, readableBy }),
    store.events({ sessionId: "s1", limit: 1 }),
    store.events({ sessionId: "s1", before: 5, limit: 1 }),
    store.run("r1"),
    store.queuedRuns("s1"),
    store.activeRuns("s1"),
    store.activeCallRuns({ limit: 1 }),
    store.call("s1", "c1"),
    store.calls("r1"),
    store.journal("x"),
    store.journalEntry("x", "y"),
    store.interaction("i1"),
    store.interactionsOfCall("s1", "c1"),
    store.orphans({ sessionId: "s1", tool: "t", inputDigest: "d", requestDigest: "d" }),
    store.openInteractions({ limit: 1 }),
    store.openInteractions({ limit: 1, sessionId: "s1" }),
    store.openInteractions({ limit: 1, readableBy }),
    store.interactionsBeginning({ begins: "i", limit: 1 }),
    store.interactionsBeginning({ begins: "i", limit: 1, readableBy }),
    store.openCount(),
    store.openCount("s1"),
    store.budgetOpenCount(),
    store.budgetOpenCount("p1"),
    store.budgetSessionCount("p1", 1),
    store.response("i1", "a1"),
    store.grantPage({ limit: 1 }),
    store.grants({ tool: "t", key: "k", sessionId: "s1" }),
    store.grant("g1"),
    store.credential("h"),
    store.credentialById("t1"),
    store.tokens(),
    store.people(),
    store.principal("p1"),
  ]);
}

describe("query plans", () => {
  test("no read walks or sorts what grows with history", async () => {
    const database = openDatabase(":memory:");
    await useEveryRead(database);
    const statements = [...database.statements.keys()].filter((sql) =>
      /^(SELECT|UPDATE)/.test(sql),
    );
    expect(statements.length).toBeGreaterThan(25);
    const costly = statements.flatMap((sql) =>
      database
        .all(`EXPLAIN QUERY PLAN ${sql}`, ...placeholders(sql))
        .map((step) => String(step["detail"]))
        .filter((step) => step.startsWith("SCAN") || step.includes("TEMP B-TREE"))
        .filter((step) => !ALLOWED_WALKS.some((allowed) => allowed.test(step)))
        .map((step) => ({ step, sql })),
    );
    expect(costly).toEqual([]);
    database.close();
  });
});

function placeholders(sql: string): null[] {
  return Array.from(sql.matchAll(/\?/g), () => null);
}
