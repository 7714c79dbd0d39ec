import type { Table } from "../../core/ports.ts";
import { placesOf, type Values } from "./rows.ts";

/** Rows of one table that belong together, of which the store knows in memory which they are. */
export interface RowList<T extends Table = Table> {
  table: T;
  /** All rows of one list, in the order in which they were inserted where `order` ties. */
  sql: string;
  /** Which list the row would be in: the values of `sql`, with a NUL between them. */
  of(row: Readonly<Values>): string;
  has(row: Readonly<Values>): boolean;
  order(a: Readonly<Values>, b: Readonly<Values>): number;
  /** A list that has more rows is neither kept nor read whole. */
  most?: number;
  /** It is read each time. @default true */
  isKept?: boolean;
}

const RUN = placesOf("runs");
const CALL = placesOf("tool_calls");
const PROMPT = placesOf("interactions");

const by = (place: number) => (a: Readonly<Values>, b: Readonly<Values>) =>
  Number(a[place]) - Number(b[place]);
const at = (place: number) => (row: Readonly<Values>) => String(row[place]);
const byAge = by(PROMPT.createdAt);
const byAgeOfRun = by(RUN.createdAt);
const byPosition = by(RUN.position);

export const queuedTurns: RowList<"runs"> = {
  table: "runs",
  sql: /* sql */ `SELECT * FROM runs
    WHERE session_id = ? AND status = 'queued' AND kind = 'turn'
    ORDER BY position, created_at, rowid`,
  of: at(RUN.sessionId),
  has: (row) => row[RUN.status] === "queued" && row[RUN.kind] === "turn",
  order: (a, b) => byPosition(a, b) || byAgeOfRun(a, b),
};

export const activeRuns: RowList<"runs"> = {
  table: "runs",
  sql: /* sql */ `SELECT * FROM runs
    WHERE session_id = ? AND status IN ('live', 'suspended') ORDER BY created_at, rowid`,
  of: at(RUN.sessionId),
  has: (row) => row[RUN.status] === "live" || row[RUN.status] === "suspended",
  order: byAgeOfRun,
};

export const callsOfRun: RowList<"tool_calls"> = {
  table: "tool_calls",
  sql: "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY created_at, rowid",
  of: at(CALL.runId),
  has: () => true,
  order: by(CALL.createdAt),
};

export const promptsOfCall: RowList<"interactions"> = {
  table: "interactions",
  sql: /* sql */ `SELECT * FROM interactions
    WHERE session_id = ? AND call_id = ? ORDER BY created_at, rowid`,
  of: (row) => `${row[PROMPT.sessionId]}\0${row[PROMPT.callId]}`,
  has: () => true,
  order: byAge,
};

export const openPrompts: RowList<"interactions"> = {
  table: "interactions",
  sql: /* sql */ `SELECT * FROM interactions
    WHERE session_id = ? AND status IN ('open', 'expiring') ORDER BY created_at, id`,
  of: at(PROMPT.sessionId),
  has: (row) => isOpen(row[PROMPT.status]),
  order: byAge,
};

export const isOpen = (status: unknown) => status === "open" || status === "expiring";

const isUnclaimed = (row: Readonly<Values>) =>
  row[PROMPT.adoptedByCall] === null &&
  (row[PROMPT.status] === "open" || row[PROMPT.status] === "answered");
const UNCLAIMED = "adopted_by_call IS NULL AND status IN ('open', 'answered')";

interface Unclaimed {
  /** All of a session: few, as a rule. */
  all: RowList<"interactions">;
  /** Those of a session that one tool asked in the same words. */
  alike: RowList<"interactions">;
}

const MOST_UNCLAIMED = 100;

function unclaimed(which: string, isOne: (row: Readonly<Values>) => boolean): Unclaimed {
  const select = (of: string) => /* sql */ `SELECT * FROM interactions
    WHERE ${of} AND ${which} AND ${UNCLAIMED} ORDER BY tool_name, request_digest, created_at`;
  const all: RowList<"interactions"> = {
    table: "interactions",
    sql: `${select("session_id = ?")} LIMIT ${MOST_UNCLAIMED + 1}`,
    of: at(PROMPT.sessionId),
    has: (row) => isOne(row) && isUnclaimed(row),
    order: byAge,
    most: MOST_UNCLAIMED,
  };
  const alike: RowList<"interactions"> = {
    ...all,
    sql: select("session_id = ? AND tool_name = ? AND request_digest = ?"),
    of: (row) => `${row[PROMPT.sessionId]}\0${row[PROMPT.toolName]}\0${row[PROMPT.requestDigest]}`,
    most: Infinity,
    isKept: false,
  };
  return { all, alike };
}

/** Prompts whose run is gone, and whose answer no call has taken. */
export const orphanedPrompts = unclaimed(
  "link = 'orphaned' AND outcome IS NULL",
  (row) => row[PROMPT.link] === "orphaned" && row[PROMPT.outcome] === null,
);

/** Approvals that came after their call had ended as pending, and that no call has taken. */
export const queuedApprovals = unclaimed(
  "link = 'queued' AND type = 'approval'",
  (row) => row[PROMPT.link] === "queued" && row[PROMPT.type] === "approval",
);

export const LISTS_OF_TABLE: Partial<Record<Table, readonly RowList[]>> = {
  runs: [queuedTurns, activeRuns],
  tool_calls: [callsOfRun],
  interactions: [promptsOfCall, openPrompts, orphanedPrompts.all, queuedApprovals.all],
};

/**
 * Lists that a new row has, under its own name, and that are empty because nothing can belong to it
 * yet: a session is stored before its runs and prompts, a run before its calls, and a call before its
 * prompts.
 */
export const LISTS_OF_NEW: Partial<Record<Table, readonly RowList[]>> = {
  sessions: [queuedTurns, activeRuns, openPrompts, orphanedPrompts.all, queuedApprovals.all],
  runs: [callsOfRun],
  tool_calls: [promptsOfCall],
};
