import type { InteractionRow, Page, Store } from "../../../core/ports.ts";
import { fromCursor } from "../../cursor.ts";
import { toPage } from "../page.ts";
import type { Database, SqlValue } from "../database.ts";
import { fromRow } from "../rows.ts";

/** Greater than whatever may follow in an id. */
const LAST = "\u{10FFFF}";

/** Walks the ids that begin so alone, so its cost does not grow with the others. */
export function readInteractionsBeginning(
  database: Database,
  query: Parameters<Store["interactionsBeginning"]>[0],
): Page<InteractionRow> {
  const { begins, cursor, limit, readableBy } = query;
  const after = cursor === undefined ? "" : fromCursor(cursor).id;
  const values: SqlValue[] = [begins, begins + LAST, after];
  if (readableBy) values.push(readableBy.ownerId, readableBy.sessionId);
  const sql = `SELECT interactions.*
      FROM interactions CROSS JOIN sessions ON sessions.id = interactions.session_id
      WHERE interactions.id >= ? AND interactions.id < ? AND interactions.id > ?
        AND sessions.deleted_at IS NULL
        ${readableBy ? "AND (sessions.owner_id = ? OR sessions.id = ?)" : ""}
      ORDER BY interactions.id LIMIT ?`;
  return toPage(
    database.iterate(sql, ...values, limit + 1),
    query,
    (row) => fromRow("interactions", row),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  );
}
