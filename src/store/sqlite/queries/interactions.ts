import type { InteractionRow } from "../../../core/ports.ts";
import type { Database } from "../database.ts";
import { readRows } from "../rows.ts";

const DUE = /* sql */ `SELECT * FROM interactions
  WHERE status = 'open' AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`;

const NEXT_DEADLINE = /* sql */ `SELECT expires_at FROM interactions
  WHERE status = 'open' AND expires_at IS NOT NULL ORDER BY expires_at LIMIT 1`;

export function readDue(database: Database, now: number, limit: number): InteractionRow[] {
  return readRows(database, "interactions", DUE, now, limit);
}

export function readNextDeadline(database: Database): number | null {
  const row = database.get(NEXT_DEADLINE);
  return row ? Number(row["expires_at"]) : null;
}
