import type { CallRow, JournalRow } from "../../../core/ports.ts";
import type { Database } from "../database.ts";
import { readRow, readRows } from "../rows.ts";

const CALL = "SELECT * FROM tool_calls WHERE session_id = ? AND id = ?";
const CALLS_OF_RUN = "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY created_at, rowid";
const JOURNAL = "SELECT * FROM journal WHERE scope_id = ? ORDER BY key";
const JOURNAL_ENTRY = "SELECT * FROM journal WHERE scope_id = ? AND key = ?";

export function readCall(database: Database, sessionId: string, id: string): CallRow | null {
  return readRow(database, "tool_calls", CALL, sessionId, id);
}

export function readCalls(database: Database, runId: string): CallRow[] {
  return readRows(database, "tool_calls", CALLS_OF_RUN, runId);
}

export function readJournal(database: Database, scopeId: string): JournalRow[] {
  return readRows(database, "journal", JOURNAL, scopeId);
}

export function readJournalEntry(
  database: Database,
  scopeId: string,
  key: string,
): JournalRow | null {
  return readRow(database, "journal", JOURNAL_ENTRY, scopeId, key);
}
