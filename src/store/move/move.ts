import { join } from "node:path";
import type { Client } from "pg";
import { createConnector } from "../postgres/connect.ts";
import { openPostgresStore } from "../postgres/open-postgres-store.ts";
import { DEFAULTS, parseAddress, type PostgresSettings } from "../postgres/settings.ts";
import { holdDataDirectory } from "../sqlite/lock.ts";
import { openDatabase } from "../sqlite/open-database.ts";
import { postgresSide } from "./postgres-side.ts";
import { sqliteSide } from "./sqlite-side.ts";
import { copy, COPIED, MoveRefused, type Side } from "./tables.ts";

interface Places {
  /** A data directory; held while the data moves, so that no server can start on it. */
  directory: string;
  postgres: PostgresSettings;
  to: "postgres" | "directory";
}

/** A node that was seen since may be running. */
const SEEN_MS = 20_000;

/**
 * Copies everything that is stored, with the chains of the audit, from a data directory to a
 * PostgreSQL or back. All of it arrives, or nothing: after a kill it can be run again. Refuses where
 * a server runs on either side, and where there is data already. The source stays as it is.
 */
export async function move({ directory, postgres, to }: Places): Promise<Record<string, number>> {
  const lock = holdDataDirectory(directory);
  try {
    // Brings the schema to this version.
    const { store } = await openPostgresStore({ ...postgres, hints: "poll" });
    await store.close();
    return await withBoth(directory, postgres, (sqlite, side) =>
      to === "postgres" ? copy(sqlite, side) : copy(side, sqlite),
    );
  } finally {
    lock.release();
  }
}

async function withBoth<Result>(
  directory: string,
  postgres: PostgresSettings,
  work: (sqlite: Side, postgres: Side) => Promise<Result>,
): Promise<Result> {
  const { timeoutMs = DEFAULTS.timeoutMs } = postgres;
  const connector = await createConnector(parseAddress(postgres), timeoutMs);
  const database = openDatabase(join(directory, "beckon.db"));
  try {
    const client = await connector.connect();
    try {
      await begin(client);
      database.exec("BEGIN IMMEDIATE");
      const result = await work(sqliteSide(database), postgresSide(client));
      database.exec("COMMIT");
      await client.query("COMMIT");
      return result;
    } finally {
      // Undoes what was not committed.
      await client.end().catch(() => {});
      database.rollback();
    }
  } finally {
    database.close();
  }
}

/** Nobody else reads or writes while it lasts. */
async function begin(client: Client): Promise<void> {
  const tables = COPIED.map(({ name }) => `beckon.${name}`).join(", ");
  await client.query("BEGIN");
  await client.query(
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
  );
  await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM beckon.nodes WHERE seen_at > beckon.beckon_now() - $1::bigint",
    [SEEN_MS],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  throw new MoveRefused(
    `The database is in use by ${names}. Stop it, wait for ${SEEN_MS / 1_000} seconds, and move again.`,
  );
}
