import type { AuditProblem } from "../audit/problem.ts";
import type { RawRow, RawTable } from "./raw-tables.ts";

/** A move that cannot be made, in a sentence that says why and what to do. */
export class MoveRefused extends Error {
  override name = "MoveRefused";
}

/** What tells two stores with the same data from others. */
export interface Contents {
  isEmpty: boolean;
  digest: string;
}

/** What was verified. */
export interface Verified {
  sessions: number;
  events: number;
}

/** One of the two stores of a move, which nobody else writes to meanwhile. */
export interface Side {
  /** For people. */
  readonly name: string;
  contents(): Promise<Contents>;
  read(table: RawTable): AsyncIterable<RawRow[]> | Iterable<RawRow[]>;
  write(table: RawTable, rows: RawRow[]): Promise<void>;
  verify(found: (problem: AuditProblem) => void): Promise<Verified>;
  /** Only now is what was written there for anybody. */
  keep(): Promise<void>;
  /** Lets go; what was not kept is gone. */
  close(): Promise<void>;
}
