import { expect } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";

/** What holds for every log at every moment: see "Always true" in the promises. */
export function checkLog(log: ChatEvent[]): void {
  // Asked once for all of it: an expectation costs more than what is looked at here.
  const problems = problemsIn(log);
  expect(problems, problems.join("; ")).toEqual([]);
}

function problemsIn(log: ChatEvent[]): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  const ends = new Map<string, number>();
  const pending = new Map<string, boolean>();
  const results = new Map<string, number>();
  for (const [index, event] of log.entries()) {
    if (event.seq !== index + 1) problems.push(`event ${index + 1} has seq ${event.seq}`);
    if (ids.has(event.id)) problems.push(`two events have the id ${event.id}`);
    ids.add(event.id);
    switch (event.type) {
      case "tool_call":
        if (results.has(event.payload.toolCallId)) {
          problems.push(
            `call ${event.payload.toolCallId} is made twice, or has a result before it`,
          );
        }
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
  for (const [call, count] of results) {
    if (count > 1) problems.push(`call ${call} has two results, or one without a call`);
  }
  for (const [id, count] of ends) {
    if (count > 1) problems.push(`prompt ${id} has two ends, or one without a request`);
    if (count === 1 && pending.get(id) !== false) problems.push(`ended prompt ${id} is pending`);
  }
  return problems;
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
