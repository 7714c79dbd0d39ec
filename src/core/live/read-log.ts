import { LIMITS, ProtocolError } from "../../protocol/index.ts";
import type { EventText, LogQuery, Store } from "../ports.ts";
import type { Departure } from "../run/departure.ts";
import type { ListPorts } from "./read-list.ts";

export interface LogPorts extends ListPorts {
  store: Store;
}

/** The most that is read of a log in one turn of the event loop. */
const PIECE = { limit: 200, maxBytes: 128 * 1024 };

/** The next events of a log, as many as may be read at once, when it is the caller's turn. */
export function readPiece(
  { store, reading }: LogPorts,
  callerId: string,
  query: Omit<LogQuery, "maxBytes">,
): Promise<EventText[]> {
  return reading.read(callerId, async () => {
    const limit = Math.min(query.limit, PIECE.limit);
    const value = await store.eventTexts({ ...query, limit, maxBytes: PIECE.maxBytes });
    return { value, bytes: value.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

/**
 * A page of a log, read piece by piece. It ends before it has more bytes than a page may have, but
 * holds one event at least. Stops with an error when the caller is gone.
 */
export async function readPage(
  ports: LogPorts,
  callerId: string,
  { sessionId, after = 0, before, limit }: Omit<LogQuery, "maxBytes">,
  gone?: Departure,
): Promise<string[]> {
  const pieces: string[][] = [];
  let [count, bytes] = [0, 0];
  let [from, until] = [after, before];
  while (count < limit) {
    if (gone?.isOver) throw new ProtocolError("store_unavailable", "The reading was stopped.");
    const query = { sessionId, after: from, before: until, limit: limit - count };
    const found = await readPiece(ports, callerId, query);
    const fitting: string[] = [];
    for (const event of before === undefined ? found : found.toReversed()) {
      bytes += event.bytes;
      if (count > 0 && bytes > LIMITS.eventsPageBytes) break;
      fitting.push(event.json);
      count++;
    }
    pieces.push(before === undefined ? fitting : fitting.toReversed());
    if (found.length === 0 || fitting.length < found.length) break;
    if (before === undefined) from = found.at(-1)!.seq;
    else until = found[0]!.seq;
  }
  return (before === undefined ? pieces : pieces.toReversed()).flat();
}
