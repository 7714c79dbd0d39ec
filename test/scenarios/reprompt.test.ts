import { expect } from "vitest";
import type { Prompt, ToolDefinition, UserResponse } from "../../src/core/index.ts";
import { story } from "./story.ts";
import { askingTool, formOf, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

const valueOf = (response: UserResponse) => String(response.input?.["value"]);

/** Asks again, as `again` says, until the value is "good". */
function picky(name: string, first: Partial<Prompt>, again: Partial<Prompt>): ToolDefinition {
  return askingTool(name, () => ({
    type: "input",
    inputSchema: VALUE_FORM,
    ...first,
    onResponse: (response) =>
      valueOf(response) === "good"
        ? { complete: "good" }
        : { reprompt: { type: "input", ...again } },
    onTimeout: () => ({ reprompt: { type: "input", error: "Nobody came." } }),
  }));
}

verifies(
  ["reprompt:sequence", "reprompt:agent-sees-final"],
  "each re-prompt follows the answer before it in the same call; the agent sees one result",
  { tools: [picky("picky", {}, { error: "Not good." })] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call picky {}");
    const requests = [];
    for (const [index, value] of ["bad", "worse", "good"].entries()) {
      const request = await client.event("interaction_request", index + 1);
      requests.push(request.payload);
      expect(await client.answer(request, submit(value))).toMatchObject({ ok: true });
    }
    await client.event("turn_end");
    expect(requests.map((one) => one.attempt)).toEqual([1, 2, 3]);
    expect(new Set(requests.map((one) => one.toolCallId)).size).toBe(1);
    expect(new Set(requests.map((one) => one.interactionId)).size).toBe(3);
    expect(await story(world, session.id)).toEqual([
      "user_message user",
      "turn_start user",
      "tool_call",
      ...[1, 2, 3].flatMap((attempt) => [
        "interaction_pending true",
        `interaction_request ${attempt}`,
        "interaction_response submit",
        "interaction_pending false",
      ]),
      "tool_result ok",
      "text",
      "turn_end completed",
    ]);
    const said = await client.event("text");
    expect(said.payload.text).toContain('"good"');
    expect(said.payload.text).not.toMatch(/bad|worse|Not good/);
  },
);

const OTHER_FORM = formOf({
  id: "value",
  type: "select",
  label: "Pick",
  options: [
    { value: "good", label: "Good" },
    { value: "bad", label: "Bad" },
  ],
});

verifies(
  ["reprompt:content", "reprompt:keeps-the-rest"],
  "a re-prompt shows what its outcome gives; what it does not give is as before",
  {
    tools: [
      picky(
        "changing",
        {
          prompt: "First",
          presentation: "questionnaire",
          completedView: { showInputs: true, summaryTemplate: "{{input.value}}" },
          timeoutMs: 60_000,
        },
        {
          prompt: "Second",
          inputSchema: OTHER_FORM,
          error: "Pick one.",
          fieldErrors: { value: "Not this." },
        },
      ),
    ],
  },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call changing {}");
    const first = await client.event("interaction_request");
    expect(first.payload).not.toHaveProperty("error");
    await world.advance(40_000);
    await client.answer(first, submit("bad"));
    const second = await client.event("interaction_request", 2);
    expect(second.payload).toMatchObject({
      interactionType: "input",
      prompt: "Second",
      inputSchema: { ...OTHER_FORM, initialValues: { value: "bad" } },
      error: "Pick one.",
      fieldErrors: { value: "Not this." },
      presentation: "questionnaire",
      completedView: { showInputs: true, summaryTemplate: "{{input.value}}" },
      timeoutMs: 60_000,
      expiresAt: new Date(world.clock.now() + 60_000).toISOString(),
    });
    const record = await world.http("GET", `/api/interactions/${second.payload.interactionId}`);
    expect(record.body.expiresAt).toBe(second.payload.expiresAt);
    // The first deadline is long past; only the new one counts.
    await world.advance(59_000);
    expect((await client.answer(second, submit("elsewhere")))["fieldErrors"]).toHaveProperty(
      "value",
    );
    expect(await client.answer(second, submit("good"))).toMatchObject({ ok: true });
    expect((await client.event("tool_result")).payload.result).toBe("good");
  },
);

const scoped = askingTool("scoped", () => ({
  type: "approval",
  approvalScopes: ["once", "always"],
  timeoutMs: null,
  onResponse: ({ action }) =>
    action === "approve"
      ? { complete: action }
      : { reprompt: { type: "approval", error: "Sure?" } },
}));

verifies(
  "reprompt:keeps-the-rest",
  "a re-prompted approval offers the same scopes, the same input and the same patience",
  { tools: [scoped] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call scoped {"file":"a"}');
    const first = await client.event("interaction_request");
    await client.answer(first, { action: "deny" });
    const second = await client.event("interaction_request", 2);
    const { interactionId: _a, attempt: _b, ...before } = first.payload;
    expect(second.payload).toMatchObject({ ...before, error: "Sure?" });
    expect(second.payload).not.toHaveProperty("expiresAt");
    const refused = await client.answer(second, { action: "approve", approvalScope: "session" });
    expect(refused).toMatchObject({ ok: false, code: "invalid_response" });
    await client.answer(second, { action: "approve", approvalScope: "always" });
    expect((await client.event("tool_result")).payload.result).toBe("approve");
  },
);

const initialValues = { value: "typed", more: "kept" };
verifies(
  "reprompt:initial-values",
  "what was typed is there again: as the tool says, or else as it was sent",
  {
    tools: [
      picky("given", {}, { inputSchema: { ...VALUE_FORM, initialValues } }),
      picky("kept", {}, { error: "Again." }),
    ],
  },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [index, tool] of ["given", "kept"].entries()) {
      await client.say(session.id, `/call ${tool} {}`);
      await client.answer(await client.event("interaction_request", 2 * index + 1), submit("mine"));
      const again = await client.event("interaction_request", 2 * index + 2);
      expect(again.payload.inputSchema).toEqual({
        ...VALUE_FORM,
        initialValues: tool === "given" ? initialValues : { value: "mine" },
      });
      await client.answer(again, submit("good"));
      await client.event("turn_end", index + 1);
    }
  },
);

const suggesting = askingTool("suggesting", () => ({
  type: "input",
  inputSchema: { ...VALUE_FORM, initialValues: { value: "suggested" } },
  onResponse: ({ input }) =>
    input?.["value"] === "good"
      ? { complete: "good" }
      : { reprompt: { type: "input", error: "Again." } },
}));

verifies(
  "reprompt:initial-values",
  "what was typed last is there, and neither what the tool suggested nor what was typed before",
  { tools: [suggesting] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call suggesting {}");
    const shown: unknown[] = [];
    for (const [index, typed] of ["one", "two", "good"].entries()) {
      const request = await client.event("interaction_request", index + 1);
      shown.push(request.payload.inputSchema?.initialValues?.["value"]);
      await client.answer(request, submit(typed));
    }
    await client.event("turn_end");
    expect(shown).toEqual(["suggested", "one", "two"]);
  },
);

verifies(
  "reprompt:limit",
  "a call may re-prompt 20 times; one more ends it",
  { tools: [picky("endless", {}, { error: "No." })], latency: false },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [round, last] of ["good", "bad"].entries()) {
      await client.say(session.id, "/call endless {}");
      for (let attempt = 1; attempt <= 21; attempt++) {
        const request = await client.event("interaction_request", round * 21 + attempt);
        expect(request.payload.attempt).toBe(attempt);
        await client.answer(request, submit(attempt < 21 ? "bad" : last));
      }
      const { payload } = await client.event("tool_result", round + 1);
      if (last === "good") expect(payload).toMatchObject({ ok: true, result: "good" });
      else expect(payload).toMatchObject({ ok: false, error: { code: "too_many_reprompts" } });
      await client.event("turn_end", round + 1);
    }
    expect((await story(world, session.id)).join()).not.toContain("interaction_closed");
  },
);
