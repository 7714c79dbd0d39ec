import { DatabaseSync, type StatementSyncInstance } from "@photostructure/sqlite";
import { isBusy } from "./failures.ts";
import { refuseNul } from "./refuse-nul.ts";

export type SqlValue = string | number | null;
export type SqlRow = Record<string, SqlValue>;

/** One connection with its prepared statements; each SQL text is compiled once. */
export class Database {
  readonly statements = new Map<string, StatementSyncInstance>();
  /** How long a statement waits for another process; while it does, so does this whole process. */
  readonly patienceMs: number;
  readonly #connection: InstanceType<typeof DatabaseSync>;

  constructor(path: string, patienceMs: number, { readOnly = false } = {}) {
    this.patienceMs = patienceMs;
    this.#connection = new DatabaseSync(path, { timeout: patienceMs, readOnly });
  }

  /** Runs one or more statements that are needed once. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Gives the number of rows that it changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(...checked(values)).changes;
  }

  get(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    return this.#prepare(sql).get(...checked(values)) as SqlRow | undefined;
  }

  all(sql: string, ...values: SqlValue[]): SqlRow[] {
    return this.#prepare(sql).all(...checked(values)) as SqlRow[];
  }

  /** Reads no further than the caller does. */
  iterate(sql: string, ...values: SqlValue[]): IterableIterator<SqlRow> {
    return this.#prepare(sql).iterate(...checked(values)) as IterableIterator<SqlRow>;
  }

  pragma(pragma: string): SqlValue {
    const row = this.#connection.prepare(`PRAGMA ${pragma}`).get() as SqlRow | undefined;
    return Object.values(row ?? {})[0] ?? null;
  }

  /** Runs a statement whose values were checked when they were encoded. */
  write(sql: string, values: SqlValue[]): number {
    return this.#prepare(sql).run(...values).changes;
  }

  /** From now on a statement that another process is in the way of fails at once. */
  stopWaiting(): void {
    this.pragma("busy_timeout = 0");
  }

  /** Begins to write, and waits for another process that is writing; so does this whole process. */
  beginPatiently(): void {
    try {
      return void this.run("BEGIN IMMEDIATE");
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    this.pragma(`busy_timeout = ${this.patienceMs}`);
    try {
      this.run("BEGIN IMMEDIATE");
    } finally {
      this.stopWaiting();
    }
  }

  /** Some failures (a full disk) have ended the transaction already; that is fine. */
  rollback(): void {
    if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
  }

  close(): void {
    this.statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}

function checked(values: SqlValue[]): SqlValue[] {
  for (const value of values) if (typeof value === "string") refuseNul(value);
  return values;
}
