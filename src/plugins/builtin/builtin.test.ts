import { expect, test } from "vitest";
import type {
  HookOutcome,
  InteractionRequestWithHooks,
  ToolContext,
  ToolDefinition,
  UserResponse,
} from "../../core/index.ts";
import { PromptRequest } from "../../protocol/index.ts";
import { askQuestions } from "./ask-questions.ts";
import { askUser } from "./ask-user.ts";

const info = { interactionId: "i", attempt: 1, responder: { id: "p" } };

/** Calls a tool whose one prompt gets this response. */
async function call(tool: ToolDefinition, args: unknown, response: UserResponse) {
  let request: InteractionRequestWithHooks | undefined;
  const ctx: Partial<ToolContext> = {
    async requestInteraction(asked) {
      request = asked;
      const outcome: HookOutcome = await asked.onResponse(response, info);
      return "complete" in outcome ? outcome.complete : outcome;
    },
  };
  const result = await tool.handler(args as never, ctx as ToolContext);
  return { result, request: PromptRequest.parse(request) };
}

test("ask_user shows one required field, labelled with the question", async () => {
  const { request, result } = await call(
    askUser,
    { question: "Why?" },
    { action: "submit", input: { answer: "because" } },
  );
  expect(request.inputSchema?.fields).toEqual([
    { id: "answer", type: "text", label: "Why?", required: true },
  ]);
  expect(result).toEqual({ ok: true, answer: "because" });
});

test("options make it a choice", async () => {
  const { request } = await call(
    askUser,
    { question: "Which?", options: ["a", "b"] },
    { action: "submit", input: { answer: "a" } },
  );
  expect(request.inputSchema?.fields?.[0]).toMatchObject({
    type: "select",
    options: [
      { value: "a", label: "a" },
      { value: "b", label: "b" },
    ],
  });
});

test("the given type is used", async () => {
  const response: UserResponse = { action: "submit", input: { answer: ["a"] } };
  const args = { question: "Which?", inputType: "multiselect", options: ["a", "b"] };
  const { request, result } = await call(askUser, args, response);
  expect(request.inputSchema?.fields?.[0]?.type).toBe("multiselect");
  expect(result).toEqual({ ok: true, answer: ["a"] });
});

test("a choice without options is refused before anyone is asked", async () => {
  const args = { question: "Which?", inputType: "radio" };
  await expect(call(askUser, args, { action: "cancel" })).rejects.toMatchObject({
    code: "invalid_arguments",
  });
});

test("ask_user cannot ask for a secret, because its answer is stored", () => {
  expect(JSON.stringify(askUser.parameters)).not.toContain("secret");
});

const questions = [
  { header: "Colour", question: "Which colour?", options: [{ label: "red" }, { label: "blue" }] },
];

test("ask_questions returns the answers by index", async () => {
  const { request, result } = await call(
    askQuestions,
    { questions },
    { action: "submit", input: { answers: { "0": "red" } } },
  );
  expect(request.questions).toEqual([{ ...questions[0], multiSelect: false }]);
  expect(result).toEqual({ ok: true, answers: { "0": "red" } });
});

test.each([
  ["ask_user", askUser, { question: "Why?" }],
  ["ask_questions", askQuestions, { questions }],
] as const)("%s is a replayable questionnaire that can be refused", async (_name, tool, args) => {
  expect(tool).toMatchObject({ durable: "replay", presentation: "questionnaire" });
  const cancelled = await call(tool, args, { action: "cancel" });
  expect(cancelled.result).toEqual({ ok: false, cancelled: true });
  const declined = await call(tool, args, { action: "deny", reason: "not now" });
  expect(declined.result).toEqual({ ok: false, declined: true, reason: "not now" });
  const silent = await call(tool, args, { action: "deny" });
  expect(silent.result).toEqual({ ok: false, declined: true });
});
