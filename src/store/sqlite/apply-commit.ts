import type { CommitResult, RowId, Table, Tables } from "../../core/ports.ts";
import { CHAINED, chainHash, genesis } from "../audit/chain.ts";
import type { ChangedRows } from "./changed-rows.ts";
import { checkAbsent } from "./check-absent.ts";
import { checkLimits } from "./check-limits.ts";
import type { Head } from "../audit/head-file.ts";
import type { Database } from "./database.ts";
import type { EncodedCommit, EncodedWrite } from "./encode-commit.ts";
import type { OpenCounts } from "./open-counts.ts";
import type { RowMemory } from "./row-memory.ts";
import { isOpen } from "./row-lists.ts";
import { keyOf, layoutOf, placesOf, type SetValues } from "./rows.ts";
import type { UnwrittenEvents } from "./unwritten-events.ts";

/** Where a commit goes. */
export interface Parts {
  database: Database;
  memory: RowMemory;
  events: UnwrittenEvents;
  counts: OpenCounts;
  changed: ChangedRows;
  /** How far logs got with what is not written yet. */
  raised: { sessionId: string; from: Head; to: Head }[];
}

/**
 * Tables that other processes write to as well. Their rows are not in the memory: a commit that
 * touches one runs inside a transaction of the database.
 */
const SHARED = new Set<Table>(["principals", "tokens", "grants", "presence"]);

export function touchesShared({ writes }: EncodedCommit): boolean {
  return writes.some(({ table }) => SHARED.has(table));
}

const RUN = placesOf("runs");
const PROMPT = placesOf("interactions");
const SESSION = placesOf("sessions");
const SEQ = CHAINED.indexOf("seq");

/** Takes the whole commit or nothing of it. */
export function applyCommit(parts: Parts, commit: EncodedCommit): CommitResult {
  const refusal = checkFence(parts.memory, commit.fence) ?? checkVersions(parts, commit.writes);
  if (refusal) return refusal;
  const unfit = checkAbsent(parts.memory, commit.absent) ?? checkLimits(parts, commit);
  if (unfit) return unfit;
  checkEvents(parts, commit);
  for (const write of commit.writes) applyWrite(parts, write);
  return { ok: true, lastSeq: appendEvents(parts, commit) };
}

function checkFence(memory: RowMemory, fence: EncodedCommit["fence"]): CommitResult | undefined {
  if (!fence) return undefined;
  const run = memory.of("runs").findValues(fence.runId);
  if (run && run[RUN.epoch] === fence.epoch && run[RUN.status] !== "ended") return undefined;
  return { ok: false, reason: "fenced", epoch: run ? Number(run[RUN.epoch]) : -1 };
}

function checkVersions(parts: Parts, writes: EncodedWrite[]): CommitResult | undefined {
  for (let index = 0; index < writes.length; index++) {
    const write = writes[index] as EncodedWrite;
    const { table, id, ifVersion } = write;
    const before = findBefore(writes, index, write);
    if (before?.ifVersion === ifVersion - 1) continue;
    if (before) throw new Error(`One commit writes the row ${table} ${String(id)} twice.`);
    const current = findCurrent(parts, write);
    if ((current?.version ?? 0) !== ifVersion) {
      return { ok: false, reason: "conflict", table, id, current };
    }
  }
  return undefined;
}

/** The last write of the same row before the one at `index`. */
function findBefore(
  writes: EncodedWrite[],
  index: number,
  { table, id }: EncodedWrite,
): EncodedWrite | undefined {
  while (--index >= 0) {
    const one = writes[index] as EncodedWrite;
    if (one.table === table && isSameId(one.id, id)) return one;
  }
  return undefined;
}

function isSameId(one: RowId, other: RowId): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return one[0] === other[0] && one[1] === other[1];
}

function findCurrent(
  { memory }: Parts,
  { table, id, ifVersion }: EncodedWrite,
): Tables[Table] | null {
  const mayBeUnread = ifVersion === 0 && !SHARED.has(table);
  return mayBeUnread ? memory.of(table).findToInsert(id) : memory.of(table).find(id);
}

function applyWrite(parts: Parts, write: EncodedWrite): void {
  const { memory } = parts;
  const { table, id, ifVersion, set } = write;
  if (SHARED.has(table)) return writeShared(parts.database, write);
  if (table === "interactions") countOpen(parts, write);
  parts.changed.add(table, id);
  if (ifVersion === 0) memory.insert(write);
  else memory.of(table).update(id, set);
}

function writeShared(database: Database, { table, id, ifVersion, set }: EncodedWrite): void {
  const { names, keyColumns, where } = layoutOf(table);
  const places = names.flatMap((_, place) => (set[place] === undefined ? [] : [place]));
  const values = places.map((place) => set[place] ?? null);
  const columns = places.map((place) => `"${names[place]}"`);
  if (ifVersion === 0) {
    const all = [...keyColumns, ...columns];
    const marks = all.map(() => "?");
    const sql = `INSERT INTO ${table} (${all.join(", ")}, version) VALUES (${marks.join(", ")}, 1)`;
    database.run(sql, ...keyOf(id), ...values);
    return;
  }
  const sets = columns.map((column) => `${column} = ?, `).join("");
  const sql = `UPDATE ${table} SET ${sets}version = version + 1 WHERE ${where}`;
  database.run(sql, ...values, ...keyOf(id));
}

function countOpen({ memory, counts }: Parts, { id, ifVersion, set }: EncodedWrite): void {
  const after = set[PROMPT.status];
  if (after === undefined || !counts.isKnown) return;
  const before = ifVersion === 0 ? null : memory.of("interactions").findValues(id);
  const change = Number(isOpen(after)) - Number(isOpen(before?.[PROMPT.status]));
  if (change === 0) return;
  const sessionId = String((before ?? set)[PROMPT.sessionId]);
  counts.change(change, memory.of("sessions").find(sessionId)?.budgetId ?? null);
}

function checkEvents({ memory }: Parts, { sessionId, events, writes }: EncodedCommit): void {
  if (events.length === 0) return;
  if (sessionId === undefined) throw new Error("A commit with events must name their session.");
  const isNew = writes.some(({ table, id }) => table === "sessions" && id === sessionId);
  if (!isNew && !memory.of("sessions").findValues(sessionId)) {
    throw new Error(`There is no session "${sessionId}" to append events to.`);
  }
}

/** Gives the session's last `seq`. */
function appendEvents(
  { memory, events: unwritten, changed, raised }: Parts,
  { sessionId, events }: EncodedCommit,
): number {
  if (sessionId === undefined) return 0;
  const sessions = memory.of("sessions");
  if (events.length === 0) return sessions.find(sessionId)?.lastSeq ?? 0;
  const log = sessions.findValues(sessionId) ?? [];
  const chainId = String(log[SESSION.chainId] ?? log[SESSION.logId]);
  const before = {
    seq: Number(log[SESSION.lastSeq]),
    hash: String(log[SESSION.lastHash] ?? genesis(sessionId, chainId)),
  };
  let { seq, hash } = before;
  for (const event of events) {
    event[SEQ] = ++seq;
    hash = chainHash(hash, event);
    unwritten.add(event, hash);
  }
  const set: SetValues = [];
  set[SESSION.lastSeq] = seq;
  set[SESSION.lastHash] = hash;
  sessions.update(sessionId, set, false);
  changed.add("sessions", sessionId);
  raised.push({ sessionId, from: before, to: { seq, hash } });
  return seq;
}
