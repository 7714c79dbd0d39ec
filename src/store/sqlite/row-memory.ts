import type { Table } from "../../core/ports.ts";
import type { Database } from "./database.ts";
import type { EncodedWrite } from "./encode-commit.ts";
import type { Most } from "./generations.ts";
import { LISTS_OF_NEW } from "./row-lists.ts";
import { nameOf } from "./rows.ts";
import { type StoredRow, TableMemory } from "./table-memory.ts";
import { TABLES } from "../tables/tables.ts";

/**
 * The rows that are being worked with, as they are with every commit so far, and those of them that
 * the database does not have yet. The one process that writes a database asks it in place of the
 * database, and writes what changed when a transaction ends: a row that changed three times is
 * written once.
 */
export class RowMemory {
  readonly #all: TableMemory<Table>[];
  /** What is not written yet, in the order in which it came: a row may refer to one before it. */
  readonly #order: StoredRow[] = [];
  readonly #tables: { readonly [T in Table]: TableMemory<T> };

  constructor(database: Database, most?: Most) {
    const names = Object.keys(TABLES) as Table[];
    this.#all = names.map((table) => new TableMemory(database, table, this.#order, most));
    this.#tables = Object.fromEntries(
      names.map((table, index) => [table, this.#all[index]]),
    ) as never;
  }

  of<T extends Table>(table: T): TableMemory<T> {
    return this.#tables[table];
  }

  insert(write: EncodedWrite): void {
    this.#tables[write.table].insert(write);
    for (const list of LISTS_OF_NEW[write.table] ?? []) {
      this.of(list.table).beginList(list, nameOf(write.id));
    }
  }

  /** Whether rows of these tables are not in the database yet. */
  holds(tables: readonly Table[]): boolean {
    return tables.some((table) => !this.#tables[table].isEmpty);
  }

  get isEmpty(): boolean {
    return this.#order.length === 0;
  }

  set isCareful(isCareful: boolean) {
    for (const table of this.#all) table.isCareful = isCareful;
  }

  /** Writes what the database does not have yet, inside a transaction. */
  write(): void {
    for (const stored of this.#order) this.#tables[stored.table].write(stored);
  }

  /** What was written is in the database for good. */
  keep(): void {
    for (const table of this.#all) table.keep();
    this.#order.length = 0;
  }

  /** Somebody wrote past the memory: everything is read again. */
  forget(): void {
    for (const table of this.#all) table.forget();
    this.#order.length = 0;
  }
}
