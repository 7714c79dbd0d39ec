import type { Table } from "../../../core/ports.ts";
import type { Kind } from "../../tables/describe-table.ts";
import { layoutOf } from "../layout.ts";

/** In the order in which rows are locked: runs first, whose fence decides whether there is more to do. */
export const TABLE_NAMES: readonly Table[] = [
  "runs",
  "sessions",
  "tool_calls",
  "journal",
  "interactions",
  "responses",
  "grants",
  "principals",
  "tokens",
  "presence",
];

/** What an insert that names no value gives; null elsewhere. */
const DEFAULTS: Readonly<Record<string, string>> = {
  "sessions.title": "''",
  "runs.epoch": "0",
  "runs.attempt": "0",
  "runs.lives": "0",
  "runs.is_ask": "false",
  "interactions.attempt": "1",
  "interactions.has_timeout_hook": "false",
  "tokens.single_use": "false",
  "responses.stop": "false",
  "responses.late": "false",
  "grants.uses": "0",
};

interface WrittenColumn {
  column: string;
  /** Its value in `_set`, as its type. */
  given: string;
  /** The same where it may be missing. */
  inserted: string;
}

const CASTS: Record<Kind, string> = { text: "", json: "", int: "::bigint", bool: "::boolean" };

export function keyColumns(table: Table): readonly string[] {
  return layoutOf(table).keyColumns;
}

/** The columns that a write sets, without the key. */
export function writtenColumns(table: Table): WrittenColumn[] {
  const columns = layoutOf(table)
    .columns.filter(({ isWritable }) => isWritable)
    .map(({ column, kind }) => ({ column, kind }));
  if (table === "runs") columns.push({ column: "is_ask", kind: "bool" });
  return columns.map(({ column, kind }) => {
    const given = `(_set->>'${column}')${CASTS[kind]}`;
    const otherwise = DEFAULTS[`${table}.${column}`];
    return { column, given, inserted: otherwise ? `coalesce(${given}, ${otherwise})` : given };
  });
}

/** `id = A`, or `first = A AND second = B`. */
export function whereKey(table: Table, first: string, second: string): string {
  const parts = [first, second];
  return keyColumns(table)
    .map((column, index) => `${table}.${column} = ${parts[index]}`)
    .join(" AND ");
}
