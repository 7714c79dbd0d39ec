import type { Ability, CallRow, RunRow, Store } from "../../../core/ports.ts";
import type { Reader } from "../reader.ts";
import { fromRows } from "../rows.ts";

const QUEUED = /* sql */ `SELECT * FROM beckon.runs
  WHERE session_id = $1 AND status = 'queued' AND kind = 'turn' ORDER BY position, created_at, n`;
const ACTIVE = /* sql */ `SELECT * FROM beckon.runs
  WHERE session_id = $1 AND status IN ('live', 'suspended') ORDER BY created_at, n`;
const ACTIVE_CALLS = /* sql */ `SELECT * FROM beckon.runs
  WHERE kind = 'call' AND status IN ('live', 'suspended') AND id > $1 ORDER BY id LIMIT $2::bigint`;
const CALLS = "SELECT * FROM beckon.tool_calls WHERE run_id = $1 ORDER BY created_at, n";

const startable = (by: string) => /* sql */ `SELECT DISTINCT r.session_id
  FROM beckon.runs r JOIN beckon.sessions s ON s.id = r.session_id
  WHERE r.status = 'queued' AND r.kind = 'turn'
    AND s.active_run_id IS NULL AND s.deleted_at IS NULL ${by}
  LIMIT $1::bigint`;
const STARTABLE = startable("");
// The host and the agents of whoever asks, or longer ago than others were waited for.
const STARTABLE_BY = startable(/* sql */ `AND (s.updated_at <= beckon.beckon_now() - $2::bigint
    OR (coalesce(s.host, $3) = $3 AND s.agent = ANY($4::text[])))`);

// A run needs the folder of its session, for a turn its agent, and the tools of calls to go on with.
const ABLE = /* sql */ `AND (coalesce(r.lease_until, 0) <= beckon.beckon_now() - $4::bigint OR (
    EXISTS (SELECT 1 FROM beckon.sessions s WHERE s.id = r.session_id
      AND coalesce(s.host, $5) = $5 AND (r.kind = 'call' OR s.agent = ANY($6::text[])))
    AND (r.is_ask OR NOT EXISTS (SELECT 1 FROM beckon.tool_calls c
      WHERE c.run_id = r.id AND c.status = 'running' AND c.durable = 'replay'
        AND NOT EXISTS (SELECT 1 FROM unnest($7::text[], $8::text[]) AS known (name, version)
          WHERE known.name = c.tool AND known.version IS NOT DISTINCT FROM c.tool_version)))))`;

// A live run without a lease is nobody's; a suspended one has a lease while something in it may be
// at work. What somebody else is taking or writing is left to them.
const claim = (able: string) => /* sql */ `WITH live AS (
    SELECT r.id FROM beckon.runs r
    WHERE r.status = 'live' AND coalesce(r.lease_until, 0) <= beckon.beckon_now() ${able}
    ORDER BY coalesce(r.lease_until, 0) LIMIT $3::bigint FOR NO KEY UPDATE SKIP LOCKED
  ), resting AS (
    SELECT r.id FROM beckon.runs r
    WHERE r.status = 'suspended' AND r.lease_until <= beckon.beckon_now() ${able}
    ORDER BY r.lease_until LIMIT greatest(0, $3::bigint - (SELECT count(*) FROM live))
    FOR NO KEY UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE beckon.runs r SET status = 'live', owner = $1,
      lease_until = beckon.beckon_now() + $2::bigint,
      epoch = epoch + 1, attempt = attempt + 1, lives = lives + 1, version = version + 1
    FROM (SELECT id FROM live UNION ALL SELECT id FROM resting) lapsed
    WHERE r.id = lapsed.id RETURNING r.*
  ), told AS (
    INSERT INTO beckon.changes (at, sessions, runs, interactions)
    SELECT beckon.beckon_now(), '{}', array_agg(id), '{}' FROM taken HAVING count(*) > 0
  ) SELECT * FROM taken`;
const CLAIM = claim("");
const CLAIM_BY = claim(ABLE);

export async function readQueuedRuns(reader: Reader, sessionId: string): Promise<RunRow[]> {
  return fromRows("runs", await reader.read(QUEUED, [sessionId]));
}

export async function readActiveRuns(reader: Reader, sessionId: string): Promise<RunRow[]> {
  return fromRows("runs", await reader.read(ACTIVE, [sessionId]));
}

export async function readActiveCallRuns(
  reader: Reader,
  { after = "", limit }: Parameters<Store["activeCallRuns"]>[0],
): Promise<RunRow[]> {
  return fromRows("runs", await reader.read(ACTIVE_CALLS, [after, limit]));
}

export async function readCalls(reader: Reader, runId: string): Promise<CallRow[]> {
  return fromRows("tool_calls", await reader.read(CALLS, [runId]));
}

export async function readStartable(
  reader: Reader,
  limit: number,
  ability?: Ability,
): Promise<string[]> {
  const rows = ability
    ? await reader.read(STARTABLE_BY, [limit, ability.patienceMs, ability.host, ability.agents])
    : await reader.read(STARTABLE, [limit]);
  return rows.map((row) => row["session_id"] as string);
}

export async function claimRuns(
  control: Reader,
  { owner, leaseMs, limit, ability }: Parameters<Store["claim"]>[0],
): Promise<RunRow[]> {
  const values = [owner, leaseMs, limit];
  const rows = ability
    ? await control.readOnce(CLAIM_BY, [...values, ...abilityValues(ability)])
    : await control.readOnce(CLAIM, values);
  return fromRows("runs", rows);
}

function abilityValues({ host, agents, tools, patienceMs }: Ability): unknown[] {
  const names = tools.map(([name]) => name);
  return [patienceMs, host, agents, names, tools.map(([, version]) => version)];
}
