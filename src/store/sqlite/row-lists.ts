import type { Table } from "../../core/ports.ts";
import type { SqlRow, SqlValue } from "./database.ts";

/** Rows of one table that belong together, of which the store knows in memory which they are. */
export interface RowList<T extends Table = Table> {
  table: T;
  /** All rows of one list, in the order in which they were inserted where `order` ties. */
  sql: string;
  /** Which list the row would be in: the values of `sql`. */
  of(row: SqlRow): SqlValue[];
  has(row: SqlRow): boolean;
  order(a: SqlRow, b: SqlRow): number;
  /** A list that has more rows is neither kept nor read whole. */
  most?: number;
  /** It is read each time. @default true */
  isKept?: boolean;
}

const byAge = (a: SqlRow, b: SqlRow) => Number(a["created_at"]) - Number(b["created_at"]);
const isOneOf = (value: SqlValue | undefined, ...values: SqlValue[]) =>
  values.includes(value ?? null);

export const queuedTurns: RowList<"runs"> = {
  table: "runs",
  sql: /* sql */ `SELECT * FROM runs
    WHERE session_id = ? AND status = 'queued' AND kind = 'turn'
    ORDER BY position, created_at, rowid`,
  of: (row) => [row["session_id"] ?? null],
  has: (row) => row["status"] === "queued" && row["kind"] === "turn",
  order: (a, b) => Number(a["position"]) - Number(b["position"]) || byAge(a, b),
};

export const activeRuns: RowList<"runs"> = {
  table: "runs",
  sql: /* sql */ `SELECT * FROM runs
    WHERE session_id = ? AND status IN ('live', 'suspended') ORDER BY created_at, rowid`,
  of: (row) => [row["session_id"] ?? null],
  has: (row) => isOneOf(row["status"], "live", "suspended"),
  order: byAge,
};

export const callsOfRun: RowList<"tool_calls"> = {
  table: "tool_calls",
  sql: "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY created_at, rowid",
  of: (row) => [row["run_id"] ?? null],
  has: () => true,
  order: byAge,
};

export const promptsOfCall: RowList<"interactions"> = {
  table: "interactions",
  sql: /* sql */ `SELECT * FROM interactions
    WHERE session_id = ? AND call_id = ? ORDER BY created_at, rowid`,
  of: (row) => [row["session_id"] ?? null, row["call_id"] ?? null],
  has: () => true,
  order: byAge,
};

export const openPrompts: RowList<"interactions"> = {
  table: "interactions",
  sql: /* sql */ `SELECT * FROM interactions
    WHERE session_id = ? AND status IN ('open', 'expiring') ORDER BY created_at, id`,
  of: (row) => [row["session_id"] ?? null],
  has: (row) => isOneOf(row["status"], "open", "expiring"),
  order: byAge,
};

const isUnclaimed = (row: SqlRow) =>
  row["adopted_by_call"] === null && isOneOf(row["status"], "open", "answered");
const UNCLAIMED = "adopted_by_call IS NULL AND status IN ('open', 'answered')";

interface Unclaimed {
  /** All of a session: few, as a rule. */
  all: RowList<"interactions">;
  /** Those of a session that one tool asked in the same words. */
  alike: RowList<"interactions">;
}

const MOST_UNCLAIMED = 100;

function unclaimed(which: string, isOne: (row: SqlRow) => boolean): Unclaimed {
  const select = (of: string) => /* sql */ `SELECT * FROM interactions
    WHERE ${of} AND ${which} AND ${UNCLAIMED} ORDER BY tool_name, request_digest, created_at`;
  const all: RowList<"interactions"> = {
    table: "interactions",
    sql: `${select("session_id = ?")} LIMIT ${MOST_UNCLAIMED + 1}`,
    of: (row) => [row["session_id"] ?? null],
    has: (row) => isOne(row) && isUnclaimed(row),
    order: byAge,
    most: MOST_UNCLAIMED,
  };
  const alike: RowList<"interactions"> = {
    ...all,
    sql: select("session_id = ? AND tool_name = ? AND request_digest = ?"),
    of: (row) => [
      row["session_id"] ?? null,
      row["tool_name"] ?? null,
      row["request_digest"] ?? null,
    ],
    most: Infinity,
    isKept: false,
  };
  return { all, alike };
}

/** Prompts whose run is gone, and whose answer no call has taken. */
export const orphanedPrompts = unclaimed(
  "link = 'orphaned' AND outcome IS NULL",
  (row) => row["link"] === "orphaned" && row["outcome"] === null,
);

/** Approvals that came after their call had ended as pending, and that no call has taken. */
export const queuedApprovals = unclaimed(
  "link = 'queued' AND type = 'approval'",
  (row) => row["link"] === "queued" && row["type"] === "approval",
);

export const LISTS_OF_TABLE: Partial<Record<Table, readonly RowList[]>> = {
  runs: [queuedTurns, activeRuns],
  tool_calls: [callsOfRun],
  interactions: [promptsOfCall, openPrompts, orphanedPrompts.all, queuedApprovals.all],
};

/**
 * Lists that a new row has, and that are empty because nothing can belong to it yet: a session is
 * stored before its runs and prompts, a run before its calls, and a call before its prompts.
 */
export const LISTS_OF_NEW: Partial<Record<Table, (row: SqlRow) => [RowList, SqlValue[]][]>> = {
  sessions: ({ id = null }) =>
    [queuedTurns, activeRuns, openPrompts, orphanedPrompts.all, queuedApprovals.all].map((list) => [
      list,
      [id],
    ]),
  runs: ({ id = null }) => [[callsOfRun, [id]]],
  tool_calls: ({ session_id = null, id = null }) => [[promptsOfCall, [session_id, id]]],
};
