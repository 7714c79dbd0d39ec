import { describe, expect, test } from "vitest";
import type { InteractionRequest, InteractionResponse } from "../protocol/index.ts";
import { elsewhereWords } from "./elsewhere-words.ts";
import { summaryOf } from "./summary.ts";
import type { InteractionView } from "./view.ts";

test("what only the tool could remember is not said to be remembered", () => {
  const asked = { toolName: "release", rememberedBy: "tool" } as const;
  expect(summaryOf(completed({ approvalScope: "session" }, asked), "me")).toBe(
    "Allowed for this session, if the tool remembers it",
  );
  expect(summaryOf(completed({ approvalScope: "once" }, asked), "me")).toBe("Allowed once");
  expect(summaryOf(completed({ approvalScope: "session" }), "me")).toBe("Allowed for this session");
});

function completed(
  response: Partial<InteractionResponse> | undefined,
  request: Partial<InteractionRequest> = {},
  more: Partial<InteractionView> = {},
): InteractionView {
  return {
    id: "p",
    callId: "c",
    request: {
      toolCallId: "c",
      interactionId: "p",
      toolName: "bash",
      interactionType: "approval",
      presentation: "tool",
      attempt: 1,
      ...request,
    },
    state: response ? "answered" : "closed",
    pending: false,
    askedAt: "2026-01-01T00:00:00.000Z",
    ...(response
      ? {
          response: {
            toolCallId: "c",
            interactionId: "p",
            answerId: "a",
            action: "approve",
            responder: { id: "owner", name: "Ada", clientId: "me" },
            ...response,
          },
        }
      : {}),
    ...more,
  };
}

const summary = (...args: Parameters<typeof completed>) => summaryOf(completed(...args), "me");
const input = { interactionType: "input" } as const;
const elsewhere = { responder: { id: "owner", name: "Ada", clientId: "phone" } };

test("without a template it says what was chosen", () => {
  expect(summary({ action: "approve" })).toBe("Allowed once");
  expect(summary({ approvalScope: "session" })).toBe("Allowed for this session");
  expect(summary({ action: "deny", reason: "Too risky" })).toBe("Denied by you: “Too risky”");
  expect(summary({ action: "submit" }, input)).toBe("Answered");
  expect(summary({ action: "cancel" }, input)).toBe("Skipped");
  expect(summary({ action: "deny" }, input)).toBe("Refused by you");
  const approvalOptions = [{ id: "x", label: "Only reads", decision: "approve" as const }];
  expect(summary({ optionId: "x" }, { approvalOptions })).toBe("Allowed: Only reads");
});

test("a prompt that an approval of another one covers says so", () => {
  const request = { completedView: { summaryTemplate: "User approved: {{action}}" } };
  expect(summary({ grantId: "g" })).toBe("Allowed with another prompt");
  expect(summary({ grantId: "g" }, request)).toBe("User approved: with another prompt");
  expect(summary({ grantId: "g", ...elsewhere })).toBe(
    "Allowed with another prompt on another device by Ada",
  );
});

test("a step that was answered and asked again keeps what was answered", () => {
  expect(summary({ action: "submit" }, input, { state: "replaced" })).toBe("Answered");
});

test("a tool that fails after its answer is told of with the answer", () => {
  const failure = { code: "tool_error", message: "The disk is full." };
  expect(summary({ action: "submit" }, input, { failure })).toBe(
    "Answered. Then the tool failed: The disk is full.",
  );
});

test("an answer from elsewhere names what the winner chose, and who", () => {
  expect(summary({ ...elsewhere, action: "deny" })).toBe("Denied on another device by Ada");
  expect(summary({ ...elsewhere, approvalScope: "always" })).toBe(
    "Allowed always on another device by Ada",
  );
  expect(summary({ action: "submit", responder: { id: "p_1" } }, input)).toBe(
    "Answered on another device by p_1",
  );
});

test("what was decided in the agent's own terminal says what, and where", () => {
  const end = (action: "approve" | "deny" | "submit") =>
    summary(undefined, {}, { reason: "decided_elsewhere", message: elsewhereWords(action) });
  expect(end("approve")).toBe("Allowed in the terminal");
  expect(end("deny")).toBe("Denied in the terminal");
  expect(end("submit")).toBe("Answered in the terminal");
  const failure = {
    code: "allowed_elsewhere",
    message: "It had been allowed in the terminal before.",
  };
  expect(summary({ action: "deny" }, {}, { failure })).toContain(
    ". But it ran: It had been allowed in the terminal before.",
  );
});

test("an end without an answer is never worded as a person's", () => {
  const end = (more: Partial<InteractionView>) => summary(undefined, {}, more);
  expect(end({ reason: "timed_out" })).toBe("Nobody answered in time");
  expect(end({ reason: "cancelled" })).toBe("Withdrawn before anybody answered");
  expect(end({ reason: "failed" })).toBe("The call failed before anybody answered");
  expect(end({ reason: "superseded" })).toBe("Asked again by the same call made anew");
  expect(end({ reason: "cancelled", message: "The run is gone." })).toBe(
    "Withdrawn before anybody answered. The run is gone.",
  );
  expect(summary(undefined, {}, { state: "replaced", reason: "timed_out" })).toBe(
    "Nobody answered in time",
  );
  expect(summary(undefined, {}, { state: "open" })).toBe("");
});

describe("a template", () => {
  const filled = (summaryTemplate: string, response: Partial<InteractionResponse> = {}) =>
    summary(response, { completedView: { summaryTemplate } });

  test("is filled with the action, the scope and the fields", () => {
    expect(filled("User {{action}} it {{ scope }}", { approvalScope: "session" })).toBe(
      "User allowed it for this session",
    );
    const values = { name: "Ada", tags: ["a", "b"], ok: true, n: 3, deep: { x: 1 }, none: null };
    expect(
      filled(
        "{{input.name}}|{{input.tags}}|{{input.ok}}|{{input.n}}|{{input.deep}}|{{input.none}}",
        {
          input: values,
        },
      ),
    ).toBe('Ada|a, b|yes|3|{"x":1}|');
  });

  test("leaves out what was not given, and leaves what it does not know", () => {
    const template = "[{{input.missing}}] [{{scope}}] {{other}} {{";
    expect(
      summary({ action: "submit" }, { ...input, completedView: { summaryTemplate: template } }),
    ).toBe("[] [] {{other}} {{");
    expect(filled("{{input.constructor}}{{input.__proto__}}", { input: {} })).toBe("");
  });

  test("that says already that it was approved gets how far, and is no words for a no", () => {
    expect(filled("User approved: {{action}}")).toBe("User approved: once");
    expect(filled("User approved: {{action}}", { approvalScope: "session" })).toBe(
      "User approved: for this session",
    );
    expect(filled("User approved: {{action}}", { action: "deny" })).toBe("Denied by you");
    expect(filled("{{action}} ({{scope}})")).toBe("Allowed (once)");
    expect(filled("{{action}} ({{scope}})", { action: "deny" })).toBe("Denied by you");
  });

  test("is filled once: what was typed is no template and no pattern", () => {
    expect(filled("{{input.a}}", { input: { a: "{{input.b}} $& $1", b: "secret" } })).toBe(
      "{{input.b}} $& $1",
    );
  });

  test("hides a secret and shows what would hide", () => {
    expect(filled("{{input.key}}", { secretFields: ["key"] })).toBe("••••••");
    expect(filled("{{input.a}}", { input: { a: "a\u202Eb" } })).toBe("a\\u{202E}b");
  });

  test("still tells that the answer came from elsewhere", () => {
    expect(filled("Done: {{action}}", elsewhere)).toBe(
      "Done: allowed (Allowed once on another device by Ada)",
    );
  });
});
