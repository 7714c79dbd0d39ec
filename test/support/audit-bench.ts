import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { Database, type SqlRow } from "../../src/store/sqlite/database.ts";
import { type AuditedSessions, makeAuditedData } from "./audited-data.ts";
import { runCommand } from "./run-command.ts";

type Values = (string | number)[];

export interface FoundProblem {
  problem: string;
  sessionId?: string;
  seq?: number;
  message: string;
}

/** A data directory that is fresh for each test, and the audit's commands on it. */
export class AuditBench {
  readonly directory = mkdtempSync(join(tmpdir(), "beckon-audit-"));
  readonly data = join(this.directory, "data");
  readonly heads = join(this.data, "audit-heads");
  readonly #made = join(this.directory, "made");
  sessions!: AuditedSessions;

  static async make(): Promise<AuditBench> {
    const bench = new AuditBench();
    bench.sessions = await makeAuditedData(bench.#made);
    return bench;
  }

  reset(): void {
    rmSync(this.data, { recursive: true, force: true });
    cpSync(this.#made, this.data, { recursive: true });
  }

  close(): void {
    rmSync(this.directory, { recursive: true });
  }

  audit(...args: string[]) {
    return runCommand(["audit", ...args], { env: { BECKON_DATA: this.data } });
  }

  /** What `verify` finds; checks that its exit code agrees. */
  async verify(...args: string[]): Promise<FoundProblem[]> {
    const { exitCode, out, err } = await this.audit("verify", "--json", ...args);
    if (out.length === 0) throw new Error(err);
    const { problems, whole } = JSON.parse(out.join("")) as {
      whole: boolean;
      problems: FoundProblem[];
    };
    expect([exitCode, whole]).toEqual(problems.length === 0 ? [0, true] : [1, false]);
    return problems;
  }

  /** Changes the database behind the server's back, as somebody with an editor would. */
  tamper(sql: string, ...values: Values): void {
    this.inDatabase((database) => {
      database.exec("PRAGMA foreign_keys = OFF");
      expect(database.run(sql, ...values)).toBeGreaterThan(0);
    });
  }

  read(sql: string, ...values: Values): SqlRow[] {
    return this.inDatabase((database) => database.all(sql, ...values));
  }

  lastSeq(sessionId: string): number {
    const sql = "SELECT max(seq) AS seq FROM events WHERE session_id = ?";
    return Number(this.read(sql, sessionId)[0]?.["seq"]);
  }

  inDatabase<Result>(work: (database: Database) => Result): Result {
    const database = new Database(join(this.data, "beckon.db"), 1_000);
    try {
      return work(database);
    } finally {
      database.close();
    }
  }
}
