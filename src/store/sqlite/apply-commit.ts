import type { CommitResult } from "../../core/ports.ts";
import { chainHash, genesis } from "./audit/chain.ts";
import type { HeadKeeper } from "./audit/head-keeper.ts";
import type { Database } from "./database.ts";
import { type EncodedCommit, type EncodedWrite, INSERT_EVENT } from "./encode-commit.ts";
import { isUnavailable } from "./failures.ts";
import { Undo } from "./group-commit.ts";
import { layoutOf, readRow } from "./rows.ts";

/** Writes the whole commit or nothing of it. Runs inside the writer's transaction. */
export function applyCommit(
  database: Database,
  commit: EncodedCommit,
  heads?: HeadKeeper,
): CommitResult {
  const refusal = checkFence(database, commit.fence);
  if (refusal) return refusal;
  for (const index of commit.writes.keys()) applyWrite(database, commit.writes, index);
  return { ok: true, lastSeq: appendEvents(database, commit, heads) };
}

function checkFence(database: Database, fence: EncodedCommit["fence"]): CommitResult | undefined {
  if (!fence) return undefined;
  const run = database.get("SELECT epoch, status FROM runs WHERE id = ?", fence.runId);
  if (run && run["epoch"] === fence.epoch && run["status"] !== "ended") return undefined;
  return { ok: false, reason: "fenced", epoch: run ? Number(run["epoch"]) : -1 };
}

function checkVersions(database: Database, writes: EncodedWrite[]): CommitResult | undefined {
  for (const { table, id, key, ifVersion } of writes) {
    const { where } = layoutOf(table);
    const row = database.get(`SELECT version FROM ${table} WHERE ${where}`, ...key);
    if ((row?.["version"] ?? 0) !== ifVersion) {
      const current = readRow(database, table, `SELECT * FROM ${table} WHERE ${where}`, ...key);
      return { ok: false, reason: "conflict", table, id, current };
    }
  }
  return undefined;
}

function applyWrite(database: Database, writes: EncodedWrite[], index: number): void {
  const { table, key, sql, values } = writes[index]!;
  let fault: unknown;
  try {
    if (database.run(sql, ...values) === 1) return;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    fault = error;
  }
  const row = key.join(", ");
  if (writes.slice(0, index).some((one) => one.table === table && one.key.join(", ") === row)) {
    throw new Error(`One commit writes the row ${row} of "${table}" twice.`);
  }
  // The rows of the writes that are left are as they were before this commit.
  const refusal = checkVersions(database, writes.slice(index));
  throw refusal ? new Undo(refusal) : fault;
}

const LOG = `SELECT last_seq, last_hash, coalesce(chain_id, log_id) AS chain_id
  FROM sessions WHERE id = ?`;
const APPENDED = "UPDATE sessions SET last_seq = ?, last_hash = ? WHERE id = ?";

/** Gives the session's last `seq`. */
function appendEvents(
  database: Database,
  { sessionId, events }: EncodedCommit,
  heads: HeadKeeper | undefined,
): number {
  if (sessionId === undefined) {
    if (events.length > 0) throw new Error("A commit with events must name their session.");
    return 0;
  }
  const log = database.get(LOG, sessionId);
  if (events.length === 0) return Number(log?.["last_seq"] ?? 0);
  if (!log) throw new Error(`There is no session "${sessionId}" to append events to.`);
  const before = {
    seq: Number(log["last_seq"]),
    hash: String(log["last_hash"] ?? genesis(sessionId, String(log["chain_id"]))),
  };
  let { seq, hash } = before;
  for (const event of events) {
    hash = chainHash(hash, [sessionId, ++seq, ...event]);
    database.run(INSERT_EVENT, sessionId, seq, ...event, hash);
  }
  database.run(APPENDED, seq, hash, sessionId);
  heads?.raise(sessionId, before, { seq, hash });
  return seq;
}
