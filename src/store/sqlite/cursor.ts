import type { PageQuery } from "../../core/ports.ts";
import { ProtocolError } from "../../protocol/index.ts";
import type { SqlRow } from "./database.ts";

/** Where a page ended: the time it is ordered by, and the id that breaks ties. */
interface Cursor {
  at: number;
  id: string;
}

function toCursor({ at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

export function fromCursor(text: string): Cursor {
  const value = parse(text);
  if (Array.isArray(value) && value.length === 2) {
    const [at, id] = value as unknown[];
    if (Number.isSafeInteger(at) && typeof id === "string") return { at: at as number, id };
  }
  throw new ProtocolError(
    "invalid_request",
    "The cursor is not one that this server gave. Start again without it.",
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}

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
