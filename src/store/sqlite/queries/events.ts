import type { EventText, LogQuery } from "../../../core/ports.ts";
import type { ChatEvent } from "../../../protocol/index.ts";
import { ENVELOPE_BYTES, toEventJson } from "../../event-json.ts";
import type { Database } from "../database.ts";

const COLUMNS = "seq, id, session_id, at, turn_id, response_id, type, payload";

const ASCENDING = /* sql */ `SELECT ${COLUMNS} FROM events
  WHERE session_id = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?`;

const DESCENDING = /* sql */ `SELECT ${COLUMNS} FROM events
  WHERE session_id = ? AND seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?`;

/** Stops before `maxBytes` is passed, but gives at least one event, so that a reader gets on. */
export function readEventTexts(database: Database, query: LogQuery): EventText[] {
  const { sessionId, after = 0, before, limit, maxBytes = Infinity } = query;
  const sql = before === undefined ? ASCENDING : DESCENDING;
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const events: EventText[] = [];
  let total = 0;
  for (const row of database.iterate(sql, sessionId, after, end, limit)) {
    const bytes = ENVELOPE_BYTES + Buffer.byteLength(row["payload"] as string);
    total += bytes;
    if (events.length > 0 && total > maxBytes) break;
    events.push({ seq: row["seq"] as number, json: toEventJson(row), bytes });
  }
  return before === undefined ? events : events.toReversed();
}

export function readEvents(database: Database, query: LogQuery): ChatEvent[] {
  return readEventTexts(database, query).map(({ json }) => JSON.parse(json) as ChatEvent);
}
