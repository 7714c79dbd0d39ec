import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { callStory, story } from "./story.ts";
import { askingTool, echo, Gate, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

const ONE_PROMPT = [
  "tool_call",
  "interaction_pending true",
  "interaction_request 1",
  "interaction_response submit",
  "interaction_pending false",
  "tool_result ok",
];

const quiet = defineTool<{ a: number; b: number }>({
  name: "add",
  description: "Adds without asking.",
  parameters: { type: "object" },
  durable: "replay",
  handler: ({ a, b }, ctx) => ctx.step("add", () => a + b),
});
const approval = askingTool("approval", () => ({
  type: "approval",
  prompt: "Delete it?",
  onResponse: echo,
}));
const input = askingTool("input", () => ({
  type: "input",
  inputSchema: VALUE_FORM,
  onResponse: echo,
}));

verifies(
  "ask:handler-decides",
  "a tool that does not ask ends without any interaction event",
  { tools: [quiet] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call add {"a":1,"b":2}');
    await client.event("turn_end");
    expect((await client.event("tool_result")).payload.result).toBe(3);
    expect(await story(world, session.id)).toEqual([
      "user_message user",
      "turn_start user",
      "tool_call",
      "tool_result ok",
      "text",
      "turn_end completed",
    ]);
  },
);

verifies(
  "ask:happy-path",
  "one prompt: pending, request, response, not pending, result; in a turn and outside of one",
  { tools: [input] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call input {}");
    await client.answer(await client.event("interaction_request"), submit("a"));
    await client.event("turn_end");
    expect(await story(world, session.id)).toEqual([
      "user_message user",
      "turn_start user",
      ...ONE_PROMPT,
      "text",
      "turn_end completed",
    ]);

    const calling = world.http(
      "POST",
      "/api/plugins/ask/operations/user",
      { question: "Why?" },
      {
        "x-session-id": session.id,
        "x-tool-call-id": "outside",
      },
    );
    const request = await client.event("interaction_request", 2);
    expect(request.payload.toolCallId).toBe("outside");
    await client.answer(request, { action: "submit", input: { answer: "so" } });
    expect(await calling).toMatchObject({
      status: 200,
      body: { ok: true, result: { ok: true, answer: "so" } },
    });
    expect(await callStory(world, session.id, "outside")).toEqual(ONE_PROMPT);
    const outside = (await world.log(session.id)).slice(10);
    expect(outside).toHaveLength(ONE_PROMPT.length);
    for (const event of outside) {
      expect(event).not.toHaveProperty("turnId");
      expect(event).not.toHaveProperty("responseId");
    }
  },
);

const hook = new Gate();
const slow = askingTool("slow", () => ({
  type: "approval",
  async onResponse(response) {
    await hook.pass();
    return { complete: response.action };
  },
}));

verifies(
  "ask:blocks-nobody",
  "while one call waits, for a person or in its hook, other calls and sessions go on",
  { tools: [slow, quiet] },
  async (world) => {
    hook.reset();
    const { session, client } = await world.conversation();
    await client.say(session.id, '/parallel slow {} | add {"a":2,"b":2}');
    const request = await client.event("interaction_request");
    expect((await client.event("tool_result")).payload).toMatchObject({
      toolName: "add",
      result: 4,
    });

    const other = await world.conversation();
    await other.client.say(other.session.id, '/call add {"a":3,"b":3}');
    expect((await other.client.event("turn_end")).payload.status).toBe("completed");

    await client.answer(request, { action: "approve" });
    await hook.reached;
    await other.client.say(other.session.id, '/call ask_user {"question":"Here?"}');
    const elsewhere = await other.client.event("interaction_request");
    await other.client.answer(elsewhere, { action: "submit", input: { answer: "yes" } });
    await other.client.event("turn_end", 2);
    expect((await story(world, session.id)).at(-1)).toBe("interaction_pending false");

    hook.open();
    const last = await client.event("tool_result", 2);
    expect(last.payload).toMatchObject({ toolName: "slow", result: "approve" });
  },
);

verifies(
  "ask:two-types",
  "an action that does not fit the type is refused and leaves the prompt open",
  { tools: [approval, input] },
  async (world) => {
    const { session, client } = await world.conversation();
    const wrong = { approval: ["submit", "cancel"], input: ["approve"] };
    for (const [index, type] of (["approval", "input"] as const).entries()) {
      await client.say(session.id, `/call ${type} {}`);
      const request = await client.event("interaction_request", index + 1);
      expect(request.payload.interactionType).toBe(type);
      const before = await story(world, session.id);
      for (const action of wrong[type]) {
        const reply = await client.answer(request, { action });
        expect(reply).toMatchObject({ ok: false, code: "invalid_response" });
        const { id } = await world.interaction(request.payload.interactionId);
        const http = await world.http("POST", `/api/interactions/${id}/respond`, { action });
        expect(http).toMatchObject({ status: 422, body: { code: "invalid_response" } });
      }
      expect(await story(world, session.id)).toEqual(before);
      const fitting = type === "approval" ? { action: "approve" } : submit("x");
      expect(await client.answer(request, fitting)).toMatchObject({ ok: true });
      await client.event("turn_end", index + 1);
    }
  },
);

verifies(
  "ask:checked",
  "a bad submit is refused with its field, the prompt stays open and nothing is stored",
  { tools: [input] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call input {}");
    const request = await client.event("interaction_request");
    const id = request.payload.interactionId;
    const before = { log: await world.log(session.id), row: await world.interaction(id) };
    for (const bad of [{}, { value: 5 }, { value: "a", more: 1 }, { value: null }]) {
      const reply = await client.answer(request, {
        action: "submit",
        input: bad,
        responseId: "again",
      });
      const field = "more" in bad ? "more" : "value";
      expect(reply).toMatchObject({
        ok: false,
        code: "invalid_response",
        responseId: "again",
        fieldErrors: { [field]: expect.any(String) },
      });
    }
    expect(await world.log(session.id)).toEqual(before.log);
    expect(await world.interaction(id)).toEqual(before.row);
    expect(await world.store.response(id, "again")).toBeNull();
    const reply = await client.answer(request, { ...submit("good"), responseId: "again" });
    expect(reply).toMatchObject({ ok: true, response: { input: { value: "good" } } });
    const result = await client.event("tool_result");
    expect(result.payload.result).toEqual({ action: "submit", input: { value: "good" } });
  },
);
