import { expect } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { logViolations } from "../support/log-violations.ts";

/** Fails unless everything holds that holds for every log at every moment. */
export function checkLog(log: ChatEvent[]): void {
  expect(logViolations(log)).toEqual([]);
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
