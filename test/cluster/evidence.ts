import { type Evidence, groupBy, type Kept, parseColumns, readEffects } from "../crash/evidence.ts";
import { SECRET } from "../crash/stories.ts";
import { withClient } from "../support/postgres/database.ts";

/** One statement, on a connection of its own. */
export type Query = (sql: string, values?: unknown[]) => Promise<Record<string, any>[]>;

export function queryOf(url: string): Query {
  return async (sql, values = []) =>
    (await withClient(url, (client) => client.query(sql, values))).rows;
}

/** Each would be a change of something that was settled; the database itself keeps watch. */
const SETTLED: [table: string, change: string, when: string][] = [
  ["events", "UPDATE", ""],
  ["events", "DELETE", ""],
  // What was sealed for a process goes when its hook has it.
  [
    "responses",
    "UPDATE",
    `NEW.sealed IS NOT NULL OR to_jsonb(NEW) - '{sealed,version}'::text[]
      IS DISTINCT FROM to_jsonb(OLD) - '{sealed,version}'::text[]`,
  ],
  ["responses", "DELETE", ""],
  // A note of who waits for a call is renewed; what a call has done is not.
  ["journal", "UPDATE", "OLD.kind <> 'value'"],
  ["journal", "DELETE", ""],
  ["interactions", "DELETE", ""],
  [
    "interactions",
    "UPDATE",
    "OLD.outcome IS NOT NULL AND NEW.outcome IS DISTINCT FROM OLD.outcome",
  ],
  [
    "interactions",
    "UPDATE",
    "OLD.response IS NOT NULL AND NEW.response IS DISTINCT FROM OLD.response",
  ],
  ["interactions", "UPDATE", "NEW.request IS DISTINCT FROM OLD.request"],
  [
    "tool_calls",
    "UPDATE",
    `OLD.status = 'ended' AND (NEW.status, NEW.ok, NEW.result, NEW.error)
      IS DISTINCT FROM (OLD.status, OLD.ok, OLD.result, OLD.error)`,
  ],
];

const TABLES = [
  ...["sessions", "runs", "events", "tool_calls", "journal", "interactions", "responses", "grants"],
  ...["changes", "writers", "nodes"],
];

/** A PostgreSQL, and what tools wrote to a file in the directory. */
export function keptInPostgres(directory: string, store: string): Kept {
  const query = queryOf(store);
  return {
    store,
    watchSettled: () => watchSettled(query),
    readChanges: () => readChanges(query),
    readEvidence: () => readEvidence(directory, query),
    readLeaks: () => readLeaks(query),
  };
}

async function watchSettled(query: Query): Promise<void> {
  await query(`CREATE TABLE beckon.test_changes (what text NOT NULL)`);
  await query(`CREATE FUNCTION beckon.test_note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO beckon.test_changes VALUES (concat(TG_ARGV[0], ': ', OLD, ' became ', NEW));
      RETURN coalesce(NEW, OLD);
    END $$`);
  for (const [index, [table, change, when]] of SETTLED.entries()) {
    await query(`CREATE TRIGGER test_watch_${index} BEFORE ${change} ON beckon.${table}
      FOR EACH ROW ${when && `WHEN (${when})`}
      EXECUTE FUNCTION beckon.test_note('${change} on ${table}')`);
  }
}

async function readChanges(query: Query): Promise<string[]> {
  return (await query("SELECT what FROM beckon.test_changes")).map(({ what }) => String(what));
}

/** A secret is in no row, not even sealed in clear text (I14). */
async function readLeaks(query: Query): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    const sql = `SELECT count(*)::int AS count FROM beckon.${table} AS one WHERE one::text LIKE $1`;
    const [row] = await query(sql, [`%${SECRET}%`]);
    if (row?.["count"] > 0) found.push(`I14: a secret is in ${row?.["count"]} rows of ${table}`);
  }
  return found;
}

/** What the database and the outside world know of each session. */
async function readEvidence(directory: string, query: Query): Promise<(id: string) => Evidence> {
  const read = async (sql: string, of: (row: Record<string, any>) => string) => {
    const rows = (await query(sql)).map((row) => toEvidence(row));
    return groupBy(rows, of);
  };
  const bySession = (row: Record<string, any>) => row["session_id"] as string;
  const interactions = await read("SELECT * FROM beckon.interactions ORDER BY n", bySession);
  const calls = await read(
    `SELECT tool_calls.*, runs.attempt::int AS run_attempt, runs.status AS run_status
      FROM beckon.tool_calls JOIN beckon.runs ON runs.id = tool_calls.run_id`,
    bySession,
  );
  const responses = await read(
    `SELECT responses.*, interactions.session_id FROM beckon.responses
      JOIN beckon.interactions ON interactions.id = responses.interaction_id`,
    bySession,
  );
  const journal = await read("SELECT * FROM beckon.journal", ({ scope_id: scope }) =>
    String(scope).replace(/\/.*$/, ""),
  );
  const grants = await read("SELECT * FROM beckon.grants", (row) => row["session_id"] ?? "");
  const effects = groupBy(readEffects(directory), ({ sessionId }) => sessionId);
  return (id) => ({
    interactions: (interactions.get(id) ?? []) as Evidence["interactions"],
    calls: (calls.get(id) ?? []) as unknown as Evidence["calls"],
    responses: (responses.get(id) ?? []) as unknown as Evidence["responses"],
    journal: (journal.get(id) ?? []) as unknown as Evidence["journal"],
    grants: [...(grants.get(id) ?? []), ...(grants.get("") ?? [])] as unknown as Evidence["grants"],
    effects: effects.get(id) ?? [],
  });
}

function toEvidence(row: Record<string, any>): any {
  const numbers = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "boolean" ? Number(value) : value,
  ]);
  return parseColumns(Object.fromEntries(numbers));
}
