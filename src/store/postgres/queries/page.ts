import type { Page, PageQuery } from "../../../core/ports.ts";
import { toCursor } from "../../cursor.ts";
import type { SqlRow } from "../lane.ts";

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

interface PageSql {
  /** Gives the rows of a page in order, and one more that tells that there is a next one. */
  rows: string;
  order: string;
  /** How large a row is, of `r`: lengths are known without reading what is long. */
  bytes: string;
  /** What each row of the page gets beside. */
  beside?: string;
  /** The parameter with the most bytes of a page. */
  most: string;
}

/** Ends a page in the database before it has more bytes than it may have; it has one row at least. */
export function pageSql({ rows, order, bytes, beside = "", most }: PageSql): string {
  return /* sql */ `SELECT page.*${beside} FROM (
      SELECT r.*, count(*) OVER () AS found, row_number() OVER (ORDER BY ${order}) AS place,
        sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS total
      FROM (${rows}) r
    ) page WHERE place = 1 OR total <= ${most}::bigint ORDER BY place`;
}

export function mostBytes({ maxBytes = NO_LIMIT }: { maxBytes?: number | undefined }): number {
  return Math.min(NO_LIMIT, Math.max(0, Math.floor(maxBytes)));
}

export function toPage<Row>(
  found: SqlRow[],
  { limit }: PageQuery,
  fromSql: (row: SqlRow) => Row,
  cursorOf: (row: Row) => { at: number; id: string },
): Page<Row> {
  const rows = found.slice(0, Math.max(1, limit)).map(fromSql);
  const last = rows.at(-1);
  const isMore = last !== undefined && Number(found[0]?.["found"]) > rows.length;
  return isMore ? { rows, next: toCursor(cursorOf(last)) } : { rows };
}
