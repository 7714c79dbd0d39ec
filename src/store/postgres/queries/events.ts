import type { EventText, LogQuery } from "../../../core/ports.ts";
import { ENVELOPE_BYTES, toEventJson } from "../../event-json.ts";
import type { Reader } from "../reader.ts";
import { mostBytes } from "./page.ts";

const COLUMNS = "seq, id, session_id, at, turn_id, response_id, type, payload";

const pageIn = (direction: "ASC" | "DESC") => /* sql */ `SELECT * FROM (
    SELECT e.*, row_number() OVER (ORDER BY seq ${direction}) AS place,
      sum(${ENVELOPE_BYTES} + octet_length(payload)) OVER (ORDER BY seq ${direction}) AS total
    FROM (SELECT ${COLUMNS} FROM beckon.events
      WHERE session_id = $1 AND seq > $2::bigint AND seq < $3::bigint
      ORDER BY seq ${direction} LIMIT $4::bigint) e
  ) page WHERE place = 1 OR total <= $5::bigint ORDER BY seq`;

const ASCENDING = pageIn("ASC");
const DESCENDING = pageIn("DESC");

/** Stops before `maxBytes` is passed, but gives at least one event, so that a reader gets on. */
export async function readEventTexts(reader: Reader, query: LogQuery): Promise<EventText[]> {
  const { sessionId, after = 0, before, limit } = query;
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const rows = await reader.read(before === undefined ? ASCENDING : DESCENDING, [
    sessionId,
    after,
    end,
    limit,
    mostBytes(query),
  ]);
  return rows.map((row) => ({
    seq: row["seq"] as number,
    json: toEventJson(row),
    bytes: ENVELOPE_BYTES + Buffer.byteLength(row["payload"] as string),
  }));
}
