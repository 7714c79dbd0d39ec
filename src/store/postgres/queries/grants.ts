import type { GrantRow, Page, PageQuery, Store } from "../../../core/ports.ts";
import { fromCursor } from "../../cursor.ts";
import type { Reader } from "../reader.ts";
import { fromRow, fromRows } from "../rows.ts";
import { mostBytes, pageSql, toPage } from "./page.ts";

const USABLE = /* sql */ `revoked_at IS NULL AND (max_uses IS NULL OR uses < max_uses)
  AND (expires_at IS NULL OR expires_at > beckon.beckon_now())`;

const PAGE = pageSql({
  rows: /* sql */ `SELECT * FROM beckon.grants
    WHERE ${USABLE} AND (created_at, id) > ($1::bigint, $2) ORDER BY created_at, id
    LIMIT $3::bigint`,
  order: "created_at, id",
  bytes: "200 + octet_length(key)",
  most: "$4",
});

const START = { at: -1, id: "" };

/** A grant for every session counts in each. */
export async function readGrants(
  reader: Reader,
  { tool, key, sessionId }: Parameters<Store["grants"]>[0],
): Promise<GrantRow[]> {
  const values = [tool];
  const conditions = [USABLE, "tool = $1"];
  if (key !== undefined) conditions.push(`key = $${values.push(key)}`);
  if (sessionId !== undefined) {
    conditions.push(`(session_id IS NULL OR session_id = $${values.push(sessionId)})`);
  }
  const sql = /* sql */ `SELECT * FROM beckon.grants
    WHERE ${conditions.join(" AND ")} ORDER BY created_at, id`;
  return fromRows("grants", await reader.read(sql, values));
}

export async function readGrantPage(reader: Reader, query: PageQuery): Promise<Page<GrantRow>> {
  const { at, id } = query.cursor === undefined ? START : fromCursor(query.cursor);
  return toPage(
    await reader.read(PAGE, [at, id, query.limit + 1, mostBytes(query)]),
    query,
    (row) => fromRow("grants", row),
    ({ createdAt, id: last }) => ({ at: createdAt, id: last }),
  );
}
