import type {
  Absence,
  Commit,
  CommitResult,
  Limit,
  NewEvent,
  RowId,
  Table,
  Write,
} from "../../core/ports.ts";
import type { Kind } from "../tables/describe-table.ts";
import { keyOf, layoutOf } from "./layout.ts";
import { fromRow, refuseNul, wellFormed } from "./rows.ts";
import type { SqlRow } from "./lane.ts";
import { TABLE_NAMES } from "./sql/table-columns.ts";

/** A row that is locked before anything is looked at: its table's place in the order, and its key. */
export type Lock = readonly [order: number, key1: string, key2: string];

/** A commit as the database takes it: a copy, so that what a caller changes later changes nothing. */
export interface EncodedCommit {
  /** Commits of one line keep their order. */
  line: string;
  /** For `beckon_commit`, as JSON. */
  json: string;
  locks: Lock[];
  decode(result: unknown): CommitResult;
}

const EVENT_VERSION = 1;
/** What the database says of one commit; a number is the last `seq`. */
type Told =
  | number
  | { fenced: number }
  | { full: number }
  | { present: number }
  | { conflict: number; row: SqlRow | null };

export function encodeCommit(commit: Commit): EncodedCommit {
  const { sessionId, fence, limits = [], absent = [] } = commit;
  if (commit.events.length > 0 && sessionId === undefined) {
    throw new Error("A commit with events must name their session.");
  }
  const writes = encodeWrites(commit.writes);
  const events = commit.events.map(encodeEvent);
  const json = JSON.stringify({
    ...(sessionId !== undefined && { session: sessionId }),
    ...(fence && { fence: [fence.runId, fence.epoch] }),
    writes: writes.map(({ table, key, ifVersion, set, isFirst }) => [
      table,
      key[0],
      key[1] ?? null,
      ifVersion,
      set,
      isFirst,
    ]),
    events,
    changed: changedBy(commit),
    ...(limits.length > 0 && { limits, counted: countedBy(writes) }),
    ...(absent.length > 0 && { absent: absent.map(encodeAbsence) }),
  });
  refuseNul([sessionId, fence?.runId]);
  const named = commit.writes.map(({ table, id }): [Table, RowId] => [table, id]);
  return {
    line: sessionId ?? fence?.runId ?? "",
    json,
    locks: locksOf(commit, writes),
    decode: (result) => decode(result as Told, { named, limits, absent }),
  };
}

interface EncodedWrite {
  table: Table;
  key: readonly string[];
  ifVersion: number;
  set: SqlRow;
  /** Whether no write before it is to the same row. */
  isFirst: boolean;
}

function encodeWrites(writes: Write[]): EncodedWrite[] {
  /** The versions that rows have after the writes before. */
  const versions = new Map<string, number>();
  return writes.map(({ table, id, ifVersion, set }) => {
    const key = keyOf(id).map(wellFormed);
    const { keyColumns } = layoutOf(table);
    if (key.length !== keyColumns.length) {
      throw new Error(`A row of "${table}" is named by ${keyColumns.join(" and ")}.`);
    }
    refuseNul(key);
    const name = `${table} ${key.join("\0")}`;
    const before = versions.get(name);
    if (before !== undefined && before !== ifVersion) {
      throw new Error(`One commit writes the row ${table} ${key.join(", ")} twice.`);
    }
    versions.set(name, ifVersion + 1);
    return { table, key, ifVersion, set: encodeSet(table, set), isFirst: before === undefined };
  });
}

/** The columns that `set` names, without the key and what the store counts itself. */
function encodeSet(table: Table, set: object): SqlRow {
  const row: SqlRow = {};
  for (const { name, column, kind, isWritable } of layoutOf(table).columns) {
    const value = (set as SqlRow)[name];
    if (value !== undefined && isWritable)
      row[column] = value === null ? null : encode(kind, value);
  }
  if (table === "runs" && "state" in set && set.state !== undefined) {
    row["is_ask"] = set.state !== null && Object.hasOwn(set.state, "ask");
  }
  return row;
}

function encode(kind: Kind, value: unknown): unknown {
  if (kind === "json") return JSON.stringify(value);
  if (kind !== "text") return value;
  refuseNul([value]);
  return wellFormed(value as string);
}

function encodeEvent(event: NewEvent): unknown[] {
  const ids = [event.turnId, event.responseId, event.callId, event.interactionId, event.actorId];
  refuseNul([event.id, ...ids]);
  const row: unknown[] = [wellFormed(event.id), EVENT_VERSION, event.type, event.at];
  for (const id of ids) row.push(id === undefined ? null : wellFormed(id));
  row.push(JSON.stringify(event.payload));
  row.push(event.audit === undefined ? null : JSON.stringify(event.audit));
  return row;
}

const TOLD: readonly Table[] = ["sessions", "runs", "interactions"];

/** The ids of what it changes, of the tables that others look at. */
function changedBy({ sessionId, writes, events }: Commit): string[][] {
  const grown = sessionId !== undefined && events.length > 0 ? [sessionId] : [];
  return TOLD.map((table) => {
    const ids = new Set(table === "sessions" ? grown : []);
    for (const write of writes) if (write.table === table) ids.add(String(write.id));
    return Array.from(ids);
  });
}

/** Of each row that may be counted: id, status afterwards, and of a new one session, kind, budget. */
function countedBy(writes: EncodedWrite[]): Record<string, unknown[]> {
  const budgets = new Map<unknown, unknown>(
    writes
      .filter(({ table, ifVersion }) => table === "sessions" && ifVersion === 0)
      .map(({ key, set }) => [key[0], set["budget_id"]]),
  );
  const count = (of: Table) => {
    const rows = new Map<string, SqlRow>();
    for (const { table, key, set } of writes) {
      const id = key[0] ?? "";
      if (table === of) rows.set(id, Object.assign(rows.get(id) ?? {}, set));
    }
    const changed = [...rows].filter(([, row]) => row["status"] !== undefined);
    return changed.map(([id, { status, session_id: session = null, kind = null }]) => [
      id,
      status,
      session,
      kind,
      budgets.get(session) ?? null,
    ]);
  };
  return { openPrompts: count("interactions"), queuedTurns: count("runs") };
}

function encodeAbsence(absence: Absence): SqlRow {
  refuseNul(Object.values(absence));
  const entries = Object.entries(absence) as [string, string][];
  return Object.fromEntries(entries.map(([name, value]) => [name, wellFormed(value)]));
}

function locksOf(
  { sessionId, fence, events, limits = [], absent = [] }: Commit,
  writes: EncodedWrite[],
): Lock[] {
  const locks: Lock[] = [];
  const lock = (table: Table, [first = "", second = ""]: readonly string[]) =>
    locks.push([TABLE_NAMES.indexOf(table), first, second]);
  if (fence) lock("runs", [fence.runId]);
  if (sessionId !== undefined && events.length > 0) lock("sessions", [sessionId]);
  for (const one of [...limits, ...absent]) {
    // Who adds to one session waits for who does the same, so that the count is exact.
    if (one.sessionId !== undefined) lock("sessions", [one.sessionId]);
  }
  for (const { table, key, ifVersion } of writes) if (ifVersion > 0) lock(table, key);
  return locks;
}

/** All of them once, in the order that everybody keeps. */
export function inOrder(locks: readonly Lock[]): unknown[] {
  const sorted = locks.toSorted(
    (a, b) => a[0] - b[0] || compare(a[1], b[1]) || compare(a[2], b[2]),
  );
  return sorted
    .filter((lock, index) => lock.join("\0") !== sorted[index - 1]?.join("\0"))
    .map(([order, first, second]) => [TABLE_NAMES[order], first, second]);
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

interface Given {
  /** The rows that it writes, in order. */
  named: [Table, RowId][];
  limits: Limit[];
  absent: Absence[];
}

function decode(told: Told, { named, limits, absent }: Given): CommitResult {
  if (typeof told === "number") return { ok: true, lastSeq: told };
  if ("fenced" in told) return { ok: false, reason: "fenced", epoch: told.fenced };
  if ("full" in told) return { ok: false, reason: "full", limit: limits[told.full]! };
  if ("present" in told) return { ok: false, reason: "present", absence: absent[told.present]! };
  const [table, id] = named[told.conflict]!;
  const current = told.row && fromRow(table, told.row);
  return { ok: false, reason: "conflict", table, id, current };
}
