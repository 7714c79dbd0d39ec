import type { Ability, HeldRun, RunRow, Store } from "../../../core/ports.ts";
import type { Database, SqlValue } from "../database.ts";
import { readRows } from "../rows.ts";

const ACTIVE_CALLS = /* sql */ `SELECT * FROM runs
  WHERE kind = 'call' AND status IN ('live', 'suspended') AND id > ? ORDER BY id LIMIT ?`;

const STARTABLE = /* sql */ `SELECT DISTINCT runs.session_id
  FROM runs CROSS JOIN sessions ON sessions.id = runs.session_id
  WHERE runs.status = 'queued' AND runs.kind = 'turn'
    AND sessions.active_run_id IS NULL AND sessions.deleted_at IS NULL`;
// The host and the agents of whoever asks, or longer ago than others were waited for.
const STARTABLE_BY = /* sql */ `AND (sessions.updated_at <= ? OR (
    coalesce(sessions.host, ?) = ? AND sessions.agent IN (SELECT value FROM json_each(?))))`;

// A run needs the folder of its session, for a turn its agent, and the tools of calls to go on with.
const CLAIMABLE_BY = /* sql */ `(coalesce(lease_until, 0) <= ? OR (
    EXISTS (SELECT 1 FROM sessions WHERE sessions.id = runs.session_id
      AND coalesce(host, ?) = ? AND (runs.kind = 'call' OR agent IN (SELECT value FROM json_each(?))))
    AND (json_extract(state, '$.ask') IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM tool_calls
      WHERE run_id = runs.id AND status = 'running' AND durable = 'replay'
        AND json_array(tool, tool_version) NOT IN (SELECT value FROM json_each(?))))))`;

const claimOf = (lapsed: string) => /* sql */ `UPDATE runs
  SET status = 'live', owner = ?, lease_until = ?,
    epoch = epoch + 1, attempt = attempt + 1, lives = lives + 1, version = version + 1
  WHERE rowid IN (SELECT rowid FROM runs WHERE ${lapsed} LIMIT ?)
  RETURNING *`;

// A live run without a lease is nobody's.
const LAPSED = "status = 'live' AND coalesce(lease_until, 0) <= ?";
const IN_ORDER = "ORDER BY coalesce(lease_until, 0)";
// A suspended one has a lease while something in it may be at work.
const LAPSED_RESTING = "status = 'suspended' AND lease_until <= ?";
const CLAIM = claimOf(`${LAPSED} ${IN_ORDER}`);
const CLAIM_RESTING = claimOf(`${LAPSED_RESTING} ORDER BY lease_until`);
const CLAIM_ABLE = claimOf(`${LAPSED} AND ${CLAIMABLE_BY} ${IN_ORDER}`);
const CLAIM_RESTING_ABLE = claimOf(`${LAPSED_RESTING} AND ${CLAIMABLE_BY} ORDER BY lease_until`);

// Like the log's count, a lease is not guarded by the row's version: its owner's writes go on.
const RENEW = "UPDATE runs SET lease_until = ? WHERE owner = ? AND status = 'live'";
const RENEW_RESTING = /* sql */ `UPDATE runs SET lease_until = ?
  WHERE owner = ? AND status = 'suspended' AND lease_until IS NOT NULL`;
const IS_HELD = "(id, epoch) IN (SELECT value->>'id', value->>'epoch' FROM json_each(?))";
const RELEASE_RESTING = /* sql */ `UPDATE runs SET lease_until = 0
  WHERE status = 'suspended' AND lease_until IS NOT NULL`;

export function readActiveCallRuns(
  database: Database,
  { after = "", limit }: Parameters<Store["activeCallRuns"]>[0],
): RunRow[] {
  return readRows(database, "runs", ACTIVE_CALLS, after, limit);
}

export function readStartable(
  database: Database,
  limit: number,
  now: number,
  ability?: Ability,
): string[] {
  const rows = ability
    ? database.all(
        `${STARTABLE} ${STARTABLE_BY} LIMIT ?`,
        now - ability.patienceMs,
        ability.host,
        ability.host,
        JSON.stringify(ability.agents),
        limit,
      )
    : database.all(`${STARTABLE} LIMIT ?`, limit);
  return rows.map((row) => String(row["session_id"]));
}

export function claimRuns(
  database: Database,
  { owner, leaseMs, limit, ability }: Parameters<Store["claim"]>[0],
  now: number,
): RunRow[] {
  const by = ability ? abilityValues(ability, now) : [];
  const take = (sql: string, most: number) =>
    readRows(database, "runs", sql, owner, now + leaseMs, now, ...by, most);
  const live = take(ability ? CLAIM_ABLE : CLAIM, limit);
  return [...live, ...take(ability ? CLAIM_RESTING_ABLE : CLAIM_RESTING, limit - live.length)];
}

function abilityValues({ host, agents, tools, patienceMs }: Ability, now: number): SqlValue[] {
  // Each tool as the text that `json_array` makes of its name and version.
  const known = tools.map((tool) => JSON.stringify(tool));
  return [now - patienceMs, host, host, JSON.stringify(agents), JSON.stringify(known)];
}

export function renewLeases(
  database: Database,
  owner: string,
  leaseUntil: number,
  held?: readonly HeldRun[],
): void {
  for (const sql of [RENEW, RENEW_RESTING]) {
    if (held) database.run(`${sql} AND ${IS_HELD}`, leaseUntil, owner, toJson(held));
    else database.run(sql, leaseUntil, owner);
  }
}

const toJson = (held: readonly HeldRun[]) =>
  JSON.stringify(held.map(({ id, epoch }) => ({ id, epoch })));

/** For the one server that holds the data directory: nobody else can still own a run. */
export function releaseLeases(database: Database): void {
  database.run("UPDATE runs SET lease_until = 0 WHERE status = 'live'");
  database.run(RELEASE_RESTING);
}
