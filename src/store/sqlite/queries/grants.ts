import type { GrantRow, Store } from "../../../core/ports.ts";
import type { Database, SqlValue } from "../database.ts";
import { readRow, readRows } from "../rows.ts";

export function readGrant(database: Database, id: string): GrantRow | null {
  return readRow(database, "grants", "SELECT * FROM grants WHERE id = ?", id);
}

/** A grant for every session counts in each. */
export function readGrants(
  database: Database,
  { tool, key, sessionId }: Parameters<Store["grants"]>[0],
  now: number,
): GrantRow[] {
  const conditions = [
    "revoked_at IS NULL",
    "(max_uses IS NULL OR uses < max_uses)",
    "(expires_at IS NULL OR expires_at > ?)",
  ];
  const values: SqlValue[] = [now];
  const add = (condition: string, value: string | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  add("tool = ?", tool);
  add("key = ?", key);
  add("(session_id IS NULL OR session_id = ?)", sessionId);
  const sql = `SELECT * FROM grants WHERE ${conditions.join(" AND ")} ORDER BY created_at, id`;
  return readRows(database, "grants", sql, ...values);
}
