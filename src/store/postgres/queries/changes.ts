import type { Changes, Store } from "../../../core/ports.ts";
import type { SqlRow } from "../lane.ts";
import type { Reader } from "../reader.ts";
import { fromRows } from "../rows.ts";

/** For how long it is known which rows changed. */
const KEPT_MS = 10 * 60_000;
/** Of more transactions than these, whoever looks had better look at everything. */
const MOST = 5_000;

const PLACE = "SELECT pg_current_snapshot()::text AS snapshot, beckon.beckon_now() AS now";

const LOOK = /* sql */ `SELECT snapshot, now, found, sessions, runs, interactions
  FROM beckon.look($1::pg_snapshot, ${MOST + 1})`;

const FORGET = /* sql */ `DELETE FROM beckon.changes WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM beckon.changes WHERE at < beckon.beckon_now() - ${KEPT_MS}
  ORDER BY at LIMIT 5000 FOR UPDATE SKIP LOCKED))`;

/** Whoever has found something looks no sooner than so long after that. */
const PAUSE_MS = 100;

/** Looks now, or when the pause since the last find is over: then it finds more at once. */
export function createChangeReader(reader: Reader): Store["changes"] {
  let notBefore = 0;
  return async (after) => {
    const waitMs = notBefore - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const begunAt = performance.now();
    const found = await readChanges(reader, after);
    if (isSomething(found)) notBefore = begunAt + PAUSE_MS;
    return found;
  };
}

const isSomething = ({ sessions, runs, interactions }: Changes) =>
  sessions.length + runs.length + interactions.length > 0;

/** A cursor is a snapshot and its time. */
async function readChanges(reader: Reader, after: string | undefined): Promise<Changes> {
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
