import type { RowId, Table, Tables } from "../../core/ports.ts";
import type { Database, SqlRow, SqlValue } from "./database.ts";
import type { Kind } from "./describe-table.ts";
import { refuseNul } from "./refuse-nul.ts";
import { TABLES } from "./tables.ts";

interface Column {
  /** In TypeScript. */
  name: string;
  /** In SQL. */
  column: string;
  kind: Kind;
  isWritable: boolean;
}

interface Layout {
  columns: readonly Column[];
  byColumn: ReadonlyMap<string, Column>;
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
  const { key, columns: kinds } = TABLES[table] as {
    key: readonly string[];
    columns: Record<string, Kind>;
  };
  const keyColumns = key.map(toSnake);
  const columns = Object.entries(kinds).map(([name, kind]) => ({
    name,
    column: toSnake(name),
    kind,
    isWritable: !key.includes(name) && !COUNTED_BY_STORE.has(name),
  }));
  return {
    columns,
    byColumn: new Map(columns.map((column) => [column.column, column])),
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

/** The row with other values in some of its columns. */
export function changedRow<T extends Table>(table: T, row: Tables[T], set: SqlRow): Tables[T] {
  const result = { ...row } as Record<string, unknown>;
  const { byColumn } = layoutOf(table);
  for (const column of Object.keys(set)) {
    const described = byColumn.get(column);
    if (described) result[described.name] = fromSql(described.kind, set[column] ?? null);
  }
  return result as unknown as Tables[T];
}

/** The columns that `set` names, without the key and what the store counts itself. */
export function toRow(table: Table, set: object): SqlRow {
  const result: SqlRow = {};
  for (const { name, column, kind, isWritable } of layoutOf(table).columns) {
    const value = (set as Record<string, unknown>)[name];
    if (value !== undefined && isWritable) result[column] = toSql(kind, value);
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
  if (kind === "text") refuseNul(value as string);
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
