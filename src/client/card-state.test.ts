import { expect, test } from "vitest";
import type { InteractionResponse } from "../protocol/index.ts";
import { type CardFacts, cardState, timeLeft } from "./card-state.ts";
import type { InteractionView } from "./view.ts";

const prompt = (more: Partial<InteractionView> = {}): InteractionView => ({
  id: "p",
  callId: "c",
  request: {
    toolCallId: "c",
    interactionId: "p",
    toolName: "bash",
    interactionType: "approval",
    presentation: "tool",
    attempt: 1,
    expiresAt: "2026-01-01T00:05:00.000Z",
  },
  state: "open",
  pending: true,
  askedAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

const response = (clientId?: string): InteractionResponse => ({
  toolCallId: "c",
  interactionId: "p",
  answerId: "a",
  action: "approve",
  responder: { id: "owner", ...(clientId ? { clientId } : {}) },
});

const FACTS: CardFacts = { interactive: true, submitting: false, clientId: "me" };

const STATES: [string, Partial<InteractionView>, Partial<CardFacts>, string][] = [
  ["a prompt that is open", {}, {}, "pending"],
  ["one whose answer is on its way", {}, { submitting: true }, "submitting"],
  ["one that may not be answered here", {}, { interactive: false }, "read_only"],
  ["one whose call is over", { late: "queued", pending: false }, {}, "queued"],
  ["one whose run is gone", { late: "orphaned", pending: false }, {}, "orphaned"],
  ["a late one with the mode off", { late: "orphaned" }, { interactive: false }, "read_only"],
  ["answered here", { state: "answered", response: response("me") }, {}, "completed"],
  [
    "answered elsewhere",
    { state: "answered", response: response("you") },
    {},
    "completed_elsewhere",
  ],
  ["answered by who knows", { state: "answered", response: response() }, {}, "completed_elsewhere"],
  [
    "ended while sending",
    { state: "closed", reason: "timed_out" },
    { submitting: true },
    "timed_out",
  ],
  ["withdrawn", { state: "closed", reason: "cancelled" }, { interactive: false }, "cancelled"],
  ["ended by a failure", { state: "closed", reason: "failed" }, {}, "failed"],
  ["asked anew by another call", { state: "closed", reason: "superseded" }, {}, "replaced"],
  [
    "decided in the terminal",
    { state: "closed", reason: "decided_elsewhere", action: "deny" },
    {},
    "decided_elsewhere",
  ],
  ["asked anew by its own", { state: "replaced", response: response("me") }, {}, "replaced"],
];

for (const [what, view, facts, state] of STATES) {
  test(`${what}: ${state}`, () => {
    expect(cardState(prompt(view), { ...FACTS, ...facts })).toBe(state);
  });
}

test("the time left comes from the server's deadline, and never runs below zero", () => {
  const at = (time: string) => timeLeft(prompt(), Date.parse(time));
  expect(at("2026-01-01T00:04:00.000Z")).toBe(60_000);
  expect(at("2026-01-01T00:06:00.000Z")).toBe(0);
});

test("a prompt without a deadline, a late one and one that ended have no time left to show", () => {
  const { expiresAt: _expiresAt, ...forEver } = prompt().request;
  expect(timeLeft(prompt({ request: forEver }), 0)).toBeUndefined();
  expect(timeLeft(prompt({ late: "queued" }), 0)).toBeUndefined();
  expect(timeLeft(prompt({ state: "answered" }), 0)).toBeUndefined();
});
