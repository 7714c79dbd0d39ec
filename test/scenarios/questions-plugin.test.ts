import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { checkDurableTool, loadPluginTools } from "../../src/testing/index.ts";
import { callTool, operate } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";

/* The official plugin `questions`, from its folder, as `beckon serve` loads it. */

const folder = fileURLToPath(new URL("../../plugins/questions", import.meta.url));
const plugin = await loadPluginTools(folder);
afterAll(() => plugin.close());
const ask = plugin.operation("ask");
const tools = [ask];

const FIELDS = [
  { id: "email", type: "text", label: "E-mail", required: true },
  { id: "again", type: "text", label: "E-mail again" },
  { id: "from", type: "number", label: "From", min: 1 },
  { id: "to", type: "number", label: "To", max: 10 },
];
const RULES = [
  { field: "again", rule: "equals", other: "email", message: "The addresses differ." },
  { field: "to", rule: "greaterThan", other: "from" },
];
const FORM = { title: "Report", prompt: "Where to?", fields: FIELDS, validate: RULES };
const GOOD = { email: "a@b.c", again: "a@b.c", from: 1, to: 2 };

inEveryMode("ask shows a form and gives its answers by field", { tools }, async (world) => {
  const { session, client } = await world.conversation();
  const form = { ...FORM, submitLabel: "Send", initialValues: { from: 3 } };
  const turn = await callTool(client, session.id, "questions_ask", form);
  const request = await turn.request();
  expect(request.payload).toMatchObject({
    interactionType: "input",
    presentation: "questionnaire",
    prompt: "Where to?",
    inputSchema: {
      type: "form",
      title: "Report",
      fields: FIELDS,
      submitLabel: "Send",
      initialValues: { from: 3 },
    },
  });
  expect(request.payload).not.toHaveProperty("expiresAt");
  const refused = await client.answer(request, { action: "submit", input: { ...GOOD, to: 11 } });
  expect(refused).toMatchObject({
    code: "invalid_response",
    fieldErrors: { to: expect.anything() },
  });
  await client.answer(request, { action: "submit", input: GOOD });
  expect((await turn.result()).payload).toMatchObject({
    ok: true,
    result: { ok: true, answers: GOOD },
  });
});

inEveryMode(
  "a broken rule shows the form again, with the error at its field and what was typed",
  { tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "questions_ask", FORM);
    const typed = { email: "a@b.c", again: "x@y.z", from: 5, to: 5 };
    await client.answer(await turn.request(), { action: "submit", input: typed });
    const again = await turn.request(2);
    expect(again.payload).toMatchObject({
      prompt: "Where to?",
      error: "Some answers do not go together.",
      fieldErrors: { again: "The addresses differ.", to: "This must be more than “From”." },
      inputSchema: { title: "Report", initialValues: typed },
    });
    await client.answer(again, { action: "submit", input: GOOD });
    expect((await turn.result()).payload.result).toEqual({ ok: true, answers: GOOD });
  },
);

inEveryMode("sections are asked as sections", { tools }, async (world) => {
  const { session, client } = await world.conversation();
  const sections = [
    { id: "who", title: "Who", fields: [FIELDS[0]] },
    { id: "more", title: "More", optional: true, fields: [FIELDS[2]] },
  ];
  const turn = await callTool(client, session.id, "questions_ask", { prompt: "Who?", sections });
  const request = await turn.request();
  expect(request.payload.inputSchema).toMatchObject({ sections });
  await client.answer(request, { action: "submit", input: { email: "a" } });
  expect((await turn.result()).payload.result).toEqual({ ok: true, answers: { email: "a" } });
});

inEveryMode("who cancels or declines is reported, and is no error", { tools }, async (world) => {
  const { session, client } = await world.conversation();
  for (const [body, result] of [
    [{ action: "cancel" }, { ok: false, cancelled: true }],
    [
      { action: "deny", reason: "Not now" },
      { ok: false, declined: true, reason: "Not now" },
    ],
  ] as const) {
    const turn = await callTool(client, session.id, "questions_ask", FORM);
    await client.answer(await turn.request(), body);
    expect((await turn.result()).payload).toMatchObject({ ok: true, result });
    await turn.end();
  }
});

inEveryMode("a form that nobody fills in in time says so", { tools }, async (world) => {
  const { session, client } = await world.conversation();
  const turn = await callTool(client, session.id, "questions_ask", { ...FORM, timeoutMs: 60_000 });
  await turn.request();
  await world.advance(60_000);
  expect((await turn.result()).payload.result).toEqual({ ok: false, timedOut: true });
});

inEveryMode(
  "with mode async the call ends at once, and the answer arrives as a message",
  { tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "questions_ask", {
      prompt: "Which colour?",
      mode: "async",
      fields: [{ id: "colour", type: "text", label: "Colour" }],
    });
    const request = await turn.request();
    await world.advance(1_000);
    expect((await turn.result()).payload).toMatchObject({
      ok: true,
      result: {
        pending: true,
        queued: true,
        message: "The form is waiting for the user. The answer will arrive as a message.",
      },
    });
    expect((await turn.end()).payload.status).toBe("completed");
    await client.answer(request, { action: "submit", input: { colour: "blue" } });
    const late = await client.event("user_message", (message) => message.source === "late_answer");
    expect(late.payload).toMatchObject({
      interactionId: request.payload.interactionId,
      text: expect.stringMatching(/Which colour\?.*blue/),
    });
  },
);

inEveryMode(
  "it is called over HTTP as by an agent, with nobody there yet",
  { tools },
  async (world) => {
    const session = (await world.http("POST", "/api/sessions", {})).body;
    const ended = operate(world, session.id, "questions_ask", FORM);
    const client = await world.person();
    await client.subscribe(session.id);
    await client.answer(await client.event("interaction_request"), {
      action: "submit",
      input: GOOD,
    });
    expect((await ended).body).toEqual({ ok: true, result: { ok: true, answers: GOOD } });
  },
);

inEveryMode("a form that cannot be meant is refused in words", { tools }, async (world) => {
  const session = (await world.http("POST", "/api/sessions", {})).body;
  const [email] = FIELDS;
  for (const [args, error] of [
    [{ prompt: "Who?" }, "Give either fields or sections."],
    [
      { prompt: "Who?", fields: [{ ...email, type: "secret" }] },
      /fields\.0\.type must be one of "text"/,
    ],
    [
      { ...FORM, validate: [{ field: "email", rule: "equals", other: "mail" }] },
      'A rule names the field "mail", which the form lacks.',
    ],
    [
      { ...FORM, validate: [{ field: "email", rule: "equals", other: "email" }] },
      'A rule compares the field "email" with itself.',
    ],
  ] as const) {
    expect((await operate(world, session.id, "questions_ask", args)).body).toMatchObject({
      ok: false,
      code: "invalid_arguments",
      error: expect.stringMatching(error),
    });
  }
});

const answers = [
  { action: "submit", input: { ...GOOD, again: "other" } },
  { action: "submit", input: GOOD },
] as const;

test.each([
  ["answers that are checked and given again", FORM, answers],
  ["nobody's answer in time", { ...FORM, timeoutMs: 5_000 }, ["timeout"]],
  ["an answer that comes later", { ...FORM, mode: "async" }, ["timeout"]],
] as const)(
  "killed at every step, ask keeps the rules of durable tools: %s",
  async (_what, args, script) => {
    const report = await checkDurableTool(ask, { args, answers: [...script] });
    expect(String(report)).toMatch(/^questions_ask kept every rule/);
  },
);
