import { expect, test } from "vitest";
import type { InteractionRecord } from "../../../protocol/index.ts";
import { Drafts } from "./drafts.ts";

const prompt = (id: string, more: { toolName?: string; attempt?: number; sessionId?: string }) => {
  const { toolName = "ask", attempt = 1, sessionId = "s" } = more;
  const request = { toolName, attempt };
  return { id, sessionId, toolCallId: "call_1", toolName, request } as InteractionRecord;
};
const ada = { answer: "Ada" };

test("a prompt that is asked again begins with what was sent, or left half filled in", () => {
  const drafts = new Drafts();
  drafts.keep(prompt("a", {}), ada);
  expect(drafts.of(prompt("a", {}))).toEqual({ kept: ada });
  expect(drafts.of(prompt("b", { attempt: 2 }))).toEqual({ kept: ada });
  drafts.sent(prompt("a", {}), { answer: "Bob" });
  expect(drafts.of(prompt("a", {}))).toEqual({});
  expect(drafts.of(prompt("b", { attempt: 2 }))).toEqual({ previous: { answer: "Bob" } });
  drafts.sent(prompt("a", {}));
  expect(drafts.of(prompt("b", { attempt: 2 }))).toEqual({});
});

test.each([
  ["that the same call asks next", {}],
  ["of another program in the same call", { toolName: "release_publish", attempt: 2 }],
  ["of another session whose call has the same id", { sessionId: "other", attempt: 2 }],
])("another prompt %s begins empty", (_which, more) => {
  const drafts = new Drafts();
  drafts.keep(prompt("a", {}), ada);
  drafts.sent(prompt("a", {}), ada);
  expect(drafts.of(prompt("b", more))).toEqual({});
});
