import type { Page, SessionSummary, Store } from "../../../core/ports.ts";
import { fromCursor } from "../../cursor.ts";
import type { SqlRow } from "../lane.ts";
import type { Reader } from "../reader.ts";
import { fromRow } from "../rows.ts";
import { mostBytes, pageSql, toPage } from "./page.ts";

const countsOf = (session: string) => /* sql */ `,
  (SELECT count(*) FROM beckon.interactions
    WHERE session_id = ${session}.id AND status IN ('open', 'expiring')) AS open_prompts,
  (SELECT count(*) FROM beckon.interactions
    WHERE session_id = ${session}.id AND status IN ('open', 'expiring') AND link = 'live')
    AS live_prompts,
  (SELECT count(*) FROM beckon.runs
    WHERE session_id = ${session}.id AND status IN ('live', 'suspended')) AS active_runs`;

const SUMMARIES = /* sql */ `SELECT (found.session).*, open_prompts, live_prompts, active_runs
  FROM beckon.summaries($1) found`;

const AFTER_CURSOR = "updated_at <= $1::bigint AND (updated_at < $1::bigint OR id > $2)";
const ORDER = "updated_at DESC, id";
const PAGE = {
  order: ORDER,
  bytes:
    "400 + octet_length(title) + octet_length(settings) + coalesce(octet_length(runtime_state), 0)",
  beside: countsOf("page"),
  most: "$4",
};

const ALL = pageSql({
  ...PAGE,
  rows: /* sql */ `SELECT * FROM beckon.sessions
    WHERE deleted_at IS NULL AND ${AFTER_CURSOR} ORDER BY ${ORDER} LIMIT $3::bigint`,
});

// Two selects in place of an OR: each is read in order from its own index, and merged.
const READABLE = pageSql({
  ...PAGE,
  rows: /* sql */ `SELECT * FROM (
      (SELECT * FROM beckon.sessions
        WHERE deleted_at IS NULL AND owner_id = $5 AND ${AFTER_CURSOR}
        ORDER BY ${ORDER} LIMIT $3::bigint)
      UNION ALL
      (SELECT * FROM beckon.sessions
        WHERE deleted_at IS NULL AND id = $6 AND owner_id <> $5 AND ${AFTER_CURSOR})
    ) readable ORDER BY ${ORDER} LIMIT $3::bigint`,
});

const OF_BUDGET = /* sql */ `SELECT count(*) AS made FROM beckon.sessions
  WHERE budget_id = $1 AND created_at >= $2::bigint AND deleted_at IS NULL`;

const START = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** Reads summaries: those that are asked for in one turn of the loop with one statement. */
export function createSummaryReader(reader: Reader): Store["summary"] {
  let batch: { ids: Set<string>; rows: Promise<SqlRow[]> } | undefined;

  async function readBatch(ids: Set<string>): Promise<SqlRow[]> {
    await new Promise(setImmediate);
    batch = undefined;
    return reader.read(SUMMARIES, [[...ids]]);
  }

  return async (id) => {
    if (!batch) {
      const ids = new Set<string>();
      batch = { ids, rows: readBatch(ids) };
    }
    batch.ids.add(id);
    const row = (await batch.rows).find((one) => one["id"] === id);
    return row ? toSummary(row) : null;
  };
}

export async function readSessions(
  reader: Reader,
  query: Parameters<Store["sessions"]>[0],
): Promise<Page<SessionSummary>> {
  const { cursor, limit, readableBy } = query;
  const { at, id } = cursor === undefined ? START : fromCursor(cursor);
  const page = [at, id, limit + 1, mostBytes(query)];
  const rows = readableBy
    ? await reader.read(READABLE, [...page, readableBy.ownerId, readableBy.sessionId])
    : await reader.read(ALL, page);
  return toPage(rows, query, toSummary, ({ updatedAt, id: last }) => ({ at: updatedAt, id: last }));
}

export async function readBudgetSessionCount(
  reader: Reader,
  budgetId: string,
  since: number,
): Promise<number> {
  const [row] = await reader.read(OF_BUDGET, [budgetId, since]);
  return Number(row?.["made"]);
}

function toSummary(row: SqlRow): SessionSummary {
  return {
    ...fromRow("sessions", row),
    openPrompts: row["open_prompts"] as number,
    livePrompts: row["live_prompts"] as number,
    activeRuns: row["active_runs"] as number,
  };
}
