import type { JournalRow } from "../../../core/ports.ts";
import type { Database } from "../database.ts";
import { readRows } from "../rows.ts";

const JOURNAL = "SELECT * FROM journal WHERE scope_id = ? ORDER BY key";

export function readJournal(database: Database, scopeId: string): JournalRow[] {
  return readRows(database, "journal", JOURNAL, scopeId);
}
