/** An event as its columns; the payload is JSON as it was stored, and stays so. */
type EventColumns = Record<string, unknown>;

/** What an event costs on the wire beside its payload, roughly. */
export const ENVELOPE_BYTES = 200;

/** The text that clients get of an event. */
export function toEventJson(row: EventColumns): string {
  const envelope = JSON.stringify({
    id: row["id"],
    seq: row["seq"],
    sessionId: row["session_id"],
    timestamp: new Date(row["at"] as number).toISOString(),
    ...(row["turn_id"] !== null && { turnId: row["turn_id"] }),
    ...(row["response_id"] !== null && { responseId: row["response_id"] }),
    type: row["type"],
  });
  return `${envelope.slice(0, -1)},"payload":${row["payload"] as string}}`;
}
