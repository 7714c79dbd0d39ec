import type { Store } from "../../../core/ports.ts";
import type { ChatEvent } from "../../../protocol/index.ts";
import type { Database, SqlRow } from "../database.ts";

const ASCENDING = /* sql */ `SELECT * FROM events
  WHERE session_id = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?`;

const DESCENDING = /* sql */ `SELECT * FROM events
  WHERE session_id = ? AND seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?`;

/** What an event costs on the wire beside its payload, roughly. */
const ENVELOPE_BYTES = 200;

/** Stops before `maxBytes` is passed, but gives at least one event, so that a reader gets on. */
export function readEvents(database: Database, query: Parameters<Store["events"]>[0]): ChatEvent[] {
  const { sessionId, after = 0, before, limit, maxBytes = Infinity } = query;
  const sql = before === undefined ? ASCENDING : DESCENDING;
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const events: ChatEvent[] = [];
  let bytes = 0;
  for (const row of database.iterate(sql, sessionId, after, end, limit)) {
    bytes += ENVELOPE_BYTES + Buffer.byteLength(row["payload"] as string);
    if (events.length > 0 && bytes > maxBytes) break;
    events.push(toEvent(row));
  }
  return before === undefined ? events : events.toReversed();
}

function toEvent(row: SqlRow): ChatEvent {
  return {
    id: row["id"],
    seq: row["seq"],
    sessionId: row["session_id"],
    timestamp: new Date(row["at"] as number).toISOString(),
    ...(row["turn_id"] !== null && { turnId: row["turn_id"] }),
    ...(row["response_id"] !== null && { responseId: row["response_id"] }),
    type: row["type"],
    payload: JSON.parse(row["payload"] as string) as unknown,
  } as ChatEvent;
}
