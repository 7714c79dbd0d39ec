import type { InteractionRow, OrphanQuery, Page, Store } from "../../../core/ports.ts";
import { fromCursor } from "../../cursor.ts";
import type { Reader } from "../reader.ts";
import { fromRow, fromRows } from "../rows.ts";
import { orphansLike } from "../sql/orphans.ts";
import { mostBytes, pageSql, toPage } from "./page.ts";

const DUE = /* sql */ `SELECT * FROM beckon.interactions
  WHERE status = 'open' AND expires_at <= beckon.beckon_now()
  ORDER BY expires_at, id LIMIT $1::bigint`;

const NEXT_DEADLINE = /* sql */ `SELECT greatest(0, expires_at - beckon.beckon_now()) AS left_ms
  FROM beckon.interactions
  WHERE status = 'open' AND expires_at IS NOT NULL ORDER BY expires_at LIMIT 1`;

const OF_CALL = /* sql */ `SELECT * FROM beckon.interactions
  WHERE session_id = $1 AND call_id = $2 ORDER BY created_at, n`;

const SOUGHT = { session: "$1", tool: "$2", requestDigest: "$3", inputDigest: "$4" };
const ORPHANS = `SELECT * FROM (${orphansLike(SOUGHT)}) found ORDER BY created_at, n`;

const OPEN = "status IN ('open', 'expiring')";
const OPEN_COUNT = `SELECT count(*) AS open FROM beckon.interactions WHERE ${OPEN}`;
const OPEN_OF_SESSION = `${OPEN_COUNT} AND session_id = $1`;
const OPEN_OF_BUDGETS = `${OPEN_COUNT} AND budget_id IS NOT NULL`;
const OPEN_OF_BUDGET = `${OPEN_COUNT} AND budget_id = $1`;

const BYTES = /* sql */ `800 + octet_length(request) + coalesce(octet_length(response), 0)
  + coalesce(octet_length(outcome), 0)`;
const JOINED = /* sql */ `SELECT i.* FROM beckon.interactions i
  JOIN beckon.sessions s ON s.id = i.session_id WHERE s.deleted_at IS NULL`;

const START = { at: -1, id: "" };
/** Greater than whatever may follow in an id. */
const LAST = "\u{10FFFF}";

export async function readDue(reader: Reader, limit: number): Promise<InteractionRow[]> {
  return fromRows("interactions", await reader.read(DUE, [limit]));
}

export async function readNextDeadline(reader: Reader): Promise<number | null> {
  const [row] = await reader.read(NEXT_DEADLINE);
  return row ? (row["left_ms"] as number) : null;
}

export async function readPromptsOfCall(
  reader: Reader,
  sessionId: string,
  callId: string,
): Promise<InteractionRow[]> {
  return fromRows("interactions", await reader.read(OF_CALL, [sessionId, callId]));
}

export async function readOrphans(
  reader: Reader,
  { sessionId, tool, inputDigest, requestDigest }: OrphanQuery,
): Promise<InteractionRow[]> {
  const values = [sessionId, tool, requestDigest, inputDigest];
  return fromRows("interactions", await reader.read(ORPHANS, values));
}

/** Walks the open ones alone, in order, so its cost does not grow with those that have ended. */
export async function readOpenInteractions(
  reader: Reader,
  query: Parameters<Store["openInteractions"]>[0],
): Promise<Page<InteractionRow>> {
  const { sessionId, cursor, limit, readableBy } = query;
  const { at, id } = cursor === undefined ? START : fromCursor(cursor);
  const values: unknown[] = [at, id, limit + 1, mostBytes(query)];
  const conditions = [`i.${OPEN}`, "(i.created_at, i.id) > ($1::bigint, $2)"];
  if (sessionId !== undefined) conditions.push(`i.session_id = $${values.push(sessionId)}`);
  if (readableBy) conditions.push(readable(values, readableBy));
  const order = "created_at, id";
  const rows = /* sql */ `${JOINED} AND ${conditions.join(" AND ")}
    ORDER BY i.created_at, i.id LIMIT $3::bigint`;
  return readPage(reader, query, pageSql({ rows, order, bytes: BYTES, most: "$4" }), values);
}

/** Walks the ids that begin so alone, so its cost does not grow with the others. */
export async function readInteractionsBeginning(
  reader: Reader,
  query: Parameters<Store["interactionsBeginning"]>[0],
): Promise<Page<InteractionRow>> {
  const { begins, cursor, limit, readableBy } = query;
  const after = cursor === undefined ? "" : fromCursor(cursor).id;
  const values: unknown[] = [begins, begins + LAST, after, limit + 1, mostBytes(query)];
  const conditions = ["i.id >= $1", "i.id < $2", "i.id > $3"];
  if (readableBy) conditions.push(readable(values, readableBy));
  const rows = /* sql */ `${JOINED} AND ${conditions.join(" AND ")}
    ORDER BY i.id LIMIT $4::bigint`;
  return readPage(reader, query, pageSql({ rows, order: "id", bytes: BYTES, most: "$5" }), values);
}

function readable(
  values: unknown[],
  { ownerId, sessionId }: { ownerId: string; sessionId: string | null },
): string {
  return `(s.owner_id = $${values.push(ownerId)} OR s.id = $${values.push(sessionId)})`;
}

async function readPage(
  reader: Reader,
  query: Parameters<Store["openInteractions"]>[0],
  sql: string,
  values: unknown[],
): Promise<Page<InteractionRow>> {
  return toPage(
    await reader.read(sql, values),
    query,
    (row) => fromRow("interactions", row),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  );
}

export async function readOpenCount(reader: Reader, sessionId?: string): Promise<number> {
  const [row] =
    sessionId === undefined
      ? await reader.read(OPEN_COUNT)
      : await reader.read(OPEN_OF_SESSION, [sessionId]);
  return row?.["open"] as number;
}

export async function readBudgetOpenCount(reader: Reader, budgetId?: string): Promise<number> {
  const [row] =
    budgetId === undefined
      ? await reader.read(OPEN_OF_BUDGETS)
      : await reader.read(OPEN_OF_BUDGET, [budgetId]);
  return row?.["open"] as number;
}
