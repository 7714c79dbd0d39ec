import { expect } from "vitest";
import { defineTool, type Prompt } from "../../src/core/index.ts";
import { story } from "./story.ts";
import { askingTool, echo, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Asks with what it is called with, and has no onTimeout. */
const ask = askingTool<Partial<Prompt>>("ask", (args) => ({
  type: "input",
  inputSchema: VALUE_FORM,
  ...args,
  onResponse: echo,
}));

verifies(
  ["timeout:deadline", "timeout:own-end"],
  "a prompt expires after its own timeout, or after five minutes, and never as a decision",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [index, timeoutMs] of [undefined, 1_000, 90_000].entries()) {
      await client.say(session.id, `/call ask ${JSON.stringify({ timeoutMs })}`);
      const { payload } = await client.event("interaction_request", index + 1);
      const wait = timeoutMs ?? 300_000;
      const expiresAt = new Date(world.clock.now() + wait).toISOString();
      expect(payload).toMatchObject({ timeoutMs: wait, expiresAt });
      const { body } = await world.http("GET", `/api/interactions/${payload.interactionId}`);
      expect(body).toMatchObject({ status: "pending", expiresAt });

      await world.advance(wait - 1);
      expect((await story(world, session.id)).at(-1)).toBe("interaction_request 1");
      await world.advance(1);
      const result = await client.event("tool_result", index + 1);
      expect(result.payload).toMatchObject({ ok: false, error: { code: "interaction_timeout" } });
      await client.event("turn_end", index + 1);
      const ended = await world.http("GET", `/api/interactions/${payload.interactionId}`);
      expect(ended.body).toMatchObject({ status: "timed_out", endedAt: expiresAt });
      expect(ended.body).not.toHaveProperty("response");
    }
    expect((await story(world, session.id)).slice(0, 10)).toEqual([
      "user_message user",
      "turn_start user",
      "tool_call",
      "interaction_pending true",
      "interaction_request 1",
      "interaction_closed timed_out",
      "interaction_pending false",
      "tool_result interaction_timeout",
      "text",
      "turn_end completed",
    ]);
  },
);

verifies(
  ["timeout:deadline", "timeout:range"],
  "thirty days are thirty days, and null waits for ever",
  { tools: [ask], latency: false },
  async (world) => {
    const { session, client } = await world.conversation();
    const forever = await world.conversation();
    await client.say(session.id, `/call ask ${JSON.stringify({ timeoutMs: 30 * DAY })}`);
    const { payload } = await client.event("interaction_request");
    await forever.client.say(forever.session.id, '/call ask {"timeoutMs":null}');
    const open = await forever.client.event("interaction_request");
    expect(open.payload).not.toHaveProperty("expiresAt");
    expect(open.payload).not.toHaveProperty("timeoutMs");

    // Time passes while nobody counts it, as for a machine that sleeps; then an hour ticks by.
    world.clock.jump(30 * DAY - HOUR);
    await world.advance(HOUR - 1_000);
    expect((await world.interaction(payload.interactionId)).status).toBe("open");
    await world.advance(1_000);
    await client.event("turn_end");
    expect((await story(world, session.id)).at(5)).toBe("interaction_closed timed_out");

    world.clock.jump(1_000 * DAY);
    await world.advance(60_000);
    expect(await story(world, forever.session.id)).toHaveLength(5);
    expect(await forever.client.answer(open, submit("at last"))).toMatchObject({ ok: true });
    expect((await forever.client.event("tool_result")).payload.ok).toBe(true);
  },
);

const catching = defineTool({
  name: "catching",
  description: "Goes on without an answer.",
  parameters: { type: "object" },
  durable: "replay",
  async handler(_args, ctx) {
    try {
      return await ctx.requestInteraction({ type: "approval", timeoutMs: 5_000, onResponse: echo });
    } catch (error) {
      return { caught: (error as { code: string }).code };
    }
  },
});

verifies(
  "timeout:own-end",
  "a handler may catch the timeout and end well",
  { tools: [catching] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call catching {}");
    const request = await client.event("interaction_request");
    await world.advance(5_000);
    const { payload } = await client.event("tool_result");
    expect(payload).toMatchObject({ ok: true, result: { caught: "interaction_timeout" } });
    const reply = await client.answer(request, { action: "approve" });
    expect(reply).toMatchObject({ ok: false, code: "interaction_closed", reason: "timed_out" });
  },
);

let timeouts = 0;
const completing = askingTool("completing", (_args, ctx) => ({
  type: "input",
  inputSchema: VALUE_FORM,
  timeoutMs: 10_000,
  onResponse: echo,
  async onTimeout(info) {
    await ctx.step("count", () => void timeouts++);
    return { complete: { gaveUp: true, info } };
  },
}));

verifies(
  "timeout:hook-completes",
  "onTimeout is told which prompt, what it completes with is the result, and that ends as timed_out",
  { tools: [completing] },
  async (world) => {
    timeouts = 0;
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call completing {}");
    const { interactionId } = (await client.event("interaction_request")).payload;
    await world.advance(10_000);
    expect((await client.event("tool_result")).payload).toMatchObject({
      ok: true,
      result: { gaveUp: true, info: { interactionId, attempt: 1 } },
    });
    await client.event("turn_end");
    expect((await story(world, session.id)).slice(5, 8)).toEqual([
      "interaction_closed timed_out",
      "interaction_pending false",
      "tool_result ok",
    ]);
    expect(timeouts).toBe(1);
  },
);

verifies(
  "timeout:answered-in-time",
  "once a prompt is answered its deadline means nothing",
  { tools: [completing] },
  async (world) => {
    timeouts = 0;
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call completing {}");
    const request = await client.event("interaction_request");
    await world.advance(9_999);
    expect(await client.answer(request, submit("just in time"))).toMatchObject({ ok: true });
    await client.event("turn_end");
    const before = await world.log(session.id);
    await world.advance(60_000);
    expect(await world.log(session.id)).toEqual(before);
    expect(timeouts).toBe(0);
    const { body } = await world.http("GET", `/api/interactions/${request.payload.interactionId}`);
    expect(body.status).toBe("answered");
    expect(body).not.toHaveProperty("expiresAt");
  },
);
