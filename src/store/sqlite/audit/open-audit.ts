import { Database } from "../database.ts";
import { MIGRATIONS } from "../migrations/index.ts";

const BUSY_TIMEOUT_MS = 2_000;
/** The schema that has the audit's columns. */
const AUDITED = 2;

/** Opens a database to look at it, beside the server that may be running on it. */
export function openAudit(path: string): Database {
  const database = new Database(path, BUSY_TIMEOUT_MS, { readOnly: true });
  try {
    const version = Number(database.pragma("user_version"));
    if (version < AUDITED) {
      throw new Error("This data is from before the audit. Start the server on it once.");
    }
    if (version > MIGRATIONS.length) {
      throw new Error("This data was written by a newer Beckon. Use that version to look at it.");
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
