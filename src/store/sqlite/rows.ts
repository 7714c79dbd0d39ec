import type { RowId, Table, Tables } from "../../core/ports.ts";
import type { Database, SqlRow, SqlValue } from "./database.ts";
import type { Kind } from "../tables/describe-table.ts";
import { refuseNul } from "./refuse-nul.ts";
import { TABLES } from "../tables/tables.ts";

/** A row as SQL keeps it: the values of its columns, in the order of its layout. */
export type Values = SqlValue[];
/** What a write sets, in the same order. A hole: the column keeps what it has. */
export type SetValues = (SqlValue | undefined)[];

interface Column {
  /** In TypeScript. */
  name: string;
  place: number;
  kind: Kind;
}

interface Layout {
  /** In SQL: the columns that core knows, then the store's own. */
  names: readonly string[];
  columns: readonly Column[];
  /** Those that a write may set, by their names in TypeScript. */
  writable: ReadonlyMap<string, Column>;
  /** What the database must have as it was when a row changes. */
  guards: readonly number[];
  version: number;
  keyNames: readonly string[];
  keyColumns: readonly string[];
  keyPlaces: readonly number[];
  /** `"a" = ? AND "b" = ?` over the key. */
  where: string;
}

/** Columns that core does not know. */
const OF_STORE = { sessions: ["chainId", "lastHash"] } as const;

type Places<T extends Table> = Readonly<
  Record<keyof Tables[T] | (T extends "sessions" ? "chainId" | "lastHash" : never), number>
>;

/** Set by the store alone, whatever a write says. */
const COUNTED_BY_STORE = new Set(["version", "lastSeq"]);

const LAYOUTS = new Map<Table, Layout>(
  (Object.keys(TABLES) as Table[]).map((table) => [table, layOut(table)]),
);

/** Where each column stands in the values of a row. */
export function placesOf<T extends Table>(table: T): Places<T> {
  return Object.fromEntries(namesOf(table).map((name, place) => [name, place])) as Places<T>;
}

function namesOf(table: Table): string[] {
  return [...Object.keys(TABLES[table].columns), ...(table === "sessions" ? OF_STORE[table] : [])];
}

function layOut(table: Table): Layout {
  const { key, columns: kinds } = TABLES[table] as {
    key: readonly string[];
    columns: Record<string, Kind>;
  };
  const places = placesOf(table) as Readonly<Record<string, number>>;
  const placesFor = (names: readonly string[]) => names.map((name) => places[name] as number);
  const keyColumns = key.map(toSnake);
  const columns = Object.entries(kinds).map(([name, kind], place) => ({ name, place, kind }));
  const writable = columns.filter(({ name }) => !key.includes(name) && !COUNTED_BY_STORE.has(name));
  // The end of a log is not counted by a row's version.
  const guards = table === "sessions" ? ["version", "lastSeq"] : ["version"];
  return {
    names: namesOf(table).map(toSnake),
    columns,
    writable: new Map(writable.map((column) => [column.name, column])),
    guards: placesFor(guards),
    version: places["version"] as number,
    keyNames: key,
    keyColumns,
    keyPlaces: placesFor(key),
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

/** Ids hold no NUL, so no two rows of a table share a name. */
export function nameOf(id: RowId): string {
  return typeof id === "string" ? id : `${id[0]}\0${id[1]}`;
}

export function toValues(table: Table, row: SqlRow): Values {
  return layoutOf(table).names.map((column) => row[column] ?? null);
}

export function fromValues<T extends Table>(table: T, values: Values): Tables[T] {
  const result: Record<string, unknown> = {};
  for (const { name, place, kind } of layoutOf(table).columns) {
    result[name] = fromSql(kind, values[place] ?? null);
  }
  return result as unknown as Tables[T];
}

export function fromRow<T extends Table>(table: T, row: SqlRow): Tables[T] {
  return fromValues(table, toValues(table, row));
}

/** The row with other values in some of its columns. */
export function changedRow<T extends Table>(table: T, row: Tables[T], set: SetValues): Tables[T] {
  const result = { ...row } as Record<string, unknown>;
  for (const { name, place, kind } of layoutOf(table).columns) {
    const value = set[place];
    if (value !== undefined) result[name] = fromSql(kind, value);
  }
  return result as unknown as Tables[T];
}

/** The columns that `set` names, without the key and what the store counts itself. */
export function toSetValues(table: Table, set: object): SetValues {
  const { writable, names } = layoutOf(table);
  // At its length at once: an array that grows is copied on the way.
  const result: SetValues = Array(names.length);
  for (const name in set) {
    const value = (set as Record<string, unknown>)[name];
    const column = value === undefined ? undefined : writable.get(name);
    if (column) result[column.place] = toSql(column.kind, value);
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
