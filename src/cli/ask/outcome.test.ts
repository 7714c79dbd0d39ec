import { expect, test } from "vitest";
import type { InteractionRecord } from "../../protocol/index.ts";
import { answerLines, outcomeOf, toJson } from "./outcome.ts";

const ids = { toolCallId: "c", interactionId: "i" };

function prompt(
  given: Partial<InteractionRecord>,
  request: Partial<InteractionRecord["request"]> = {},
): InteractionRecord {
  return {
    id: "i",
    sessionId: "s",
    toolCallId: "c",
    toolName: "ask",
    status: "pending",
    waiting: "live",
    createdAt: "2026-01-01T00:00:00.000Z",
    request: {
      ...ids,
      toolName: "ask",
      interactionType: "input",
      presentation: "tool",
      attempt: 1,
      ...request,
    },
    ...given,
  };
}

const answered = (
  response: Pick<NonNullable<InteractionRecord["response"]>, "action" | "input" | "reason">,
  request: Partial<InteractionRecord["request"]> = {},
) => {
  const responder = { id: "p", name: "Ada" };
  const full = { ...ids, answerId: "a", responder, ...response };
  return prompt({ status: "answered", response: full }, request);
};

test.each<[InteractionRecord, number, string]>([
  [prompt({ status: "pending" }), 8, "Nobody has answered yet; it stays open."],
  [prompt({ status: "timed_out" }), 124, "Nobody answered in time."],
  [prompt({ status: "cancelled" }), 5, "Withdrawn before anybody answered."],
  [prompt({ status: "superseded" }), 5, "Asked again by the same call made anew."],
  [prompt({ status: "decided_elsewhere", action: "approve" }), 0, "Allowed in the terminal."],
  [prompt({ status: "decided_elsewhere", action: "deny" }), 3, "Denied in the terminal."],
  [prompt({ status: "failed" }), 1, "The call failed before anybody answered."],
  [answered({ action: "approve" }), 0, "Allowed once by Ada."],
  [answered({ action: "submit", input: {} }), 0, "Answered by Ada."],
  [answered({ action: "cancel" }), 5, "Skipped by Ada."],
  [answered({ action: "deny" }), 3, "Refused by Ada."],
  [
    answered({ action: "deny", reason: "No" }, { interactionType: "approval" }),
    3,
    "Denied by Ada: “No”.",
  ],
])("every end of a prompt has its exit code and its words: %#", (record, exitCode, words) => {
  expect(outcomeOf(record)).toEqual({ exitCode, words });
});

const form = (...names: string[]) => ({
  inputSchema: {
    type: "form" as const,
    fields: names.map((id) => ({ id, type: "text" as const, label: id })),
  },
});

test.each<[string, InteractionRecord, string[]]>([
  ["one answer", answered({ action: "submit", input: { answer: "a" } }, form("answer")), ["a"]],
  ["a number", answered({ action: "submit", input: { answer: 0 } }, form("answer")), ["0"]],
  [
    "a list",
    answered({ action: "submit", input: { answer: ["a", "b"] } }, form("answer")),
    ["a", "b"],
  ],
  [
    "another field",
    answered({ action: "submit", input: { name: "a" } }, form("name")),
    ['{"name":"a"}'],
  ],
  [
    "several fields",
    answered({ action: "submit", input: { answer: "a", why: "b" } }, form("answer", "why")),
    ['{"answer":"a","why":"b"}'],
  ],
  ["nothing to fill in", answered({ action: "submit" }), []],
  ["an approval", answered({ action: "approve" }), []],
  ["a no", answered({ action: "deny", input: { answer: "a" } }, form("answer")), []],
  ["nothing yet", prompt({}), []],
])("what is printed for %s", (_what, record, lines) => {
  expect(answerLines(record)).toEqual(lines);
});

test("what is still open is an object without an answer", () => {
  expect(toJson(prompt({}))).toEqual({
    id: "i",
    sessionId: "s",
    toolCallId: "c",
    status: "pending",
  });
});
