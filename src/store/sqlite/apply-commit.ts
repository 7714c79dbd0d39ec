import type { CommitResult, SessionRow, Table, Tables } from "../../core/ports.ts";
import { chainHash, genesis } from "./audit/chain.ts";
import type { Head } from "./audit/head-file.ts";
import type { Database } from "./database.ts";
import type { EncodedCommit, EncodedWrite } from "./encode-commit.ts";
import type { OpenCounts } from "./open-counts.ts";
import type { RowMemory } from "./row-memory.ts";
import { layoutOf } from "./rows.ts";
import type { UnwrittenEvents } from "./unwritten-events.ts";

/** Where a commit goes. */
export interface Parts {
  database: Database;
  memory: RowMemory;
  events: UnwrittenEvents;
  counts: OpenCounts;
  /** How far logs got with what is not written yet. */
  raised: { sessionId: string; from: Head; to: Head }[];
}

/**
 * Tables that other processes write to as well. Their rows are not in the memory: a commit that
 * touches one runs inside a transaction of the database.
 */
const SHARED = new Set<Table>(["principals", "tokens", "grants"]);

export function touchesShared({ writes }: EncodedCommit): boolean {
  return writes.some(({ table }) => SHARED.has(table));
}

/** Takes the whole commit or nothing of it. */
export function applyCommit(parts: Parts, commit: EncodedCommit): CommitResult {
  const refusal = checkFence(parts.memory, commit.fence) ?? checkVersions(parts, commit.writes);
  if (refusal) return refusal;
  checkEvents(parts, commit);
  for (const write of commit.writes) applyWrite(parts, write);
  return { ok: true, lastSeq: appendEvents(parts, commit) };
}

function checkFence(memory: RowMemory, fence: EncodedCommit["fence"]): CommitResult | undefined {
  if (!fence) return undefined;
  const run = memory.findValues("runs", fence.runId);
  if (run && run["epoch"] === fence.epoch && run["status"] !== "ended") return undefined;
  return { ok: false, reason: "fenced", epoch: run ? Number(run["epoch"]) : -1 };
}

function checkVersions(parts: Parts, writes: EncodedWrite[]): CommitResult | undefined {
  /** The versions that rows have after the writes before. */
  const versions = new Map<string, number>();
  for (const { table, id, key, ifVersion } of writes) {
    const name = `${table} ${key.join(", ")}`;
    const before = versions.get(name);
    versions.set(name, ifVersion + 1);
    if (before === ifVersion) continue;
    if (before !== undefined) throw new Error(`One commit writes the row ${name} twice.`);
    const current = findCurrent(parts, table, key, ifVersion);
    if ((current?.version ?? 0) !== ifVersion) {
      return { ok: false, reason: "conflict", table, id, current };
    }
  }
  return undefined;
}

function findCurrent<T extends Table>(
  { memory }: Parts,
  table: T,
  key: readonly string[],
  ifVersion: number,
): Tables[T] | null {
  const mayBeUnread = ifVersion === 0 && !SHARED.has(table);
  return mayBeUnread ? memory.findToInsert(table, key) : memory.find(table, ...key);
}

function applyWrite(parts: Parts, write: EncodedWrite): void {
  const { memory } = parts;
  const { table, key, ifVersion, set } = write;
  if (SHARED.has(table)) return writeShared(parts.database, write);
  if (table === "interactions") countOpen(parts, write);
  if (ifVersion === 0) memory.insert(write);
  else memory.update(table, key, set);
}

function writeShared(database: Database, { table, key, ifVersion, set }: EncodedWrite): void {
  const { keyColumns, where } = layoutOf(table);
  const columns = Object.keys(set);
  if (ifVersion === 0) {
    const names = [...keyColumns, ...columns].map((column) => `"${column}"`);
    const marks = names.map(() => "?");
    const sql = `INSERT INTO ${table} (${names.join(", ")}, version) VALUES (${marks.join(", ")}, 1)`;
    database.run(sql, ...key, ...Object.values(set));
    return;
  }
  const sets = columns.map((column) => `"${column}" = ?, `).join("");
  const sql = `UPDATE ${table} SET ${sets}version = version + 1 WHERE ${where}`;
  database.run(sql, ...Object.values(set), ...key);
}

const isOpen = (status: unknown) => status === "open" || status === "expiring";

function countOpen({ memory, counts }: Parts, { key, ifVersion, set }: EncodedWrite): void {
  if (set["status"] === undefined || !counts.isKnown) return;
  const before = ifVersion === 0 ? undefined : memory.findValues("interactions", ...key);
  const change = Number(isOpen(set["status"])) - Number(isOpen(before?.["status"]));
  if (change === 0) return;
  const sessionId = String(before?.["session_id"] ?? set["session_id"]);
  counts.change(change, memory.find("sessions", sessionId)?.budgetId ?? null);
}

function checkEvents({ memory }: Parts, { sessionId, events, writes }: EncodedCommit): void {
  if (events.length === 0) return;
  if (sessionId === undefined) throw new Error("A commit with events must name their session.");
  const isNew = writes.some(({ table, key }) => table === "sessions" && key[0] === sessionId);
  if (!isNew && !memory.find("sessions", sessionId)) {
    throw new Error(`There is no session "${sessionId}" to append events to.`);
  }
}

/** Gives the session's last `seq`. */
function appendEvents(
  { memory, events: unwritten, raised }: Parts,
  { sessionId, events }: EncodedCommit,
): number {
  if (sessionId === undefined) return 0;
  if (events.length === 0) return lastSeqOf(memory.find("sessions", sessionId));
  const log = memory.findValues("sessions", sessionId) ?? {};
  const chainId = String(log["chain_id"] ?? log["log_id"]);
  const before = {
    seq: Number(log["last_seq"]),
    hash: String(log["last_hash"] ?? genesis(sessionId, chainId)),
  };
  let { seq, hash } = before;
  for (const event of events) {
    const row = [sessionId, ++seq, ...event];
    hash = chainHash(hash, row);
    row.push(hash);
    unwritten.add(row);
  }
  memory.update("sessions", [sessionId], { last_seq: seq, last_hash: hash }, false);
  raised.push({ sessionId, from: before, to: { seq, hash } });
  return seq;
}

const lastSeqOf = (session: SessionRow | null) => session?.lastSeq ?? 0;
