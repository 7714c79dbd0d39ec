import type { RowId, Table, Tables } from "../../core/ports.ts";
import type { Database, SqlRow, SqlValue } from "./database.ts";
import type { EncodedWrite } from "./encode-commit.ts";
import { Generations, type Most } from "./generations.ts";
import { LISTS_OF_TABLE, type RowList } from "./row-lists.ts";
import {
  changedRow,
  fromValues,
  keyOf,
  layoutOf,
  nameOf,
  type SetValues,
  toValues,
  type Values,
} from "./rows.ts";

/** Tables whose rows the memory keeps; of the others it holds what is not written yet. */
const KEPT = new Set<Table>(["sessions", "runs", "tool_calls", "interactions"]);
/** A row that is larger is read each time. */
const MOST_BYTES = 32 * 1024;
const LIST_BYTES = 64;
const MOST: Most = { entries: 2_048, bytes: 2 * 1024 * 1024 };

export interface StoredRow {
  table: Table;
  name: string;
  /** Changed in place: whoever undoes a write forgets the row. */
  values: Values;
  /** As core knows it; made when somebody asks. It never changes: a write puts another in its place. */
  row: Tables[Table] | undefined;
  /** What the database has in the columns that guard the row. Nothing: it does not have the row. */
  base: SqlValue[] | undefined;
  /** The places of what the database does not have yet, as bits. */
  changed: number;
}

/** The database has something else than the memory took for certain. Nothing was written. */
class UnexpectedRow extends Error {}

/** The part of `RowMemory` that one table has. */
export class TableMemory<T extends Table> {
  /** An insert looks first whether the row is there. Else the database says so when it is written. */
  isCareful = false;
  readonly #database: Database;
  readonly #table: T;
  readonly #layout: ReturnType<typeof layoutOf>;
  readonly #most: Most;
  readonly #rows: Generations<StoredRow>;
  readonly #lists = new Map<RowList, Generations<Set<string>>>();
  readonly #unwritten = new Map<string, StoredRow>();
  /** What all tables have to write, in the order in which it came. */
  readonly #order: StoredRow[];
  readonly #updates = new Map<number, { sql: string; places: number[] }>();
  #insertion: { sql: string; defaults: Values } | undefined;

  constructor(database: Database, table: T, order: StoredRow[], most = MOST) {
    this.#order = order;
    this.#database = database;
    this.#table = table;
    this.#layout = layoutOf(table);
    this.#most = most;
    this.#rows = new Generations(most, bytesOf);
  }

  find(id: RowId): Tables[T] | null {
    const stored = this.#find(id);
    return stored && this.#toRow(stored);
  }

  /** As SQL keeps it, with the columns that core does not know. To be looked at before the next write. */
  findValues(id: RowId): Readonly<Values> | null {
    return this.#find(id)?.values ?? null;
  }

  /** The row that an insert would meet, as far as that is known. */
  findToInsert(id: RowId): Tables[T] | null {
    const stored = this.isCareful ? this.#find(id) : this.#known(nameOf(id));
    return stored ? this.#toRow(stored) : null;
  }

  /** The rows of a list, in order. */
  list(list: RowList<T>, ...of: string[]): Tables[T][] {
    return this.listIfShort(list, ...of) ?? [];
  }

  /** Nothing where a list has more rows than it may have. */
  listIfShort(list: RowList<T>, ...of: string[]): Tables[T][] | undefined {
    const names = this.#namesIn(list, of);
    if (!names) return undefined;
    const rows: StoredRow[] = [];
    for (const name of names) {
      const stored = this.#known(name) ?? this.#read(name.split("\0"));
      if (stored) rows.push(stored);
    }
    if (rows.length > 1) rows.sort((a, b) => list.order(a.values, b.values));
    return rows.map((stored) => this.#toRow(stored));
  }

  count(list: RowList<T>, ...of: string[]): number {
    return this.#namesIn(list, of)?.size ?? 0;
  }

  insert({ id, set }: EncodedWrite): void {
    const { keyPlaces, version } = this.#layout;
    const values = [...this.#inserting().defaults];
    const name = nameOf(id);
    assign(values, set);
    for (const [index, part] of keyOf(id).entries()) values[keyPlaces[index] as number] = part;
    values[version] = 1;
    const stored = this.#stored(name, values);
    this.#await(stored);
    this.#enlist(stored);
  }

  /** Lists of rows that belong to a row which is new: nothing belongs to it yet. */
  beginList(list: RowList<T>, name: string): void {
    this.#listsOf(list).set(name, new Set());
  }

  /** Sets columns of a row that is there; the version grows unless only the store counts them. */
  update(id: RowId, set: SetValues, isCounted = true): void {
    const stored = this.#find(id);
    const { version, guards } = this.#layout;
    if (!stored) throw new Error(`There is no row ${nameOf(id)} to change.`);
    const { name, values } = stored;
    if (!this.#unwritten.has(name)) {
      stored.base = guards.map((place) => values[place] ?? null);
      this.#await(stored);
    }
    if (isCounted) set[version] = Number(values[version]) + 1;
    stored.changed |= assign(values, set);
    if (stored.row) stored.row = changedRow(this.#table, stored.row as Tables[T], set);
    this.#enlist(stored);
  }

  /** Rows that the database does not have yet as they are. To be looked at before the next write. */
  *unwritten(): Generator<{ isNew: boolean; values: Readonly<Values> }> {
    for (const { base, values } of this.#unwritten.values()) yield { isNew: !base, values };
  }

  get isEmpty(): boolean {
    return this.#unwritten.size === 0;
  }

  /** Writes a row of this table that the database does not have yet, inside a transaction. */
  write(stored: StoredRow): void {
    const written = stored.base
      ? this.#update(stored, stored.base)
      : this.#database.write(this.#inserting().sql, stored.values);
    if (written !== 1) throw new UnexpectedRow(`${stored.name} is not as it was.`);
  }

  /** What was written is in the database for good. */
  keep(): void {
    for (const stored of this.#unwritten.values()) {
      stored.changed = 0;
      if (!this.#keepIfSmall(stored)) this.#rows.delete(stored.name);
    }
    this.#unwritten.clear();
  }

  /** Somebody wrote past the memory: everything is read again. */
  forget(): void {
    this.#unwritten.clear();
    this.#rows.clear();
    this.#lists.clear();
  }

  /** Those rows were written past the memory; they are in the same lists as before. */
  forgetRows(areThose: (values: Readonly<Values>) => boolean): void {
    for (const { name, values } of this.#rows.values()) {
      if (areThose(values)) this.#rows.delete(name);
    }
  }

  #stored(name: string, values: Values): StoredRow {
    return { table: this.#table, name, values, row: undefined, base: undefined, changed: 0 };
  }

  #await(stored: StoredRow): void {
    this.#unwritten.set(stored.name, stored);
    this.#order.push(stored);
  }

  #toRow(stored: StoredRow): Tables[T] {
    stored.row ??= fromValues(this.#table, stored.values);
    return stored.row as Tables[T];
  }

  #known(name: string): StoredRow | undefined {
    return this.#unwritten.get(name) ?? this.#rows.get(name);
  }

  #find(id: RowId): StoredRow | null {
    return this.#known(nameOf(id)) ?? this.#read(keyOf(id));
  }

  #read(key: readonly string[]): StoredRow | null {
    const sql = `SELECT * FROM ${this.#table} WHERE ${this.#layout.where}`;
    const row = this.#database.get(sql, ...key);
    return row ? this.#meet(row) : null;
  }

  /** A row that the database has; what is known of it is newer. */
  #meet(row: SqlRow): StoredRow {
    const name = this.#layout.keyColumns.map((column) => row[column]).join("\0");
    const known = this.#known(name);
    if (known) return known;
    const values = toValues(this.#table, row);
    const stored = this.#stored(name, values);
    this.#keepIfSmall(stored);
    return stored;
  }

  #keepIfSmall(stored: StoredRow): boolean {
    const isKept = KEPT.has(this.#table) && bytesOf(stored) <= MOST_BYTES;
    if (isKept) this.#rows.set(stored.name, stored);
    return isKept;
  }

  #namesIn(list: RowList<T>, of: string[]): Set<string> | undefined {
    const listName = of.join("\0");
    const known = this.#lists.get(list)?.get(listName);
    if (known) return known;
    const names = new Set<string>();
    const found = this.#database.all(list.sql, ...of);
    // There may be more of them than were read, whatever has become of these meanwhile.
    if (found.length > (list.most ?? Infinity)) return undefined;
    const rows = found.map((row) => this.#meet(row));
    for (const stored of [...rows, ...this.#unwritten.values()]) {
      if (list.of(stored.values) === listName && list.has(stored.values)) names.add(stored.name);
    }
    if (list.isKept ?? true) this.#listsOf(list).set(listName, names);
    return names;
  }

  #listsOf(list: RowList): Generations<Set<string>> {
    let lists = this.#lists.get(list);
    if (!lists) {
      lists = new Generations(this.#most, (names) => LIST_BYTES * (names.size + 1));
      this.#lists.set(list, lists);
    }
    return lists;
  }

  #enlist({ name, values }: StoredRow): void {
    for (const list of LISTS_OF_TABLE[this.#table] ?? []) {
      const listName = list.of(values);
      const lists = this.#lists.get(list);
      const names = lists?.get(listName);
      if (!names) continue;
      if (list.has(values)) names.add(name);
      else names.delete(name);
      if (names.size > (list.most ?? Infinity)) lists?.delete(listName);
    }
  }

  #update({ name, values, changed }: StoredRow, base: SqlValue[]): number {
    const { sql, places } = this.#updating(changed);
    const parameters: SqlValue[] = [];
    for (const place of places) parameters.push(values[place] ?? null);
    parameters.push(...name.split("\0"), ...base);
    return this.#database.write(sql, parameters);
  }

  #updating(changed: number): { sql: string; places: number[] } {
    const known = this.#updates.get(changed);
    if (known) return known;
    const { names, where, guards } = this.#layout;
    const places = names.flatMap((_, place) => (changed & (1 << place) ? [place] : []));
    const equals = (place: number) => `"${names[place]}" = ?`;
    const sql = `UPDATE ${this.#table} SET ${places.map(equals).join(", ")}
      WHERE ${where} AND ${guards.map(equals).join(" AND ")}`;
    const update = { sql, places };
    this.#updates.set(changed, update);
    return update;
  }

  /** Also what each column has that an insert does not name. */
  #inserting(): { sql: string; defaults: Values } {
    if (this.#insertion) return this.#insertion;
    const { names, keyColumns } = this.#layout;
    const info = "SELECT name, dflt_value FROM pragma_table_info(?)";
    const found = this.#database.all(info, this.#table);
    const literals = Object.fromEntries(found.map((one) => [String(one["name"]), literal(one)]));
    const columns = names.map((column) => `"${column}"`).join(", ");
    const sql = `INSERT INTO ${this.#table} (${columns}) VALUES (${names.map(() => "?").join(", ")})
      ON CONFLICT (${keyColumns.join(", ")}) DO NOTHING`;
    this.#insertion = { sql, defaults: toValues(this.#table, literals) };
    return this.#insertion;
  }
}

/** Gives the places that were set, as bits. */
function assign(values: Values, set: SetValues): number {
  let places = 0;
  for (let place = 0; place < set.length; place++) {
    const value = set[place];
    if (value === undefined) continue;
    values[place] = value;
    places |= 1 << place;
  }
  return places;
}

const literal = ({ dflt_value: text }: SqlRow): SqlValue =>
  typeof text === "string" ? (JSON.parse(text.replaceAll("'", '"')) as SqlValue) : null;

function bytesOf({ values }: StoredRow): number {
  let bytes = 100;
  for (const value of values) bytes += typeof value === "string" ? 2 * value.length + 16 : 16;
  return bytes;
}
