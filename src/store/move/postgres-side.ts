import type { Client } from "pg";
import type { AuditProblem } from "../audit/problem.ts";
import { sessionIds, verifyRows } from "../postgres/audit/verify-audit.ts";
import { createConnector } from "../postgres/connect.ts";
import { codeOf } from "../postgres/failures.ts";
import { postgresName } from "../postgres/name.ts";
import { openPostgresStore } from "../postgres/open-postgres-store.ts";
import { parseAddress, type PostgresSettings } from "../postgres/settings.ts";
import { startFailure } from "../postgres/start-failure.ts";
import { CONTENTS, toContents } from "./contents.ts";
import { readPostgresRows, writePostgresRows } from "./postgres-rows.ts";
import { RAW_TABLES } from "./raw-tables.ts";
import { MoveRefused, type Side, type Verified } from "./side.ts";

/** Whoever runs renews its leases every five seconds. */
const ALIVE_MS = 15_000;
/** A statement that looks at everything takes its time. */
const TIMEOUT_MS = 60_000;
const TABLES = [...RAW_TABLES.map(({ name }) => name), "nodes", "presence"];
const LOCK = `LOCK TABLE ${TABLES.map((name) => `beckon.${name}`).join(", ")} IN EXCLUSIVE MODE`;
const ALIVE = `SELECT name FROM beckon.nodes WHERE seen_at > beckon.beckon_now() - ${ALIVE_MS}`;

/** A PostgreSQL, in one transaction in which nobody else writes: killed in the middle, nothing was. */
export async function openPostgresSide(settings: PostgresSettings): Promise<Side> {
  const name = postgresName(settings);
  const client = await connect(settings);
  try {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    await lock(client, name);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return {
    name,
    async contents() {
      const tables = [];
      for (const sql of CONTENTS) {
        const { rows } = await client.query({
          text: sql.replace("SCHEMA.", "beckon."),
          rowMode: "array",
        });
        tables.push(rows);
      }
      return toContents(tables);
    },
    read: (table) => readPostgresRows(client, table),
    write: (table, rows) => writePostgresRows(client, table, rows),
    verify: (found) => verify(client, found),
    async keep() {
      await client.query("COMMIT");
    },
    close: () => client.end().catch(() => {}),
  };
}

/** The database, with our tables in it. */
async function connect(settings: PostgresSettings): Promise<Client> {
  const { store } = await openPostgresStore({ ...settings, poolSize: 3, hints: "poll" });
  await store.close();
  const connector = await createConnector(parseAddress(settings), TIMEOUT_MS);
  return connector.connect().catch((error: unknown) => {
    throw startFailure(connector.name, error, codeOf(error));
  });
}

/** Also what is written and not kept yet. */
async function verify(client: Client, found: (problem: AuditProblem) => void): Promise<Verified> {
  const verified = { sessions: 0, events: 0 };
  for await (const sessionId of sessionIds(client, new Set())) {
    verified.sessions++;
    const report = (problem: Omit<AuditProblem, "sessionId">) => found({ ...problem, sessionId });
    verified.events += await verifyRows(client, sessionId, [], report);
  }
  return verified;
}

async function lock(client: Client, name: string): Promise<void> {
  const refuse = (who: string) =>
    new MoveRefused(
      `The PostgreSQL ${name} is in use by ${who}. Stop every server that uses it, and try again; ` +
        `one that was killed counts for ${ALIVE_MS / 1_000} seconds.`,
    );
  // A server that runs holds no lock for longer than a moment.
  await client.query(`SET LOCAL lock_timeout = '10s'`);
  await client.query(LOCK).catch(() => {
    throw refuse("somebody else");
  });
  const { rows } = await client.query<{ name: string }>(ALIVE);
  if (rows.length > 0) throw refuse(rows.map((row) => row.name).join(", "));
}
