import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { decisionWords } from "./decision-words.ts";

const responder = { id: "owner", name: "Ada" };
const question = { interactionType: "input" } as InteractionRequest;

test("what a person did themselves is said in their own view, and whose no it was", () => {
  expect(decisionWords({ action: "approve", approvalScope: "always" }, "you")).toBe(
    "Allowed always",
  );
  expect(decisionWords({ action: "deny", reason: "Not today" }, "you")).toBe(
    "Denied by you: “Not today”",
  );
});

test("what somebody else did names them, and that it was not done here", () => {
  const denied = { action: "deny", responder } as const;
  expect(decisionWords(denied, "another device")).toBe("Denied on another device by Ada");
  expect(decisionWords(denied, "name", question)).toBe("Refused by Ada");
});

test("an edited input and a stopped turn are part of the decision", () => {
  expect(decisionWords({ action: "approve", updatedInput: {} }, "you")).toBe(
    "Allowed once, as edited",
  );
  expect(decisionWords({ action: "deny", stop: true }, "you")).toBe(
    "Denied by you, and the turn was stopped",
  );
});

test("nothing hides in a name or a reason", () => {
  const decision = {
    action: "deny",
    reason: "a\u202Eb",
    responder: { id: "p", name: "A\u001b" },
  } as const;
  expect(decisionWords(decision, "name")).toBe("Denied by A\\u{1B}: “a\\u{202E}b”");
});
