import type { Loss } from "./head-file.ts";

/** What can be wrong with the audit. */
type ProblemCode =
  | "row_changed"
  | "row_missing"
  | "rows_out_of_order"
  | "last_rows_missing"
  | "count_differs"
  | "session_missing"
  | "head_differs"
  | "head_file_missing"
  | "head_file_unreadable"
  | "tables_differ"
  | "unreadable";

export interface AuditProblem {
  problem: ProblemCode;
  /** Absent where it concerns no session, or no row, in particular. */
  sessionId?: string;
  seq?: number;
  /** A sentence. It names no value of a row: those may be private. */
  message: string;
}

/** What a verifier says of a loss that the head file has a note of. */
export function problemOf({ seq, after, at }: Loss): Omit<AuditProblem, "sessionId"> {
  const when = `when the server started at ${at}`;
  if (after >= seq) {
    const message = `Row ${seq}, or one before it, was not the one that the head file knew ${when}.`;
    return { problem: "head_differs", seq, message };
  }
  const rows = after + 1 === seq ? `Row ${seq} was` : `Rows ${after + 1} to ${seq} were`;
  return { problem: "last_rows_missing", seq: after + 1, message: `${rows} missing ${when}.` };
}
