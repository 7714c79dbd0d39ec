import type { GrantRow, Page, PageQuery, Store } from "../../../core/ports.ts";
import { fromCursor } from "../../cursor.ts";
import { toPage } from "../page.ts";
import type { Database, SqlValue } from "../database.ts";
import { fromRow, readRows } from "../rows.ts";

const USABLE = /* sql */ `revoked_at IS NULL AND (max_uses IS NULL OR uses < max_uses)
  AND (expires_at IS NULL OR expires_at > ?)`;

const PAGE = /* sql */ `SELECT * FROM grants
  WHERE ${USABLE} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`;

const START = { at: -1, id: "" };

/** A grant for every session counts in each. */
export function readGrants(
  database: Database,
  { tool, key, sessionId }: Parameters<Store["grants"]>[0],
  now: number,
): GrantRow[] {
  const conditions = [USABLE, "tool = ?"];
  const values: SqlValue[] = [now, tool];
  const add = (condition: string, value: string | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  add("key = ?", key);
  add("(session_id IS NULL OR session_id = ?)", sessionId);
  const sql = `SELECT * FROM grants WHERE ${conditions.join(" AND ")} ORDER BY created_at, id`;
  return readRows(database, "grants", sql, ...values);
}

export function readGrantPage(database: Database, query: PageQuery, now: number): Page<GrantRow> {
  const { at, id } = query.cursor === undefined ? START : fromCursor(query.cursor);
  return toPage(
    database.iterate(PAGE, now, at, id, query.limit + 1),
    query,
    (row) => fromRow("grants", row),
    (row) => ({ at: row.createdAt, id: row.id }),
  );
}
