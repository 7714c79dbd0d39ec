import { expect } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";

/** What is true of every log, whatever happened: I2–I5 and I8 of the promises. */
export function checkLog(events: ChatEvent[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
  const calls = new Set<string>();
  const results = new Map<string, number>();
  const requests = new Set<string>();
  const ends = new Map<string, number>();
  const pending = new Map<string, boolean>();
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const event of events) {
    if (event.type === "tool_call") calls.add(event.payload.toolCallId);
    if (event.type === "tool_result") count(results, event.payload.toolCallId);
    if (event.type === "interaction_request") requests.add(event.payload.interactionId);
    if (event.type === "interaction_pending") {
      pending.set(event.payload.interactionId, event.payload.pending);
    }
    if (event.type === "interaction_response" || event.type === "interaction_closed") {
      count(ends, event.payload.interactionId);
    }
  }
  for (const [id, number] of results) {
    expect(number, `results of call ${id}`).toBe(1);
    expect(calls).toContain(id);
  }
  for (const [id, number] of ends) {
    expect(number, `ends of prompt ${id}`).toBe(1);
    expect(requests).toContain(id);
    expect(pending.get(id), `prompt ${id} is pending after its end`).toBe(false);
  }
}
