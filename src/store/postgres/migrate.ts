import type { Client, QueryConfig } from "pg";
import { PostgresUnusable } from "./failures.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { FUNCTIONS } from "./sql/index.ts";

/** Held by whoever changes the schema; made from the letters of "beckon". */
export const MIGRATION_LOCK = 0x6265_636b;

const LONGEST_MS = 24 * 60 * 60 * 1_000;

// Asks the catalog itself: `to_regclass` may still say what was so before a lock was waited for.
const IS_KNOWN = /* sql */ `SELECT EXISTS (SELECT FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'beckon' AND c.relname = 'schema_version') AS is_known`;

/** Brings the schema to the version of this program, whole or not at all; one process at a time. */
export async function migrate(client: Client): Promise<void> {
  if ((await versionOf(client)) === MIGRATIONS.length) return;
  const run = (text: string, values: unknown[] = []) =>
    client.query({ text, values, query_timeout: LONGEST_MS } as QueryConfig);
  await client.query("BEGIN");
  try {
    // Both what others change and what is changed here may take as long as it takes.
    await client.query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
    await run("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const version = await versionOf(client);
    if (version < MIGRATIONS.length) {
      if (version === 0) await createSchema(client);
      for (const sql of MIGRATIONS.slice(version)) await run(sql);
      for (const sql of FUNCTIONS) await run(sql);
      await client.query("UPDATE beckon.schema_version SET version = $1", [MIGRATIONS.length]);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** For who only looks: there must be a schema that this program knows. */
export async function checkVersion(client: Client): Promise<void> {
  if ((await versionOf(client)) > 0) return;
  throw new PostgresUnusable(
    "no_database",
    "There is nothing of Beckon in this database. Look at its name, or start a server on it once.",
  );
}

/** 0: there is none yet. */
async function versionOf(client: Client): Promise<number> {
  const { rows: found } = await client.query<{ is_known: boolean }>(IS_KNOWN);
  if (!found[0]?.is_known) return 0;
  const { rows } = await client.query<{ version: number }>(
    "SELECT version FROM beckon.schema_version",
  );
  const version = Number(rows[0]?.version);
  if (version <= MIGRATIONS.length) return version;
  throw new PostgresUnusable(
    "newer_schema",
    `This database was written by a newer Beckon (its schema is version ${version}, this program ` +
      `knows ${MIGRATIONS.length}). Update Beckon, or use another database.`,
  );
}

async function createSchema(client: Client): Promise<void> {
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = 'beckon'");
  // Who may not create a schema may be given one.
  if (rows.length === 0) await client.query("CREATE SCHEMA beckon");
  await client.query("CREATE TABLE beckon.schema_version (version int NOT NULL)");
  await client.query("INSERT INTO beckon.schema_version VALUES (0)");
}
