import type { RunRow, Store } from "../../../core/ports.ts";
import type { Database } from "../database.ts";
import { readRows } from "../rows.ts";

const ACTIVE_CALLS = /* sql */ `SELECT * FROM runs
  WHERE kind = 'call' AND status IN ('live', 'suspended') AND id > ? ORDER BY id LIMIT ?`;

const STARTABLE = /* sql */ `SELECT DISTINCT runs.session_id
  FROM runs CROSS JOIN sessions ON sessions.id = runs.session_id
  WHERE runs.status = 'queued' AND runs.kind = 'turn'
    AND sessions.active_run_id IS NULL AND sessions.deleted_at IS NULL
  LIMIT ?`;

const claimOf = (lapsed: string) => /* sql */ `UPDATE runs
  SET status = 'live', owner = ?, lease_until = ?,
    epoch = epoch + 1, attempt = attempt + 1, lives = lives + 1, version = version + 1
  WHERE rowid IN (SELECT rowid FROM runs WHERE ${lapsed} LIMIT ?)
  RETURNING *`;

// A live run without a lease is nobody's.
const CLAIM = claimOf(/* sql */ `status = 'live' AND coalesce(lease_until, 0) <= ?
    ORDER BY coalesce(lease_until, 0)`);
// A suspended one has a lease while something in it may be at work.
const CLAIM_RESTING = claimOf("status = 'suspended' AND lease_until <= ? ORDER BY lease_until");

// Like the log's count, a lease is not guarded by the row's version: its owner's writes go on.
const RENEW = "UPDATE runs SET lease_until = ? WHERE owner = ? AND status = 'live'";
const RENEW_RESTING = /* sql */ `UPDATE runs SET lease_until = ?
  WHERE owner = ? AND status = 'suspended' AND lease_until IS NOT NULL`;
const RELEASE_RESTING = /* sql */ `UPDATE runs SET lease_until = 0
  WHERE status = 'suspended' AND lease_until IS NOT NULL`;

export function readActiveCallRuns(
  database: Database,
  { after = "", limit }: Parameters<Store["activeCallRuns"]>[0],
): RunRow[] {
  return readRows(database, "runs", ACTIVE_CALLS, after, limit);
}

export function readStartable(database: Database, limit: number): string[] {
  return database.all(STARTABLE, limit).map((row) => String(row["session_id"]));
}

export function claimRuns(
  database: Database,
  { owner, leaseMs, limit }: Parameters<Store["claim"]>[0],
  now: number,
): RunRow[] {
  const take = (sql: string, most: number) =>
    readRows(database, "runs", sql, owner, now + leaseMs, now, most);
  const live = take(CLAIM, limit);
  return [...live, ...take(CLAIM_RESTING, limit - live.length)];
}

export function renewLeases(database: Database, owner: string, leaseUntil: number): void {
  database.run(RENEW, leaseUntil, owner);
  database.run(RENEW_RESTING, leaseUntil, owner);
}

/** For the one server that holds the data directory: nobody else can still own a run. */
export function releaseLeases(database: Database): void {
  database.run("UPDATE runs SET lease_until = 0 WHERE status = 'live'");
  database.run(RELEASE_RESTING);
}
