import type { Client } from "pg";
import { expect, test } from "vitest";
import { createDatabase, withClient } from "../../../test/support/postgres/database.ts";
import type { Ability, Store } from "../../core/ports.ts";
import { interaction, response } from "../../testing/store-contract/interaction-rows.ts";
import { call, journalEntry, run } from "../../testing/store-contract/rows.ts";
import { textEvent } from "../../testing/store-contract/subject.ts";
import { commit, insert, update } from "../../testing/store-contract/writes.ts";
import { type Connector, createConnector } from "./connect.ts";
import { openWith } from "./open-postgres-store.ts";
import { DEFAULTS, parseAddress } from "./settings.ts";

const OLD = 30_000;
const EVENTS = 100_000;
/** Of a session: those who read one may read all of these. */
const OF_ONE = 20;
const SESSIONS = OLD / OF_ONE;
const OPEN = 100;

/** What has ended, tens of thousands of each, and a little that is going on. */
const HISTORY = /* sql */ `
INSERT INTO beckon.principals SELECT 'p' || n, 'person', 'x', n, 1 FROM generate_series(1, 5) n;
INSERT INTO beckon.principals SELECT 'm' || n, 'machine', 'x', n, 1 FROM generate_series(1, 500) n;
INSERT INTO beckon.tokens SELECT 't' || n, 'h' || n, 'p1', 'bearer', NULL, NULL, false, n, NULL,
  NULL, NULL, 1 FROM generate_series(1, 50) n;
INSERT INTO beckon.sessions SELECT 's' || n, 'l' || n, 'demo', 'x', NULL, NULL, 'm' || n % 500,
  'm' || n % 500, '{"permissionMode":"default"}', NULL, 0, NULL, NULL, NULL, n, n,
  CASE n % 10 WHEN 0 THEN 1 END, 1 FROM generate_series(1, ${SESSIONS}) n;
INSERT INTO beckon.events SELECT 's' || n % ${SESSIONS} + 1, n, 'e' || n, 1, 'text', n, NULL, NULL,
  NULL, NULL, NULL, '{"text":"hello"}', NULL, NULL FROM generate_series(1, ${EVENTS}) n;
INSERT INTO beckon.runs (id, session_id, kind, status, owner, epoch, lease_until, attempt, lives,
    is_ask, created_at, ended_at, version)
  SELECT 'r' || n, 's' || n % ${SESSIONS} + 1, CASE n % 2 WHEN 0 THEN 'turn' ELSE 'call' END,
    CASE WHEN n > ${OPEN} THEN 'ended' WHEN n % 3 = 0 THEN 'queued' WHEN n % 3 = 1 THEN 'live'
      ELSE 'suspended' END,
    'n' || n % 3, 1, n, 1, 1, false, n, n, 1 FROM generate_series(1, ${OLD}) n;
INSERT INTO beckon.tool_calls (session_id, id, run_id, tool, origin, durable, input_digest, status,
    created_at, version)
  SELECT 's' || n % ${SESSIONS} + 1, 'c' || n, 'r' || n, 'deploy', 'agent', 'replay', 'd' || n,
    'ended', n, 1 FROM generate_series(1, ${OLD}) n;
INSERT INTO beckon.journal SELECT 'c' || n / 5, 'k' || n, 'step', 'done', NULL, '1', 1
  FROM generate_series(1, ${OLD}) n;
INSERT INTO beckon.interactions (id, session_id, budget_id, call_id, run_id, tool_name, key,
    attempt, type, status, link, request, request_digest, has_timeout_hook, created_at, expires_at,
    version)
  SELECT 'i' || n, 's' || n % ${SESSIONS} + 1, 'm' || n % 500, 'c' || n, 'r' || n, 'deploy', '1',
    1, 'approval', CASE WHEN n > ${OPEN} THEN 'answered' ELSE 'open' END,
    CASE n % 30 WHEN 0 THEN 'orphaned' ELSE 'live' END, '{}', 'd' || n, false, n, n, 1
  FROM generate_series(1, ${OLD}) n;
INSERT INTO beckon.responses SELECT 'i' || n, 'a' || n, 'd', 'p1', 't1', 'http', 'approve', NULL,
  NULL, NULL, NULL, NULL, NULL, false, 'decided', false, n, 1 FROM generate_series(1, ${OLD}) n;
INSERT INTO beckon.grants SELECT 'g' || n, 'deploy', 'k' || n, 'once', NULL, 'p1', NULL, n, NULL, 1,
  CASE WHEN n > 50 THEN 1 ELSE 0 END, NULL, NULL, 1 FROM generate_series(1, ${OLD / 10}) n;
INSERT INTO beckon.changes (xid, at, sessions, runs, interactions)
  SELECT '1'::xid8, beckon.beckon_now(), '{}', ARRAY['r' || n], '{}'
  FROM generate_series(1, ${OLD}) n;
ANALYZE;
`;

const SIZES: Readonly<Record<string, number>> = {
  events: EVENTS,
  runs: OLD,
  tool_calls: OLD,
  journal: OLD,
  interactions: OLD,
  responses: OLD,
  changes: OLD,
  grants: OLD / 10,
  sessions: SESSIONS,
};

const page = { limit: 10 };
const readableBy = { ownerId: "m1", sessionId: "s2" };
const ability: Ability = {
  host: "h",
  agents: ["demo"],
  tools: [["deploy", null]],
  patienceMs: 5,
};

/** Each use of the store. */
const USES: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.claim({ owner: "n", leaseMs: 1, limit: 2 }),
  (store) => store.claim({ owner: "n", leaseMs: 1, limit: 2, ability }),
  (store) => store.renew("n1", 1),
  (store) => store.due(5),
  (store) => store.nextDeadline(),
  (store) => store.startable(5),
  (store) => store.startable(5, ability),
  async (store) => store.changes((await store.changes()).cursor),
  (store) => store.summary("s1"),
  (store) => store.session("s1"),
  (store) => store.sessions(page),
  (store) => store.sessions({ ...page, readableBy }),
  (store) => store.events({ sessionId: "s1", limit: 5 }),
  (store) => store.events({ sessionId: "s1", before: 50_000, limit: 5 }),
  (store) => store.run("r1"),
  (store) => store.queuedRuns("s1"),
  (store) => store.activeRuns("s1"),
  (store) => store.activeCallRuns(page),
  (store) => store.call("s1", "c1"),
  (store) => store.calls("r1"),
  (store) => store.journal("c1"),
  (store) => store.journalEntry("c1", "k1"),
  (store) => store.interaction("i1"),
  (store) => store.interactionsOfCall("s1", "c1"),
  (store) =>
    store.orphans({ sessionId: "s1", tool: "deploy", inputDigest: "d", requestDigest: "d30" }),
  (store) => store.openInteractions(page),
  (store) => store.openInteractions({ ...page, sessionId: "s1" }),
  (store) => store.openInteractions({ ...page, readableBy }),
  (store) => store.interactionsBeginning({ ...page, begins: "i1" }),
  (store) => store.interactionsBeginning({ ...page, begins: "i12", readableBy }),
  (store) => store.openCount(),
  (store) => store.openCount("s1"),
  (store) => store.budgetOpenCount(),
  (store) => store.budgetOpenCount("m1"),
  (store) => store.budgetSessionCount("m1", 1),
  (store) => store.response("i1", "a1"),
  (store) => store.grantPage(page),
  (store) => store.grants({ tool: "deploy", key: "k1", sessionId: "s1" }),
  (store) => store.grant("g1"),
  (store) => store.credential("h1"),
  (store) => store.credentialById("t1"),
  (store) => store.tokens(),
  (store) => store.people(),
  (store) => store.principal("p1"),
  (store) => store.nodes(),
  (store) => store.node("n1"),
  (store) => store.presence(),
  (store) =>
    commit(store, {
      sessionId: "s1",
      fence: { runId: "r1", epoch: 2 },
      writes: [
        update("runs", "r1", 2, { attempt: 5 }),
        update("sessions", "s1", 1, { title: "new" }),
        insert("runs", run("new")),
        insert("tool_calls", call("new")),
        insert("journal", journalEntry("new")),
        insert("interactions", interaction("new")),
        insert("responses", response("new", { interactionId: "new" })),
      ],
      events: [textEvent("new")],
      limits: [
        { of: "openPrompts", most: 500, sessionId: "s1" },
        { of: "openPrompts", most: 500 },
        { of: "openPrompts", most: 500, budgetId: null },
        { of: "openPrompts", most: 500, budgetId: "m1" },
        { of: "queuedTurns", most: 500, sessionId: "s1" },
      ],
      absent: [
        { of: "queuedTurns", sessionId: "s50" },
        { of: "orphans", sessionId: "s1", tool: "deploy", inputDigest: "d", requestDigest: "d30" },
      ],
    }),
];

interface Statement {
  text: string;
  values: unknown[];
}

/** Notes what is sent. */
function recording(connector: Connector, sent: Statement[]): Connector {
  return {
    ...connector,
    async connect() {
      const client = await connector.connect();
      const query = client.query.bind(client) as (given: unknown, values?: unknown[]) => unknown;
      client.query = ((given: string | Statement, values?: unknown[]) => {
        if (typeof given === "object") sent.push(given);
        return query(given, values);
      }) as Client["query"];
      return client;
    },
  };
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test("no read walks a table that grows, and none reads much of what is old", async () => {
  const url = await createDatabase();
  await withClient(url, (client) => client.query(HISTORY));
  const sent: Statement[] = [];
  const connector = await createConnector(parseAddress({ url }), DEFAULTS.timeoutMs);
  const { store } = await openWith(recording(connector, sent), { poolSize: 3 });
  for (const use of USES) await use(store);
  // What the server counts it knows of a connection that has ended.
  await store.close();
  expect(sent.length).toBeGreaterThan(USES.length - 1);

  await withClient(url, async (client) => {
    const walks: unknown[] = [];
    for (const { text, values } of sent) {
      if (!/^(SELECT|WITH)/.test(text) || text.includes("beckon_commit")) continue;
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
      const [{ Plan: plan }] = rows[0]["QUERY PLAN"] as [{ Plan: Plan }];
      for (const node of nodesOf(plan)) {
        const table = node["Relation Name"] ?? "";
        if (node["Node Type"] === "Seq Scan" && table in SIZES) walks.push({ table, text });
      }
    }
    expect(walks).toEqual([]);

    await client.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await client.query<{ table: string; walked: number; read: string }>(`
      SELECT t.relname AS table, t.seq_scan::int AS walked,
        (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid) AS read
      FROM pg_stat_user_tables t WHERE t.schemaname = 'beckon'`);
    const most = USES.length * 3 * OPEN;
    for (const { table, walked, read } of rows) {
      if (!(table in SIZES)) continue;
      expect({ table, walked, isLittle: Number(read) < most }).toEqual({
        table,
        walked: 0,
        isLittle: true,
      });
    }
  });
});
