import { expect } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";

/** What holds for every log at every moment: see "Always true" in the promises. */
export function checkLog(log: ChatEvent[]): void {
  expect(log.map((event) => event.seq)).toEqual(log.map((_event, index) => index + 1));
  expect(new Set(log.map((event) => event.id)).size).toBe(log.length);
  const ends = new Map<string, number>();
  const pending = new Map<string, boolean>();
  const results = new Map<string, number>();
  for (const event of log) {
    switch (event.type) {
      case "tool_call":
        expect(results.has(event.payload.toolCallId)).toBe(false);
        results.set(event.payload.toolCallId, 0);
        break;
      case "tool_result":
        results.set(event.payload.toolCallId, (results.get(event.payload.toolCallId) ?? 9) + 1);
        break;
      case "interaction_request":
        ends.set(event.payload.interactionId, 0);
        break;
      case "interaction_pending":
        pending.set(event.payload.interactionId, event.payload.pending);
        break;
      case "interaction_response":
      case "interaction_closed":
        ends.set(event.payload.interactionId, (ends.get(event.payload.interactionId) ?? 9) + 1);
        break;
      default:
    }
  }
  for (const [call, count] of results) expect({ call, count }).toEqual({ call, count: count && 1 });
  for (const [id, count] of ends) {
    expect({ id, count }).toEqual({ id, count: count && 1 });
    if (count === 1) expect({ id, pending: pending.get(id) }).toEqual({ id, pending: false });
  }
}

/** Which prompts are pending, by what the log says. */
export function pendingIn(log: ChatEvent[]): string[] {
  const pending = new Set<string>();
  for (const event of log) {
    if (event.type !== "interaction_pending") continue;
    if (event.payload.pending) pending.add(event.payload.interactionId);
    else pending.delete(event.payload.interactionId);
  }
  return [...pending].sort();
}
