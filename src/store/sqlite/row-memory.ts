import type { Table, Tables } from "../../core/ports.ts";
import type { Database, SqlRow, SqlValue } from "./database.ts";
import type { EncodedWrite } from "./encode-commit.ts";
import { Generations, type Most } from "./generations.ts";
import { LISTS_OF_NEW, LISTS_OF_TABLE, type RowList } from "./row-lists.ts";
import { changedRow, fromRow, layoutOf } from "./rows.ts";

/** Tables whose rows the memory keeps; of the others it holds what is not written yet. */
const KEPT = new Set<Table>(["sessions", "runs", "tool_calls", "journal", "interactions"]);
/** A row that is larger is read each time. */
const MOST_BYTES = 32 * 1024;
const LIST_BYTES = 64;
const MOST: Most = { entries: 4_096, bytes: 4 * 1024 * 1024 };

/** A row as the next reader gets it. It never changes: a write puts another one in its place. */
interface StoredRow {
  name: string;
  values: SqlRow;
  /** As core knows it; made when somebody asks. Nobody may change it. */
  row?: Tables[Table];
}

interface UnwrittenRow {
  table: Table;
  key: readonly string[];
  /** What the database has; nothing: the row is new. */
  base: SqlRow | null;
  stored: StoredRow;
  changed: Set<string>;
}

/** What must be in the database as it was. The end of a log is not counted by a row's version. */
const guardsOf = (table: Table) => (table === "sessions" ? ["version", "last_seq"] : ["version"]);

/** The database has something else than the memory took for certain. Nothing was written. */
class UnexpectedRow extends Error {}

/**
 * The rows that are being worked with, as they are with every commit so far, and those of them that
 * the database does not have yet. The one process that writes a database asks it in place of the
 * database, and writes what changed when a transaction ends: a row that changed three times is
 * written once.
 */
export class RowMemory {
  readonly #database: Database;
  readonly #rows: Generations<StoredRow>;
  readonly #lists: Generations<Set<string>>;
  readonly #unwritten = new Map<string, UnwrittenRow>();
  readonly #defaults = new Map<Table, SqlRow>();
  /** An insert looks first whether the row is there. Else the database says so when it is written. */
  isCareful = false;

  constructor(database: Database, most = MOST) {
    this.#database = database;
    this.#rows = new Generations(most, bytesOf);
    this.#lists = new Generations(most, (names) => LIST_BYTES * (names.size + 1));
  }

  find<T extends Table>(table: T, ...key: string[]): Tables[T] | null {
    const stored = this.#find(table, key);
    return stored && toRow(table, stored);
  }

  /** As SQL keeps it, with the columns that core does not know. */
  findValues(table: Table, ...key: string[]): SqlRow | null {
    return this.#find(table, key)?.values ?? null;
  }

  /** The row that an insert would meet, as far as that is known. */
  findToInsert<T extends Table>(table: T, key: readonly string[]): Tables[T] | null {
    const stored = this.isCareful ? this.#find(table, key) : this.#known(nameOf(table, key));
    return stored ? toRow(table, stored) : null;
  }

  /** The rows of a list, in order. */
  list<T extends Table>(list: RowList<T>, ...of: string[]): Tables[T][] {
    return this.listIfShort(list, ...of) ?? [];
  }

  /** Nothing where a list has more rows than it may have. */
  listIfShort<T extends Table>(list: RowList<T>, ...of: string[]): Tables[T][] | undefined {
    const names = this.#namesIn(list, of);
    if (!names) return undefined;
    const rows: StoredRow[] = [];
    for (const name of names) {
      const stored = this.#known(name) ?? this.#find(list.table, keyOfName(name));
      if (stored) rows.push(stored);
    }
    rows.sort((a, b) => list.order(a.values, b.values));
    return rows.map((stored) => toRow(list.table, stored));
  }

  count(list: RowList, ...of: string[]): number {
    return this.#namesIn(list, of)?.size ?? 0;
  }

  insert({ table, key, set }: EncodedWrite): void {
    const values: SqlRow = { ...this.#defaultsOf(table), ...set, version: 1 };
    for (const [index, column] of layoutOf(table).keyColumns.entries()) {
      values[column] = key[index] ?? null;
    }
    const stored = { name: nameOf(table, key), values };
    const changed = new Set<string>();
    this.#unwritten.set(stored.name, { table, key, base: null, stored, changed });
    for (const [list, of] of LISTS_OF_NEW[table]?.(values) ?? []) {
      this.#lists.set(nameOfList(list, of), new Set());
    }
    this.#enlist(table, stored);
  }

  /** Sets columns of a row that is there; the version grows unless only the store counts them. */
  update(table: Table, key: readonly string[], set: SqlRow, isCounted = true): void {
    const name = nameOf(table, key);
    const before = this.#find(table, key);
    if (!before) throw new Error(`There is no row ${name} to change.`);
    const version = Number(before.values["version"]);
    const all = isCounted ? { ...set, version: version + 1 } : set;
    const stored: StoredRow = { name, values: { ...before.values, ...all } };
    if (before.row) stored.row = changedRow(table, before.row, all);
    const unwritten = this.#unwritten.get(name);
    const changed = unwritten?.changed ?? new Set();
    for (const column of Object.keys(all)) changed.add(column);
    if (unwritten) unwritten.stored = stored;
    else this.#unwritten.set(name, { table, key, base: before.values, stored, changed });
    this.#enlist(table, stored);
  }

  /** Whether rows of these tables are not in the database yet. */
  holds(tables: readonly Table[]): boolean {
    for (const { table } of this.#unwritten.values()) if (tables.includes(table)) return true;
    return false;
  }

  get isEmpty(): boolean {
    return this.#unwritten.size === 0;
  }

  /** Writes what the database does not have yet, inside a transaction. */
  write(): void {
    for (const { table, key, base, stored, changed } of this.#unwritten.values()) {
      const { values } = stored;
      const written = base
        ? this.#database.write(updateOf(table, changed), [
            ...Array.from(changed, (column) => values[column] ?? null),
            ...key,
            ...guardsOf(table).map((column) => base[column] ?? null),
          ])
        : this.#insert(table, values);
      if (written !== 1) throw new UnexpectedRow(`${stored.name} is not as it was.`);
    }
  }

  /** What was written is in the database for good. */
  keep(): void {
    for (const { table, stored } of this.#unwritten.values()) {
      if (KEPT.has(table) && bytesOf(stored) <= MOST_BYTES) this.#rows.set(stored.name, stored);
      else this.#rows.delete(stored.name);
    }
    this.#unwritten.clear();
  }

  /** Somebody wrote past the memory: everything is read again. */
  forget(): void {
    this.#unwritten.clear();
    this.#rows.clear();
    this.#lists.clear();
  }

  /** A row was written past the memory; it is in the same lists as before. */
  forgetRow(table: Table, ...key: string[]): void {
    this.#rows.delete(nameOf(table, key));
  }

  /** Rows of a table that the memory keeps, to be looked at. */
  *kept(table: Table): Generator<SqlRow> {
    for (const { name, values } of this.#rows.values()) {
      if (name.startsWith(`${table}\0`)) yield values;
    }
  }

  #known(name: string): StoredRow | undefined {
    return this.#unwritten.get(name)?.stored ?? this.#rows.get(name);
  }

  #find(table: Table, key: readonly string[]): StoredRow | null {
    const name = nameOf(table, key);
    const known = this.#known(name);
    if (known) return known;
    const values = this.#database.get(selectOf(table), ...key);
    return values ? this.#meet(table, values) : null;
  }

  /** A row that the database has; what is known of it is newer. */
  #meet(table: Table, values: SqlRow): StoredRow {
    const { keyColumns } = layoutOf(table);
    const name = nameOf(
      table,
      keyColumns.map((column) => String(values[column])),
    );
    const known = this.#known(name);
    if (known) return known;
    const stored = { name, values };
    if (KEPT.has(table) && bytesOf(stored) <= MOST_BYTES) this.#rows.set(name, stored);
    return stored;
  }

  #namesIn(list: RowList, of: string[]): Set<string> | undefined {
    const listName = nameOfList(list, of);
    const known = this.#lists.get(listName);
    if (known) return known;
    const names = new Set<string>();
    const found = this.#database.all(list.sql, ...of);
    // There may be more of them than were read, whatever has become of these meanwhile.
    if (found.length > (list.most ?? Infinity)) return undefined;
    const rows = found.map((row) => this.#meet(list.table, row));
    for (const stored of rows) if (list.has(stored.values)) names.add(stored.name);
    for (const { table, stored } of this.#unwritten.values()) {
      const belongs = table === list.table && nameOfList(list, list.of(stored.values)) === listName;
      if (belongs && list.has(stored.values)) names.add(stored.name);
    }
    if (list.isKept ?? true) this.#lists.set(listName, names);
    return names;
  }

  #enlist(table: Table, { name, values }: StoredRow): void {
    for (const list of LISTS_OF_TABLE[table] ?? []) {
      const listName = nameOfList(list, list.of(values));
      const names = this.#lists.get(listName);
      if (!names) continue;
      if (list.has(values)) names.add(name);
      else names.delete(name);
      if (names.size > (list.most ?? Infinity)) this.#lists.delete(listName);
    }
  }

  #insert(table: Table, values: SqlRow): number {
    const columns = Object.keys(this.#defaultsOf(table));
    return this.#database.write(
      insertInto(table, columns),
      columns.map((column) => values[column] ?? null),
    );
  }

  /** What each column of the table has that an insert does not name. */
  #defaultsOf(table: Table): SqlRow {
    let defaults = this.#defaults.get(table);
    if (!defaults) {
      const columns = this.#database.all(
        "SELECT name, dflt_value FROM pragma_table_info(?)",
        table,
      );
      defaults = Object.fromEntries(columns.map((one) => [String(one["name"]), literal(one)]));
      this.#defaults.set(table, defaults);
    }
    return defaults;
  }
}

const literal = ({ dflt_value: text }: SqlRow): SqlValue =>
  typeof text === "string" ? (JSON.parse(text.replaceAll("'", '"')) as SqlValue) : null;

function toRow<T extends Table>(table: T, stored: StoredRow): Tables[T] {
  stored.row ??= fromRow(table, stored.values);
  return stored.row as Tables[T];
}

/** Ids hold no NUL, so no two rows share a name. */
function nameOf(table: Table, key: readonly string[]): string {
  return key.length === 1 ? `${table}\0${key[0]}` : `${table}\0${key[0]}\0${key[1]}`;
}

function keyOfName(name: string): string[] {
  return name.split("\0").slice(1);
}

function nameOfList(list: RowList, of: readonly SqlValue[]): string {
  return of.length === 1 ? `${list.sql}\0${of[0]}` : `${list.sql}\0${of.join("\0")}`;
}

function bytesOf({ values }: StoredRow): number {
  let bytes = 100;
  for (const column in values) {
    const value = values[column];
    bytes += typeof value === "string" ? 2 * value.length + 16 : 16;
  }
  return bytes;
}

const texts = new Map<string, string>();
/** A text that is put together once. */
function textFor(name: string, make: () => string): string {
  let text = texts.get(name);
  if (text === undefined) texts.set(name, (text = make()));
  return text;
}

const selectOf = (table: Table) =>
  textFor(table, () => `SELECT * FROM ${table} WHERE ${layoutOf(table).where}`);

function insertInto(table: Table, columns: string[]): string {
  return textFor(`${table} insert`, () => {
    const names = columns.map((column) => `"${column}"`).join(", ");
    const marks = columns.map(() => "?").join(", ");
    return `INSERT INTO ${table} (${names}) VALUES (${marks})
      ON CONFLICT (${layoutOf(table).keyColumns.join(", ")}) DO NOTHING`;
  });
}

function updateOf(table: Table, changed: Set<string>): string {
  const columns = [...changed];
  return textFor(`${table} update ${columns.join()}`, () => {
    const sets = columns.map((column) => `"${column}" = ?`).join(", ");
    const guards = guardsOf(table).map((column) => `${column} = ?`);
    return `UPDATE ${table} SET ${sets} WHERE ${layoutOf(table).where} AND ${guards.join(" AND ")}`;
  });
}
