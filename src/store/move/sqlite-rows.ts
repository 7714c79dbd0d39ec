import type { Database } from "../sqlite/database.ts";
import type { RawRow, RawTable } from "./raw-tables.ts";

const PAGE = 200;

/** All rows of a table, some at a time. */
export function* readSqliteRows(database: Database, table: RawTable): Generator<RawRow[]> {
  const names = table.columns.map(({ column }) => `"${column}"`).join(", ");
  let page: RawRow[] = [];
  const sql = `SELECT ${names} FROM ${table.name} ORDER BY ${table.order.sqlite}`;
  for (const row of database.iterate(sql)) {
    page.push(row);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

export function writeSqliteRows(database: Database, table: RawTable, rows: RawRow[]): void {
  const names = table.columns.map(({ column }) => column);
  const sql = `INSERT INTO ${table.name} (${names.map((name) => `"${name}"`).join(", ")})
    VALUES (${names.map(() => "?").join(", ")})`;
  for (const row of rows) {
    database.run(sql, ...names.map((name) => row[name] ?? null));
  }
}
