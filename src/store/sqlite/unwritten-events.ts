import type { Database, SqlValue } from "./database.ts";

const COLUMNS = /* sql */ `session_id, seq, id, v, type, at, turn_id, response_id, call_id,
  interaction_id, actor_id, payload, audit, hash`;
const ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
/** How many events one statement inserts at most. */
const MOST = 16;
const INSERTS = Array.from({ length: MOST + 1 }, (_, count) => {
  const rows = Array.from({ length: count }, () => ROW);
  return `INSERT INTO events (${COLUMNS}) VALUES ${rows.join(", ")}`;
});

/** Events that have their place in a log, and that the database does not have yet. */
export class UnwrittenEvents {
  readonly #database: Database;
  #rows: SqlValue[][] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  add(row: SqlValue[]): void {
    this.#rows.push(row);
  }

  write(): void {
    for (let from = 0; from < this.#rows.length; from += MOST) {
      const rows = this.#rows.slice(from, from + MOST);
      this.#database.write(INSERTS[rows.length] ?? "", rows.flat());
    }
  }

  clear(): void {
    this.#rows = [];
  }
}
