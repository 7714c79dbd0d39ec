import type { ChatEvent } from "../../src/protocol/index.ts";

/** What holds for every log at every moment, and does not hold for this one: see "Always true". */
export function logViolations(log: ChatEvent[]): string[] {
  const found: string[] = [];
  const gap = log.findIndex((event, index) => event.seq !== index + 1);
  if (gap >= 0) found.push(`I3: event number ${gap + 1} has seq ${log[gap]?.seq}`);
  if (new Set(log.map((event) => event.id)).size < log.length) found.push("I3: an id is repeated");
  const ends = new Map<string, number>();
  const pending = new Map<string, boolean>();
  const results = new Map<string, number>();
  const count = (counts: Map<string, number>, id: string, what: string) => {
    const before = counts.get(id);
    if (before === undefined) found.push(`${what} of ${id} came before it began`);
    counts.set(id, (before ?? 0) + 1);
  };
  for (const { type, payload } of log) {
    switch (type) {
      case "tool_call":
        if (results.has(payload.toolCallId)) found.push(`I5: ${payload.toolCallId} began twice`);
        results.set(payload.toolCallId, 0);
        break;
      case "tool_result":
        count(results, payload.toolCallId, "I5: the result");
        break;
      case "interaction_request":
        if (ends.has(payload.interactionId)) found.push(`I4: ${payload.interactionId} asked twice`);
        ends.set(payload.interactionId, 0);
        break;
      case "interaction_pending":
        pending.set(payload.interactionId, payload.pending);
        break;
      case "interaction_response":
      case "interaction_closed":
        count(ends, payload.interactionId, "I4: the end");
        break;
      default:
    }
  }
  for (const [id, times] of results) if (times > 1) found.push(`I5: ${id} has ${times} results`);
  for (const [id, times] of ends) {
    if (times > 1) found.push(`I4: ${id} has ${times} ends`);
    if (times > 0 && pending.get(id) !== false) found.push(`I8: ${id} is over and pending`);
  }
  return found;
}
