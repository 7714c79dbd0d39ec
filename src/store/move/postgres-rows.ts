import type { Client } from "pg";
import type { Kind } from "../tables/describe-table.ts";
import type { RawRow, RawTable } from "./raw-tables.ts";

const PAGE = 200;
const TYPES: Record<Kind, string> = { text: "text", json: "text", int: "bigint", bool: "boolean" };

/** All rows of a table, some at a time. To be called in a transaction. */
export async function* readPostgresRows(client: Client, table: RawTable): AsyncGenerator<RawRow[]> {
  const names = table.columns.map(({ column }) => `"${column}"`).join(", ");
  const sql = `SELECT ${names} FROM beckon.${table.name} ORDER BY ${table.order.postgres}`;
  await client.query(`DECLARE rows NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const { rows } = await client.query(`FETCH ${PAGE} FROM rows`);
    if (rows.length === 0) break;
    yield rows.map(toRawRow);
  }
  await client.query("CLOSE rows");
}

export async function writePostgresRows(
  client: Client,
  table: RawTable,
  rows: RawRow[],
): Promise<void> {
  const columns: readonly Written[] = [...table.columns, ...(DERIVED[table.name] ?? [])];
  const names = columns.map(({ column }) => `"${column}"`).join(", ");
  const lists = columns.map(({ kind }, index) => `$${index + 1}::${TYPES[kind]}[]`).join(", ");
  await client.query(
    `INSERT INTO beckon.${table.name} (${names})
      SELECT ${names} FROM unnest(${lists}) WITH ORDINALITY AS given (${names}, place) ORDER BY place`,
    columns.map(({ column, kind, of }) =>
      rows.map((row) => toText(kind, of ? of(row) : row[column])),
    ),
  );
  if (table.name === "interactions") await client.query(BUDGETS);
}

interface Written {
  column: string;
  kind: Kind;
  of?: (row: RawRow) => RawRow[string];
}

/** What PostgreSQL keeps beside the columns that both have, for its indexes. */
const DERIVED: Record<string, Written[]> = {
  runs: [{ column: "is_ask", kind: "bool", of: ({ state }) => Number(isAsk(state)) }],
};
const BUDGETS = `UPDATE beckon.interactions SET budget_id = sessions.budget_id FROM beckon.sessions
  WHERE sessions.id = interactions.session_id AND sessions.budget_id IS NOT NULL
    AND interactions.budget_id IS NULL`;

function isAsk(state: RawRow[string] | undefined): boolean {
  return typeof state === "string" && "ask" in (JSON.parse(state) as object);
}

function toText(kind: Kind, value: RawRow[string] | undefined): string | null {
  if (value === null || value === undefined) return null;
  return kind === "bool" ? String(value === 1) : String(value);
}

function toRawRow(row: Record<string, unknown>): RawRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === "boolean" ? Number(value) : (value as RawRow[string]),
    ]),
  );
}
