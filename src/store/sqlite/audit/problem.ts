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
