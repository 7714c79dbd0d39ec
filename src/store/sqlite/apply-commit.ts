import type { CommitResult } from "../../core/ports.ts";
import type { Database } from "./database.ts";
import { type EncodedCommit, type EncodedWrite, INSERT_EVENT } from "./encode-commit.ts";
import { layoutOf, readRow } from "./rows.ts";

/** Checks the whole commit, then writes it. Runs inside the writer's transaction. */
export function applyCommit(database: Database, commit: EncodedCommit): CommitResult {
  const refusal = checkFence(database, commit.fence) ?? checkVersions(database, commit.writes);
  if (refusal) return refusal;
  for (const write of commit.writes) applyWrite(database, write);
  return { ok: true, lastSeq: appendEvents(database, commit) };
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

function applyWrite(database: Database, { table, key, sql, values }: EncodedWrite): void {
  if (database.run(sql, ...values) !== 1) {
    throw new Error(`One commit writes the row ${key.join(", ")} of "${table}" twice.`);
  }
}

/** Gives the session's last `seq`. */
function appendEvents(database: Database, { sessionId, events }: EncodedCommit): number {
  if (sessionId === undefined) {
    if (events.length > 0) throw new Error("A commit with events must name their session.");
    return 0;
  }
  if (events.length === 0) {
    const row = database.get("SELECT last_seq FROM sessions WHERE id = ?", sessionId);
    return Number(row?.["last_seq"] ?? 0);
  }
  const row = database.get(
    "UPDATE sessions SET last_seq = last_seq + ? WHERE id = ? RETURNING last_seq",
    events.length,
    sessionId,
  );
  if (!row) throw new Error(`There is no session "${sessionId}" to append events to.`);
  const lastSeq = Number(row["last_seq"]);
  let seq = lastSeq - events.length;
  for (const event of events) database.run(INSERT_EVENT, sessionId, ++seq, ...event);
  return lastSeq;
}
