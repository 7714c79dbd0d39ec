import type { RowId, Table, Tables } from "../../core/ports.ts";
import type { Database, SqlRow, SqlValue } from "./database.ts";
import type { Kind } from "./describe-table.ts";
import { TABLES } from "./tables.ts";

interface Column {
  /** In TypeScript. */
  name: string;
  /** In SQL. */
  column: string;
  kind: Kind;
}

interface Layout {
  columns: readonly Column[];
  keyNames: readonly string[];
  keyColumns: readonly string[];
  /** `"a" = ? AND "b" = ?` over the key. */
  where: string;
}

/** Set by the store alone, whatever a write says. */
const COUNTED_BY_STORE = new Set(["version", "lastSeq"]);

const LAYOUTS = new Map<Table, Layout>(
  (Object.keys(TABLES) as Table[]).map((table) => [table, layOut(table)]),
);

function layOut(table: Table): Layout {
  const { key, columns } = TABLES[table] as {
    key: readonly string[];
    columns: Record<string, Kind>;
  };
  const keyColumns = key.map(toSnake);
  return {
    columns: Object.entries(columns).map(([name, kind]) => ({ name, column: toSnake(name), kind })),
    keyNames: key,
    keyColumns,
    where: keyColumns.map((column) => `"${column}" = ?`).join(" AND "),
  };
}

function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function layoutOf(table: Table): Layout {
  const layout = LAYOUTS.get(table);
  if (!layout) throw new Error(`There is no table "${table}".`);
  return layout;
}

export function keyOf(id: RowId): readonly string[] {
  return typeof id === "string" ? [id] : id;
}

export function fromRow<T extends Table>(table: T, row: SqlRow): Tables[T] {
  const result: Record<string, unknown> = {};
  for (const { name, column, kind } of layoutOf(table).columns) {
    result[name] = fromSql(kind, row[column] ?? null);
  }
  return result as unknown as Tables[T];
}

/** The columns that `set` names, without the key and what the store counts itself. */
export function toRow(table: Table, set: object): { columns: string[]; values: SqlValue[] } {
  const { columns, keyNames } = layoutOf(table);
  const result = { columns: [] as string[], values: [] as SqlValue[] };
  for (const { name, column, kind } of columns) {
    const value = (set as Record<string, unknown>)[name];
    if (value === undefined || keyNames.includes(name) || COUNTED_BY_STORE.has(name)) continue;
    result.columns.push(column);
    result.values.push(toSql(kind, value));
  }
  return result;
}

function fromSql(kind: Kind, value: SqlValue): unknown {
  if (value === null) return null;
  if (kind === "json") return JSON.parse(value as string);
  return kind === "bool" ? value === 1 : value;
}

function toSql(kind: Kind, value: unknown): SqlValue {
  if (value === null) return null;
  if (kind === "json") return JSON.stringify(value);
  return kind === "bool" ? Number(value) : (value as SqlValue);
}

export function readRow<T extends Table>(
  database: Database,
  table: T,
  sql: string,
  ...values: SqlValue[]
): Tables[T] | null {
  const row = database.get(sql, ...values);
  return row ? fromRow(table, row) : null;
}

export function readRows<T extends Table>(
  database: Database,
  table: T,
  sql: string,
  ...values: SqlValue[]
): Tables[T][] {
  return database.all(sql, ...values).map((row) => fromRow(table, row));
}
