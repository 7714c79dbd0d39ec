import type { Changes } from "../../../core/ports.ts";
import type { SqlRow } from "../lane.ts";
import type { Reader } from "../reader.ts";
import { fromRows } from "../rows.ts";

/** For how long it is known which rows changed. */
const KEPT_MS = 10 * 60_000;
/** Of more transactions than these, whoever looks had better look at everything. */
const MOST = 5_000;

const PLACE = "SELECT pg_current_snapshot()::text AS snapshot, beckon.beckon_now() AS now";

// What was not visible to the snapshot of the look before: of transactions that began later, or were
// under way. So nothing is missed, in whatever order they commit.
const LOOK = /* sql */ `WITH unseen AS MATERIALIZED (
    (SELECT sessions, runs, interactions FROM beckon.changes
      WHERE xid >= pg_snapshot_xmax($1::pg_snapshot) ORDER BY xid LIMIT ${MOST + 1})
    UNION ALL
    (SELECT sessions, runs, interactions FROM beckon.changes
      WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot))))
  ) SELECT pg_current_snapshot()::text AS snapshot, beckon.beckon_now() AS now,
    (SELECT count(*) FROM unseen) AS found,
    ${["sessions", "runs", "interactions"]
      .map(
        (table) => /* sql */ `(SELECT jsonb_agg(to_jsonb(t)) FROM beckon.${table} t
      WHERE t.id = ANY(ARRAY(SELECT DISTINCT unnest(unseen.${table}) FROM unseen))) AS ${table}`,
      )
      .join(",\n    ")}`;

const FORGET = /* sql */ `DELETE FROM beckon.changes WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM beckon.changes WHERE at < beckon.beckon_now() - ${KEPT_MS}
  ORDER BY at LIMIT 5000 FOR UPDATE SKIP LOCKED))`;

/** A cursor is a snapshot and its time. */
export async function readChanges(reader: Reader, after: string | undefined): Promise<Changes> {
  if (after === undefined) {
    const [row = {}] = await reader.read(PLACE);
    return { ...NOTHING, cursor: cursorOf(row), isLost: false };
  }
  const [snapshot, time] = after.split(" ");
  const [row = {}] = await reader.read(LOOK, [snapshot]);
  const cursor = cursorOf(row);
  const isOld = (row["now"] as number) - Number(time) > KEPT_MS / 2;
  if (isOld || (row["found"] as number) > MOST) return { ...NOTHING, cursor, isLost: true };
  const rowsOf = (table: string) => (row[table] ?? []) as SqlRow[];
  return {
    sessions: fromRows("sessions", rowsOf("sessions")),
    runs: fromRows("runs", rowsOf("runs")),
    interactions: fromRows("interactions", rowsOf("interactions")),
    cursor,
    more: false,
    isLost: false,
  };
}

const NOTHING = { sessions: [], runs: [], interactions: [], more: false };

const cursorOf = (row: SqlRow) => `${String(row["snapshot"])} ${String(row["now"])}`;

/** Forgets what is too old for anybody's cursor, a part at a time. */
export async function forgetChanges(control: Reader): Promise<void> {
  await control.read(FORGET);
}
