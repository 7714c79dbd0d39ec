import type { Page, SessionSummary, Store } from "../../../core/ports.ts";
import { fromCursor } from "../../cursor.ts";
import { toPage } from "../page.ts";
import type { Database, SqlRow } from "../database.ts";
import { activeRuns, openPrompts } from "../row-lists.ts";
import type { RowMemory } from "../row-memory.ts";
import { fromRow } from "../rows.ts";

const SUMMARY = /* sql */ `SELECT sessions.*,
  (SELECT count(*) FROM interactions
    WHERE session_id = sessions.id AND status IN ('open', 'expiring')) AS open_prompts,
  (SELECT count(*) FROM interactions
    WHERE session_id = sessions.id AND status IN ('open', 'expiring') AND link = 'live') AS live_prompts,
  (SELECT count(*) FROM runs
    WHERE session_id = sessions.id AND status IN ('live', 'suspended')) AS active_runs
  FROM sessions WHERE id = ?`;

const AFTER_CURSOR = "updated_at <= ? AND (updated_at < ? OR id > ?)";

const ALL = /* sql */ `SELECT id FROM sessions
  WHERE deleted_at IS NULL AND ${AFTER_CURSOR}
  ORDER BY updated_at DESC, id LIMIT ?`;

// Two selects in place of an OR: each is read in order from its own index, and merged.
const READABLE = /* sql */ `SELECT id, updated_at FROM sessions
  WHERE deleted_at IS NULL AND owner_id = ? AND ${AFTER_CURSOR}
  UNION ALL
  SELECT id, updated_at FROM sessions
  WHERE deleted_at IS NULL AND id = ? AND owner_id <> ? AND ${AFTER_CURSOR}
  ORDER BY updated_at DESC, id LIMIT ?`;

const OF_BUDGET = /* sql */ `SELECT count(*) AS made FROM sessions
  WHERE budget_id = ? AND created_at >= ? AND deleted_at IS NULL`;

const START = { at: Number.MAX_SAFE_INTEGER, id: "" };

export function readBudgetSessionCount(
  database: Database,
  budgetId: string,
  since: number,
): number {
  return Number(database.get(OF_BUDGET, budgetId, since)?.["made"]);
}

/** One session that is being worked with; lists of many are read with SQL. */
export function findSummary(memory: RowMemory, id: string): SessionSummary | null {
  const session = memory.of("sessions").find(id);
  if (!session) return null;
  const open = memory.of("interactions").list(openPrompts, id);
  return {
    ...session,
    openPrompts: open.length,
    livePrompts: open.filter(({ link }) => link === "live").length,
    activeRuns: memory.of("runs").count(activeRuns, id),
  };
}

function toSummary(row: SqlRow): SessionSummary {
  return {
    ...fromRow("sessions", row),
    openPrompts: Number(row["open_prompts"]),
    livePrompts: Number(row["live_prompts"]),
    activeRuns: Number(row["active_runs"]),
  };
}

export function readSessions(
  database: Database,
  query: Parameters<Store["sessions"]>[0],
): Page<SessionSummary> {
  return toPage(summaryRows(database, query), query, toSummary, ({ updatedAt, id }) => ({
    at: updatedAt,
    id,
  }));
}

/** Reads no further than the page goes. */
function* summaryRows(
  database: Database,
  query: Parameters<Store["sessions"]>[0],
): Generator<SqlRow> {
  for (const { id } of readIds(database, query)) {
    const row = database.get(SUMMARY, id ?? null);
    if (row) yield row;
  }
}

function readIds(
  database: Database,
  { cursor, limit, readableBy }: Parameters<Store["sessions"]>[0],
): SqlRow[] {
  const { at, id } = cursor === undefined ? START : fromCursor(cursor);
  const after = [at, at, id];
  if (!readableBy) return database.all(ALL, ...after, limit + 1);
  const { ownerId, sessionId } = readableBy;
  return database.all(READABLE, ownerId, ...after, sessionId, ownerId, ...after, limit + 1);
}
