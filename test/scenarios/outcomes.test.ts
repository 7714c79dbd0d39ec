import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { story } from "./story.ts";
import { askingTool, Gate, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

const wrap = defineTool({
  name: "wrap",
  description: "Does more with what its hook completed with.",
  parameters: { type: "object" },
  durable: "replay",
  async handler(_args, ctx) {
    const value = await ctx.requestInteraction({
      type: "input",
      inputSchema: VALUE_FORM,
      onResponse: (response) => ({ complete: [response.input?.["value"]] }),
    });
    return { wrapped: value, count: await ctx.step("count", () => (value as string[]).length) };
  },
});

verifies(
  "outcome:complete",
  "complete resolves requestInteraction, and what the handler returns is the one result",
  { tools: [wrap] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call wrap {}");
    await client.answer(await client.event("interaction_request"), submit("a"));
    await client.event("turn_end");
    const result = { wrapped: ["a"], count: 1 };
    const log = await world.log(session.id);
    const results = log.filter((event) => event.type === "tool_result");
    expect(results.map((event) => event.payload)).toMatchObject([{ ok: true, result }]);
    const said = log.find((event) => event.type === "text");
    expect(said?.payload).toMatchObject({ text: expect.stringContaining(JSON.stringify(result)) });
  },
);

const later = askingTool("later", () => ({
  type: "input",
  inputSchema: VALUE_FORM,
  onResponse: () => ({ pending: { message: "We will see." } }),
}));

verifies(
  "outcome:pending-from-response",
  "pending from onResponse ends the call as queued; its prompt is answered and nothing more comes",
  { tools: [later] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call later {}");
    const request = await client.event("interaction_request");
    await client.answer(request, submit("a"));
    const result = await client.event("tool_result");
    expect(result.payload).toMatchObject({
      ok: true,
      result: { pending: true, queued: true, message: "We will see." },
    });
    await client.event("turn_end");
    const again = await client.answer(request, submit("b"));
    expect(again).toMatchObject({ code: "already_answered", response: { input: { value: "a" } } });
    await world.advance(600_000);
    expect(await story(world, session.id)).toEqual([
      "user_message user",
      "turn_start user",
      "tool_call",
      "interaction_pending true",
      "interaction_request 1",
      "interaction_response submit",
      "interaction_pending false",
      "tool_result ok",
      "text",
      "turn_end completed",
    ]);
    expect((await world.http("GET", "/api/interactions")).body.interactions).toEqual([]);
  },
);

const gate = new Gate();
const withContext = askingTool("context", (_args, ctx) => ({
  type: "approval",
  async onResponse() {
    await gate.pass();
    const { sessionId, toolCallId, toolName, turnId } = ctx;
    return {
      complete: { sessionId, toolCallId, toolName, turnId, step: await ctx.step("s", () => 7) },
    };
  },
}));

verifies(
  "outcome:hook-context",
  "a hook sees the handler's own context, and the call ends only when the hook has settled",
  { tools: [withContext] },
  async (world) => {
    gate.reset();
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call context {}");
    const { payload, turnId } = await client.event("interaction_request");
    await client.answer(await client.event("interaction_request"), { action: "approve" });
    await gate.reached;
    await client.event("interaction_pending", 2);
    expect((await story(world, session.id)).at(-1)).toBe("interaction_pending false");
    gate.open();
    const { toolCallId } = payload;
    expect((await client.event("tool_result")).payload.result).toEqual({
      sessionId: session.id,
      toolCallId,
      toolName: "context",
      turnId,
      step: 7,
    });
  },
);
