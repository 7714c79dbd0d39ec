import { chainHash, CHAINED, genesis } from "../../audit/chain.ts";
import type { Database, SqlValue } from "../database.ts";

const SCHEMA = /* sql */ `
ALTER TABLE events ADD COLUMN audit TEXT;
ALTER TABLE sessions ADD COLUMN last_hash TEXT;
CREATE INDEX events_decisions ON events (at, session_id, seq) WHERE type = 'interaction_response';
`;

const PAGE = 500;
const ROWS = `SELECT ${CHAINED.join(", ")} FROM events
  WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ${PAGE}`;

/**
 * Adds the audit, and chains what is there: what came before it is fixed from now on, as it was
 * found. So a row without a hash is always one that somebody tampered with.
 */
export function audit(database: Database): void {
  database.exec(SCHEMA);
  for (const { id, log_id } of database.all("SELECT id, log_id FROM sessions")) {
    chainSession(database, String(id), String(log_id));
  }
}

/** Computes the hashes of one session's log anew. */
export function chainSession(database: Database, id: string, logId: string): void {
  let hash = genesis(id, logId);
  let last = 0;
  for (;;) {
    const rows = database.all(ROWS, id, last);
    for (const row of rows) {
      const cells = CHAINED.map((column) => row[column] as SqlValue);
      hash = chainHash(hash, cells);
      last = Number(row["seq"]);
      database.run("UPDATE events SET hash = ? WHERE session_id = ? AND seq = ?", hash, id, last);
    }
    if (rows.length < PAGE) break;
  }
  if (last > 0) database.run("UPDATE sessions SET last_hash = ? WHERE id = ?", hash, id);
}
