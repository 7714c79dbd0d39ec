import type { InteractionRow, Page, Store } from "../../../core/ports.ts";
import { fromCursor } from "../../cursor.ts";
import { toPage } from "../page.ts";
import type { Database, SqlValue } from "../database.ts";
import { fromRow } from "../rows.ts";

const START = { at: -1, id: "" };

/** Walks the open ones alone, in order, so its cost does not grow with those that have ended. */
export function readOpenInteractions(
  database: Database,
  query: Parameters<Store["openInteractions"]>[0],
): Page<InteractionRow> {
  const { sessionId, cursor, limit, readableBy } = query;
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
  const sql = `SELECT interactions.*
      FROM interactions CROSS JOIN sessions ON sessions.id = interactions.session_id
      WHERE ${conditions.join(" AND ")}
      ORDER BY interactions.created_at, interactions.id LIMIT ?`;
  return toPage(
    database.iterate(sql, ...values, limit + 1),
    query,
    (row) => fromRow("interactions", row),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  );
}
