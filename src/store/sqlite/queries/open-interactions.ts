import type { InteractionRow, Page, Store } from "../../../core/ports.ts";
import { fromCursor, toPage } from "../cursor.ts";
import type { Database, SqlValue } from "../database.ts";
import { readRows } from "../rows.ts";

const COUNT = "SELECT value FROM counters WHERE name = ?";

const START = { at: -1, id: "" };

/** Walks the open ones alone, in order, so its cost does not grow with those that have ended. */
export function readOpenInteractions(
  database: Database,
  { sessionId, cursor, limit, readableBy }: Parameters<Store["openInteractions"]>[0],
): Page<InteractionRow> {
  const { at, id } = cursor === undefined ? START : fromCursor(cursor);
  const conditions = [
    "interactions.status IN ('open', 'expiring')",
    "(interactions.created_at, interactions.id) > (?, ?)",
    "sessions.deleted_at IS NULL",
  ];
  const values: SqlValue[] = [at, id];
  if (sessionId !== undefined) {
    conditions.push("interactions.session_id = ?");
    values.push(sessionId);
  }
  if (readableBy) {
    conditions.push("(sessions.owner_id = ? OR sessions.id = ?)");
    values.push(readableBy.ownerId, readableBy.sessionId);
  }
  const rows = readRows(
    database,
    "interactions",
    `SELECT interactions.*
      FROM interactions CROSS JOIN sessions ON sessions.id = interactions.session_id
      WHERE ${conditions.join(" AND ")}
      ORDER BY interactions.created_at, interactions.id LIMIT ?`,
    ...values,
    limit + 1,
  );
  return toPage(rows, limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** Triggers keep the counts, so that reading one is one look-up. */
export function readOpenCount(database: Database, sessionId?: string): number {
  const name = sessionId === undefined ? "open" : `open:${sessionId}`;
  return Number(database.get(COUNT, name)?.["value"] ?? 0);
}
