import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { afterTimeout } from "./after-timeout.ts";

const request = (more: Partial<InteractionRequest>): InteractionRequest => ({
  toolCallId: "c1",
  interactionId: "i1",
  toolName: "ask_user",
  interactionType: "input",
  presentation: "questionnaire",
  attempt: 1,
  expiresAt: "2026-11-18T10:00:00.000Z",
  afterTimeout: "fail",
  asker: { name: "Demo", kind: "agent" },
  ...more,
});

test("whoever asked is told that nobody answered", () => {
  expect(afterTimeout(request({}))).toBe("Then the agent is told that nobody answered.");
  const program = { name: "ci", kind: "machine" } as const;
  expect(afterTimeout(request({ asker: program, interactionType: "approval" }))).toBe(
    "Then it does not run, and the program is told that nobody answered.",
  );
});

test("a tool with a hook for it decides by itself", () => {
  expect(afterTimeout(request({ afterTimeout: "tool" }))).toBe(
    "Then the tool goes on without your answer.",
  );
});

test("what waits for ever has nothing to say", () => {
  expect(afterTimeout(request({ expiresAt: undefined }))).toBeUndefined();
});
