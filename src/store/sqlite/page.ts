import type { PageQuery } from "../../core/ports.ts";
import { type Cursor, toCursor } from "../cursor.ts";
import type { SqlRow } from "./database.ts";

/** Takes what fits into a page; a row that is left over tells that there is a next one. */
export function toPage<Row>(
  rows: Iterable<SqlRow>,
  { limit, maxBytes = Infinity }: PageQuery,
  fromSql: (row: SqlRow) => Row,
  cursorOf: (row: Row) => Cursor,
): { rows: Row[]; next?: string } {
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += bytesOf(row);
    const last = page.at(-1);
    if (last !== undefined && (page.length === limit || bytes > maxBytes)) {
      return { rows: page, next: toCursor(cursorOf(last)) };
    }
    page.push(fromSql(row));
  }
  return { rows: page };
}

function bytesOf(row: SqlRow): number {
  let bytes = 0;
  for (const value of Object.values(row)) {
    bytes += typeof value === "string" ? Buffer.byteLength(value) : 8;
  }
  return bytes;
}
