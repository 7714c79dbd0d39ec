import { expect } from "vitest";
import { defineTool, ToolError } from "../../src/core/index.ts";
import { callStory, story } from "./story.ts";
import { askingTool, echo, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

/** What a hook may do wrong, by name; each with the code that the call ends with. */
const WRONGS: Record<string, { code: string; hook(): unknown }> = {
  throws: {
    code: "tool_error",
    hook() {
      throw new Error("the disk is full");
    },
  },
  "throws its own code": {
    code: "quota_exceeded",
    hook() {
      throw new ToolError("quota_exceeded", "the disk is full");
    },
  },
  rejects: { code: "ENOSPC", hook: () => Promise.reject(systemError()) },
  "throws a text": {
    code: "tool_error",
    hook() {
      throw "the disk is full" as unknown as Error;
    },
  },
  "gives nothing": { code: "tool_error", hook: () => undefined },
  "gives null": { code: "tool_error", hook: () => null },
  "gives a text": { code: "tool_error", hook: () => "complete" },
  "gives an empty object": { code: "tool_error", hook: () => ({}) },
  "gives a list": { code: "tool_error", hook: () => [] },
  "gives another key": { code: "tool_error", hook: () => ({ done: true }) },
  "gives pending without a message": { code: "tool_error", hook: () => ({ pending: {} }) },
  "gives pending that is queued in words": {
    code: "tool_error",
    hook: () => ({ pending: { message: "later", queued: "no" } }),
  },
  "gives a re-prompt that is a text": { code: "tool_error", hook: () => ({ reprompt: "again" }) },
  "gives a re-prompt of nothing": { code: "tool_error", hook: () => ({ reprompt: null }) },
  "gives a re-prompt that cannot be shown": {
    code: "invalid_request",
    hook: () => ({ reprompt: { type: "input", inputSchema: { type: "form" } } }),
  },
  "gives a re-prompt with no real timeout": {
    code: "invalid_request",
    hook: () => ({ reprompt: { type: "input", timeoutMs: Number.NaN } }),
  },
  "gives what is not JSON": {
    code: "tool_error",
    hook() {
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      return { complete: circle };
    },
  },
};

function systemError(): Error {
  return Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
}

const wrong = askingTool<{ how: string }>("wrong", ({ how }) => ({
  type: "input",
  inputSchema: VALUE_FORM,
  onResponse: () => WRONGS[how]?.hook() as never,
}));

verifies(
  "errors:hook-throws",
  "a hook that throws or gives nonsense is a tool error; the prompt stays answered",
  { tools: [wrong], latency: false },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [index, [how, { code }]] of Object.entries(WRONGS).entries()) {
      await client.say(session.id, `/call wrong ${JSON.stringify({ how })}`);
      const request = await client.event("interaction_request", index + 1);
      expect(await client.answer(request, submit("a"))).toMatchObject({ ok: true });
      const { payload } = await client.event("tool_result", index + 1);
      expect(payload, how).toMatchObject({ ok: false, error: { code } });
      expect(payload.error?.message, how).not.toBe("");
      if (/throws|rejects/.test(how)) expect(payload.error?.message).toBe("the disk is full");
      await client.event("turn_end", index + 1);
      expect(await callStory(world, session.id, request.payload.toolCallId), how).toEqual([
        "tool_call",
        "interaction_pending true",
        "interaction_request 1",
        "interaction_response submit",
        "interaction_pending false",
        `tool_result ${code}`,
      ]);
      const { body } = await world.http(
        "GET",
        `/api/interactions/${request.payload.interactionId}`,
      );
      expect(body).toMatchObject({ status: "answered", response: submit("a") });
    }
    const said = client.events().filter((event) => event.type === "text");
    expect(said).toHaveLength(Object.keys(WRONGS).length);
    expect(said[1]?.payload.text).toContain("quota_exceeded");
  },
);

const late = askingTool<{ how: string }>("late", ({ how }) => ({
  type: "input",
  inputSchema: VALUE_FORM,
  timeoutMs: 2_000,
  onResponse: echo,
  onTimeout: () => WRONGS[how]?.hook() as never,
}));

verifies(
  "errors:timeout-hook-throws",
  "if onTimeout fails, the prompt ends as timed_out and the call with a tool error",
  { tools: [late] },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [index, how] of ["throws", "throws its own code", "gives nothing"].entries()) {
      await client.say(session.id, `/call late ${JSON.stringify({ how })}`);
      const request = await client.event("interaction_request", index + 1);
      await world.advance(2_000);
      await client.event("turn_end", index + 1);
      expect((await callStory(world, session.id, request.payload.toolCallId)).slice(3)).toEqual([
        "interaction_closed timed_out",
        "interaction_pending false",
        `tool_result ${WRONGS[how]?.code}`,
      ]);
      expect(await client.answer(request, submit("a"))).toMatchObject({
        code: "interaction_closed",
        reason: "timed_out",
      });
    }
  },
);

const hurried = defineTool<{ fail: boolean }>({
  name: "hurried",
  description: "Asks, and does not wait for the answer.",
  parameters: { type: "object" },
  durable: "replay",
  async handler({ fail }, ctx) {
    const asking = ctx.requestInteraction({ type: "approval", key: "a", onResponse: echo });
    asking.catch(() => {});
    // A second prompt lets the first be stored and is itself answered.
    await ctx.requestInteraction({ type: "approval", key: "b", onResponse: echo });
    if (fail) throw new ToolError("gave_up", "No patience.");
    return "done";
  },
});

verifies(
  "errors:hook-throws",
  "only a prompt that is open when its call fails is closed as failed",
  { tools: [hurried] },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [index, fail] of [true, false].entries()) {
      await client.say(session.id, `/call hurried ${JSON.stringify({ fail })}`);
      const both = [
        await client.event("interaction_request", 2 * index + 1),
        await client.event("interaction_request", 2 * index + 2),
      ];
      const rows = await Promise.all(
        both.map((one) => world.interaction(one.payload.interactionId)),
      );
      const waited = both[rows.findIndex((row) => row.key.includes(":b"))]!;
      const left = both.find((one) => one !== waited)!;
      await client.answer(waited, { action: "approve" });
      await client.event("turn_end", index + 1);
      const told = await callStory(world, session.id, waited.payload.toolCallId);
      expect(told.slice(5)).toEqual([
        "interaction_response approve",
        "interaction_pending false",
        `interaction_closed ${fail ? "failed" : "cancelled"}`,
        "interaction_pending false",
        `tool_result ${fail ? "gave_up" : "ok"}`,
      ]);
      const reply = await client.answer(left, { action: "approve" });
      expect(reply).toMatchObject({ code: "interaction_closed" });
    }
  },
);

verifies(
  "errors:hook-throws",
  "a tool that there is not, and arguments that do not fit, are tool errors too",
  {},
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/parallel nothing {} | ask_user {"question":5}');
    await client.event("turn_end");
    const told = await story(world, session.id);
    expect(told).toContain("tool_result unknown_tool");
    expect(told).toContain("tool_result invalid_arguments");
    expect(told.join()).not.toContain("interaction");
  },
);
