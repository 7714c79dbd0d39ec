import type { InteractionRow, ResponseRow, Store } from "../../../core/ports.ts";
import type { Database } from "../database.ts";
import { readRow, readRows } from "../rows.ts";

const OF_CALL = /* sql */ `SELECT * FROM interactions
  WHERE session_id = ? AND call_id = ? ORDER BY created_at, rowid`;

const DUE = /* sql */ `SELECT * FROM interactions
  WHERE status = 'open' AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`;

const NEXT_DEADLINE = /* sql */ `SELECT expires_at FROM interactions
  WHERE status = 'open' AND expires_at IS NOT NULL ORDER BY expires_at LIMIT 1`;

const adoptable = (which: string) => /* sql */ `SELECT interactions.* FROM interactions
  JOIN tool_calls ON tool_calls.session_id = interactions.session_id AND tool_calls.id = call_id
  WHERE interactions.session_id = ? AND tool_name = ? AND request_digest = ? AND input_digest = ?
    AND ${which} AND adopted_by_call IS NULL
    AND interactions.status IN ('open', 'answered')
  ORDER BY interactions.created_at, interactions.rowid`;

const ORPHANS = adoptable("link = 'orphaned' AND outcome IS NULL");
const QUEUED_APPROVALS = adoptable("link = 'queued' AND type = 'approval'");

const RESPONSE = "SELECT * FROM responses WHERE interaction_id = ? AND id = ?";

export function readInteraction(database: Database, id: string): InteractionRow | null {
  return readRow(database, "interactions", "SELECT * FROM interactions WHERE id = ?", id);
}

export function readInteractionsOfCall(
  database: Database,
  sessionId: string,
  callId: string,
): InteractionRow[] {
  return readRows(database, "interactions", OF_CALL, sessionId, callId);
}

export function readDue(database: Database, now: number, limit: number): InteractionRow[] {
  return readRows(database, "interactions", DUE, now, limit);
}

export function readNextDeadline(database: Database): number | null {
  const row = database.get(NEXT_DEADLINE);
  return row ? Number(row["expires_at"]) : null;
}

export function readOrphans(
  database: Database,
  { sessionId, tool, inputDigest, requestDigest }: Parameters<Store["orphans"]>[0],
): InteractionRow[] {
  const rows = [ORPHANS, QUEUED_APPROVALS].flatMap((query) =>
    readRows(database, "interactions", query, sessionId, tool, requestDigest, inputDigest),
  );
  return rows.sort((a, b) => a.createdAt - b.createdAt);
}

export function readResponse(
  database: Database,
  interactionId: string,
  id: string,
): ResponseRow | null {
  return readRow(database, "responses", RESPONSE, interactionId, id);
}
