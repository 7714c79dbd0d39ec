import { randomUUID } from "node:crypto";
import type { Database } from "../database.ts";
import type { Head, HeadFile, Loss } from "../../audit/head-file.ts";

const SESSIONS = "SELECT id, log_id, last_seq, last_hash FROM sessions";
const HASH = "SELECT hash FROM events WHERE session_id = ? AND seq = ?";
const RENEW = `UPDATE sessions SET chain_id = coalesce(chain_id, log_id), log_id = ?
  WHERE id = ?`;

/** Undefined when it cannot be read. */
export function contains(database: Database, sessionId: string, head: Head): boolean | undefined {
  try {
    return database.get(HASH, sessionId, head.seq)?.["hash"] === head.hash;
  } catch {
    return undefined;
  }
}

/**
 * Compares what the head file knows with what the database has, when nobody uses it yet, and brings
 * the heads up to date. A head that is not in its log any more becomes the note of a loss, and the
 * log gets another id: its numbers are used again, and whoever has seen those that are lost must
 * not take the new ones for what follows. The id comes first; if the file cannot be written then,
 * the next start does all of it again.
 *
 * Gives how many sessions have lost something that was not noted before.
 */
export function settleHeads(database: Database, known: HeadFile, at: string): number {
  // Unless what was lost has been put back.
  known.losses = known.losses.filter((loss) => !contains(database, loss.sessionId, loss));
  const retired = new Set(known.losses.map(({ logId }) => logId));
  const gone = new Map(known.heads);
  const losses: Loss[] = [];
  const renewed: string[] = [];
  for (const row of database.all(SESSIONS)) {
    const sessionId = String(row["id"]);
    const logId = String(row["log_id"]);
    const last = { seq: Number(row["last_seq"]), hash: String(row["last_hash"]) };
    const head = known.heads.get(sessionId);
    gone.delete(sessionId);
    const isThere = !head || follows(database, sessionId, head, last);
    if (isThere === undefined) continue;
    if (!isThere) losses.push({ sessionId, ...head, after: last.seq, logId, at });
    // The database may have lost the id that it got for a loss, too.
    if (!isThere || retired.has(logId)) renewed.push(sessionId);
    if (last.seq > 0) known.heads.set(sessionId, last);
    else known.heads.delete(sessionId);
  }
  renew(database, renewed);
  for (const [sessionId, head] of gone) {
    losses.push({ sessionId, ...head, after: 0, logId: undefined, at });
    known.heads.delete(sessionId);
  }
  known.losses.push(...losses);
  return renewed.length + gone.size;
}

function follows(
  database: Database,
  sessionId: string,
  head: Head,
  last: Head,
): boolean | undefined {
  if (head.seq === last.seq) return head.hash === last.hash;
  return head.seq < last.seq && contains(database, sessionId, head);
}

function renew(database: Database, sessionIds: string[]): void {
  if (sessionIds.length === 0) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const sessionId of sessionIds) database.run(RENEW, randomUUID(), sessionId);
    database.exec("COMMIT");
  } catch (error) {
    database.rollback();
    throw error;
  }
}
