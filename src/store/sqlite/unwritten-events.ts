import { CHAINED } from "../audit/chain.ts";
import type { Database, SqlValue } from "./database.ts";

/** An event as SQL keeps it: what its hash covers, in that order. */
export type EventValues = SqlValue[];

const COLUMNS = [...CHAINED, "hash"];
const ROW = `(${COLUMNS.map(() => "?").join(", ")})`;
/** How many events one statement inserts at most. */
const MOST = 16;
const INSERTS = Array.from({ length: MOST + 1 }, (_, count) => {
  const rows = Array.from({ length: count }, () => ROW);
  return `INSERT INTO events (${COLUMNS.join(", ")}) VALUES ${rows.join(", ")}`;
});

/** Events that have their place in a log, and that the database does not have yet. */
export class UnwrittenEvents {
  readonly #database: Database;
  #values: SqlValue[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  add(event: EventValues, hash: string): void {
    for (const value of event) this.#values.push(value);
    this.#values.push(hash);
  }

  write(): void {
    const most = MOST * COLUMNS.length;
    for (let from = 0; from < this.#values.length; from += most) {
      const values = this.#values.slice(from, from + most);
      this.#database.write(INSERTS[values.length / COLUMNS.length] ?? "", values);
    }
  }

  clear(): void {
    this.#values = [];
  }
}
