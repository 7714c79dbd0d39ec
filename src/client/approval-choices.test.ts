import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { toApprovalResponse, toChoices } from "./approval-choices.ts";

function requestOf(more: Partial<InteractionRequest>): InteractionRequest {
  return {
    toolCallId: "c",
    interactionId: "p",
    toolName: "deploy",
    interactionType: "approval",
    presentation: "tool",
    attempt: 1,
    ...more,
  };
}

const ask = (request: InteractionRequest) =>
  toChoices(request).map((choice) => [choice.label, toApprovalResponse(request, choice)]);

test("each scope that is offered is a choice of its own, and is named in the answer", () => {
  expect(ask(requestOf({ approvalScopes: ["once", "session", "always"] }))).toEqual([
    ["Allow once", { action: "approve", approvalScope: "once" }],
    ["Allow for this session", { action: "approve", approvalScope: "session" }],
    ["Always allow", { action: "approve", approvalScope: "always" }],
  ]);
});

test("where no scope is offered, a yes is for once and names none", () => {
  expect(ask(requestOf({}))).toEqual([["Allow once", { action: "approve" }]]);
});

test("an option of the asker's own says by itself how far it goes", () => {
  const approvalOptions: InteractionRequest["approvalOptions"] = [
    { id: "all", label: "All of them", decision: "approve", scope: "session" },
    { id: "none", label: "None", decision: "deny" },
  ];
  expect(ask(requestOf({ approvalOptions }))).toEqual([
    ["All of them", { action: "approve", optionId: "all" }],
    ["None", { action: "deny", optionId: "none" }],
  ]);
});

test("what a choice covers is said in the asker's words where it has some, else in ours", () => {
  const request = requestOf({
    approvalScopes: ["once", "session", "always"],
    approvalCovers: { session: ["Every deployment to staging"] },
  });
  expect(toChoices(request).map(({ covers }) => covers)).toEqual([
    ["Only this time."],
    ["Every deployment to staging"],
    ["Whenever deploy asks for the same again, in every session, until you revoke it."],
  ]);
});
