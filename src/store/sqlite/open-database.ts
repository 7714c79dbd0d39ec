import { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { makePrivateFile } from "./private-file.ts";

const BUSY_TIMEOUT_MS = 2_000;
const FULL = 2;
const CACHE_KIB = 16 * 1024;
const WAL_KEPT_BYTES = 64 * 1024 * 1024;

/** Opens, sets for durability and migrates; throws rather than run with less than was asked for. */
export function openDatabase(path: string, patienceMs = BUSY_TIMEOUT_MS): Database {
  if (path !== ":memory:") makePrivateFile(path);
  const database = new Database(path, patienceMs);
  try {
    setDurable(database, path === ":memory:" ? "memory" : "wal");
    database.exec(`PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}`);
    database.exec(`PRAGMA temp_store = memory; PRAGMA cache_size = -${CACHE_KIB}`);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function setDurable(database: Database, journal: "wal" | "memory"): void {
  const mode = database.pragma(`journal_mode = ${journal}`);
  if (mode !== journal) {
    throw new Error(`SQLite keeps journal_mode ${mode}; Beckon needs ${journal}.`);
  }
  database.exec("PRAGMA synchronous = FULL");
  if (process.platform === "darwin") {
    // On macOS a plain fsync leaves the data in the drive's cache.
    database.exec("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
  }
  const synchronous = database.pragma("synchronous");
  if (synchronous !== FULL) {
    throw new Error(
      `SQLite keeps synchronous = ${synchronous} and would lose acknowledged answers in a power ` +
        `cut; Beckon needs FULL (${FULL}).`,
    );
  }
}
