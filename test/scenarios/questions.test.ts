import { expect } from "vitest";
import type { EventOf } from "./client.ts";
import { story } from "./story.ts";
import { verifies } from "./verifies.ts";
import type { World } from "./world.ts";

async function call(world: World, tool: string, args: object) {
  const { session, client } = await world.conversation();
  await client.say(session.id, `/call ${tool} ${JSON.stringify(args)}`);
  return { session, client, request: await client.event("interaction_request") };
}

function fieldOf(request: EventOf<"interaction_request">) {
  return request.payload.inputSchema?.fields;
}

verifies(
  "ask-user:one-field",
  "ask_user shows a questionnaire with one required field of the given type",
  {},
  async (world) => {
    const options = ["a", "b"];
    const offered = options.map((value) => ({ value, label: value }));
    for (const [args, field] of [
      [{}, { type: "text" }],
      [{ options }, { type: "select", options: offered }],
      [{ inputType: "date" }, { type: "date" }],
      [
        { inputType: "multiselect", options },
        { type: "multiselect", options: offered },
      ],
    ] as const) {
      const { request } = await call(world, "ask_user", { question: "Which?", ...args });
      expect(request.payload).toMatchObject({
        toolName: "ask_user",
        interactionType: "input",
        presentation: "questionnaire",
      });
      expect(fieldOf(request)).toEqual([
        { id: "answer", label: "Which?", required: true, ...field },
      ]);
    }
  },
);

verifies(
  "ask-user:result",
  "ask_user gives the answer, or says that it was cancelled or declined",
  {},
  async (world) => {
    for (const [response, result] of [
      [
        { action: "submit", input: { answer: "blue" } },
        { ok: true, answer: "blue" },
      ],
      [{ action: "cancel" }, { ok: false, cancelled: true }],
      [
        { action: "deny", reason: "no" },
        { ok: false, declined: true, reason: "no" },
      ],
    ] as const) {
      const { client, request } = await call(world, "ask_user", { question: "Which?" });
      const empty = await client.answer(request, { action: "submit", input: { answer: "" } });
      expect(empty).toMatchObject({ fieldErrors: { answer: expect.any(String) } });
      await client.answer(request, response);
      const { payload } = await client.event("tool_result");
      expect(payload).toMatchObject({ ok: true });
      expect(payload.result).toEqual(result);
    }
  },
);

const questions = [
  {
    header: "Colour",
    question: "Which colour?",
    options: [{ label: "Red", description: "Warm" }, { label: "Blue" }],
  },
  {
    header: "Sizes",
    question: "Which sizes?",
    options: [{ label: "S" }, { label: "M" }, { label: "L", preview: "█" }],
    multiSelect: true,
  },
];

verifies(
  ["ask:as-written", "ask:checked"],
  "questions reach clients as they were asked and are answered by index, with Other as free text",
  {},
  async (world) => {
    const { session, client, request } = await call(world, "ask_questions", { questions });
    expect(request.payload).toMatchObject({ presentation: "questionnaire" });
    expect(request.payload.questions).toEqual([
      { ...questions[0], multiSelect: false },
      questions[1],
    ]);
    const before = await story(world, session.id);
    for (const [input, ...keys] of [
      [{ answers: {} }, "0", "1"],
      [{ answers: { "0": "Red" } }, "1"],
      [{ answers: { "0": "", "1": '["S"]' } }, "0"],
      [{ answers: { "0": "  ", "1": '["S"]' } }, "0"],
      [{ answers: { "0": "Red", "1": "S" } }, "1"],
      [{ answers: { "0": "Red", "1": "[]" } }, "1"],
      [{ answers: { "0": "Red", "1": "[1]" } }, "1"],
      [{ answers: { "0": "Red", "1": ["S"] } }, "1"],
      [{ answers: { "0": "Red", "1": '["S"]', "2": "x" } }, "2"],
      [{ answers: { "0": "Red", "1": '["S"]' }, more: 1 }, "more"],
    ] as [object, ...string[]][]) {
      const reply = await client.answer(request, { action: "submit", input });
      expect(reply, JSON.stringify(input)).toMatchObject({ code: "invalid_response" });
      expect(Object.keys(reply["fieldErrors"]).sort(), JSON.stringify(input)).toEqual(keys);
    }
    for (const input of [undefined, {}, { answers: "Red" }, { answers: ["Red"] }]) {
      const reply = await client.answer(request, { action: "submit", input });
      expect(reply, JSON.stringify(input)).toMatchObject({ code: "invalid_response" });
    }
    expect(await story(world, session.id)).toEqual(before);
    const answers = { "0": "Something like teal", "1": '["M","XXL"]' };
    expect(await client.answer(request, { action: "submit", input: { answers } })).toMatchObject({
      ok: true,
    });
    const { payload } = await client.event("tool_result");
    expect(payload.result).toEqual({ ok: true, answers });
    expect((await client.event("interaction_response")).payload.input).toEqual({ answers });
  },
);

verifies(
  "ask-user:result",
  "questions that are cancelled or declined end the call well",
  {},
  async (world) => {
    for (const [action, result] of [
      ["cancel", { ok: false, cancelled: true }],
      ["deny", { ok: false, declined: true }],
    ] as const) {
      const { client, request } = await call(world, "ask_questions", { questions });
      await client.answer(request, { action });
      expect((await client.event("tool_result")).payload).toMatchObject({ ok: true, result });
    }
  },
);
