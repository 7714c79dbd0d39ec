import {
  type HeldRun,
  type NodeRow,
  PRESENT,
  type PresenceRow,
  type Store,
} from "../../../core/ports.ts";
import type { SqlRow } from "../lane.ts";
import type { Reader } from "../reader.ts";
import { fromRow } from "../rows.ts";

const NODES = "SELECT * FROM beckon.nodes ORDER BY started_at, id";
const NODE = "SELECT * FROM beckon.nodes WHERE id = $1";
const PRESENCE = /* sql */ `SELECT p.*, n.seen_at AS node_seen_at
  FROM beckon.presence p LEFT JOIN beckon.nodes n ON n.id = p.node_id
  ORDER BY p.node_id, p.principal_id`;

const JOIN = /* sql */ `INSERT INTO beckon.nodes
  (id, name, host, version, public_key, started_at, seen_at)
  VALUES ($1, $2, $3, $4, $5, beckon.beckon_now(), beckon.beckon_now())
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;
const FORGET = /* sql */ `DELETE FROM beckon.nodes
  WHERE id <> $1 AND seen_at <= beckon.beckon_now() - $2::bigint`;
const FORGET_PRESENCE = /* sql */ `DELETE FROM beckon.presence
  WHERE until <= beckon.beckon_now()
    OR (until = $1::bigint AND node_id NOT IN (SELECT id FROM beckon.nodes))`;

const hasLease = /* sql */ `owner = $1
  AND (status = 'live' OR (status = 'suspended' AND lease_until IS NOT NULL))`;
const LEAVE = /* sql */ `WITH gone AS (DELETE FROM beckon.nodes WHERE id = $1), held AS (
    SELECT id FROM beckon.runs WHERE ${hasLease} ORDER BY id FOR NO KEY UPDATE
  ) UPDATE beckon.runs SET lease_until = beckon.beckon_now() FROM held WHERE runs.id = held.id`;

// Like the log's count, a lease is not guarded by the row's version: its owner's writes go on. Nor
// does it wait for a row that is being written: there is time for two more renewals.
const renew = (isHeld: string) => /* sql */ `WITH seen AS (
    UPDATE beckon.nodes SET seen_at = beckon.beckon_now() WHERE id = $1
  ), held AS (
    SELECT id FROM beckon.runs WHERE ${hasLease} ${isHeld}
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ) UPDATE beckon.runs SET lease_until = beckon.beckon_now() + $2::bigint
    FROM held WHERE runs.id = held.id`;
const RENEW = renew("");
const RENEW_HELD = renew("AND (id, epoch) IN (SELECT * FROM unnest($3::text[], $4::bigint[]))");

export async function joinNodes(
  control: Reader,
  { id, name, host, version, publicKey }: Parameters<Store["join"]>[0],
  forgetMs: number,
): Promise<void> {
  // In this order over one connection.
  await Promise.all([
    control.read(JOIN, [id, name, host, version, publicKey]),
    control.read(FORGET, [id, forgetMs]),
    control.read(FORGET_PRESENCE, [PRESENT]),
  ]);
}

export async function leaveNodes(control: Reader, id: string): Promise<void> {
  await control.read(LEAVE, [id]);
}

export async function renewLeases(
  control: Reader,
  id: string,
  leaseMs: number,
  held?: readonly HeldRun[],
): Promise<void> {
  if (!held) return void (await control.read(RENEW, [id, leaseMs]));
  const [ids, epochs] = [held.map((run) => run.id), held.map(({ epoch }) => epoch)];
  await control.read(RENEW_HELD, [id, leaseMs, ids, epochs]);
}

export async function readNodes(reader: Reader): Promise<NodeRow[]> {
  return (await reader.read(NODES)).map(toNode);
}

export async function readNode(reader: Reader, id: string): Promise<NodeRow | null> {
  const [row] = await reader.read(NODE, [id]);
  return row ? toNode(row) : null;
}

export async function readPresence(
  reader: Reader,
): Promise<(PresenceRow & { nodeSeenAt: number | null })[]> {
  return (await reader.read(PRESENCE)).map((row) =>
    Object.assign(fromRow("presence", row), { nodeSeenAt: row["node_seen_at"] as number | null }),
  );
}

function toNode(row: SqlRow): NodeRow {
  return {
    id: row["id"] as string,
    name: row["name"] as string,
    host: row["host"] as string,
    version: row["version"] as string,
    publicKey: row["public_key"] as string,
    startedAt: row["started_at"] as number,
    seenAt: row["seen_at"] as number,
  };
}
