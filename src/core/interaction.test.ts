import { expect, test } from "vitest";
import type { InteractionResponse } from "../protocol/index.ts";
import { close, detach, expire, nextRequest, open, respond, type Step } from "./interaction.ts";
import type { InteractionRow } from "./ports.ts";

const NOW = 1_000;

const row: InteractionRow = {
  id: "i1",
  sessionId: "s1",
  callId: "c1",
  runId: "r1",
  toolName: "tool",
  turnId: "t1",
  responseId: null,
  key: "k",
  attempt: 1,
  previousId: null,
  type: "approval",
  status: "open",
  link: "live",
  request: {
    toolCallId: "c1",
    interactionId: "i1",
    toolName: "tool",
    interactionType: "approval",
    presentation: "tool",
    approvalScopes: ["once"],
    timeoutMs: 5_000,
    attempt: 1,
    error: "old",
  },
  requestDigest: "d",
  actionDigest: null,
  hasTimeoutHook: false,
  createdAt: 0,
  expiresAt: 5_000,
  endedAt: null,
  decidedResponseId: null,
  response: null,
  outcome: null,
  adoptedByCall: null,
  version: 3,
};

const response: InteractionResponse = {
  toolCallId: "c1",
  interactionId: "i1",
  answerId: "a1",
  action: "approve",
  responder: { id: "p1" },
};

const types = (step: Step) => step.events.map((event) => event.type);
const answer = (of: InteractionRow, after: InteractionRow[] = []) =>
  respond(of, after, response, NOW);

test("a prompt begins with the news that somebody waits, then says what is asked", () => {
  const step = open(row);
  expect(types(step)).toEqual(["interaction_pending", "interaction_request"]);
  expect(step.write).toMatchObject({ table: "interactions", id: "i1", ifVersion: 0 });
  expect(step.events.every((event) => event.turnId === "t1" && !("responseId" in event))).toBe(
    true,
  );
});

test("the first answer wins, guarded by the version that was read", () => {
  const step = answer(row) as Step;
  expect(types(step)).toEqual(["interaction_response", "interaction_pending"]);
  expect(step.write.ifVersion).toBe(3);
  expect(step.row).toMatchObject({
    status: "answered",
    decidedResponseId: "a1",
    endedAt: NOW,
    version: 4,
  });
});

test("a later answer is told who was first", () => {
  const { row: answered } = answer(row) as Step;
  expect(answer(answered)).toEqual({ refused: "already_answered", response });
});

test("an answer to a prompt that was asked anew is told of the newer one", () => {
  const { row: answered } = answer(row) as Step;
  const newer = { ...row, id: "i2", attempt: 2 };
  expect(answer(answered, [newer])).toMatchObject({ refused: "stale_interaction", current: "i2" });
});

test("a late answer says so, and nobody was waiting any more", () => {
  const step = answer({ ...row, link: "queued", expiresAt: null }) as Step;
  expect(types(step)).toEqual(["interaction_response"]);
  expect(step.events[0]?.payload).toMatchObject({ late: true });
});

test("a deadline ends the prompt without a person's name on it", () => {
  const step = expire(row, NOW);
  expect(types(step)).toEqual(["interaction_closed", "interaction_pending"]);
  expect(step.row).toMatchObject({ status: "timed_out", response: null });
  expect(answer(step.row)).toEqual({ refused: "interaction_closed", reason: "timed_out" });
});

test("with a hook a deadline decides nothing yet, and tells nobody", () => {
  const step = expire({ ...row, hasTimeoutHook: true }, NOW);
  expect(step.row.status).toBe("expiring");
  expect(step.events).toEqual([]);
});

test("a prompt that outlives its call stays open and waits for ever", () => {
  const step = detach({ ...row, status: "expiring" }, "queued");
  expect(step.row).toMatchObject({ status: "open", link: "queued", expiresAt: null });
  expect(step.events[0]?.payload).toMatchObject({ pending: false, queued: true });
});

test("closing a prompt that nobody waited for says only that it is closed", () => {
  expect(types(close({ ...row, link: "orphaned" }, "cancelled", NOW))).toEqual([
    "interaction_closed",
  ]);
});

test("closing a queued prompt keeps the outcome that its call ended with", () => {
  const outcome = { kind: "pending", result: { pending: true, queued: true } } as const;
  const step = close({ ...row, link: "queued", outcome }, "cancelled", NOW);
  expect(step.row.outcome).toEqual(outcome);
  expect(step.write.set).not.toMatchObject({ outcome: null });
});

test("a re-prompt keeps what it does not say, and forgets the old error", () => {
  const next = nextRequest(
    row.request,
    { prompt: "Again?", approvalScopes: undefined },
    { toolCallId: "c1", interactionId: "i2", attempt: 2 },
  );
  expect(next).toMatchObject({
    prompt: "Again?",
    approvalScopes: ["once"],
    timeoutMs: 5_000,
    attempt: 2,
  });
  expect(next).not.toHaveProperty("error");
});
