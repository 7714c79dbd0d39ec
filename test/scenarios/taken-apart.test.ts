import { expect, test } from "vitest";
import {
  type AgentRuntime,
  defineTool,
  type ToolContext,
  type Turn,
} from "../../src/core/index.ts";
import { params, person, Rig } from "./rig.ts";

const agentOf = (run: AgentRuntime["run"]): AgentRuntime => ({
  id: "apart",
  name: "Apart",
  description: "Takes its turn apart.",
  capabilities: { reenter: "none", steer: false },
  run,
});

const toolOf = (handler: (ctx: ToolContext) => unknown) =>
  defineTool({
    name: "t_apart",
    description: "Takes its context apart.",
    parameters: params,
    handler: (_args, ctx) => handler(ctx),
  });

/* oxlint-disable typescript/unbound-method -- that they may be taken is what is tested */
test("an agent may take its turn apart, and a tool its context", async () => {
  const tool = toolOf(async ({ requestInteraction, step, now, uuid, output, ...facts }) => {
    output("working");
    const made = await step("make", () => typeof uuid());
    const said = await requestInteraction({
      type: "approval",
      whenUnavailable: "wait",
      onResponse: ({ action }) => ({ complete: action }),
    });
    return [made, said, now() > 0, facts.toolName, facts.signal.aborted];
  });
  const agent = agentOf(async ({ call, text, startText, status, ...facts }) => {
    status({ model: "none" });
    const end = await call("t_apart", {});
    await text(JSON.stringify(end.ok ? end.result : end.error));
    const block = startText();
    block.write(`${facts.message.words} ${facts.tools.length > 0} ${facts.signal.aborted}`);
    await block.end();
    return { status: "completed" };
  });
  await using rig = await Rig.start({ tools: [tool], agents: [agent] });
  const sessionId = await rig.session("apart");
  await rig.say(sessionId, "go");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig.answer(payload.interactionId);
  const told = [await rig.event(sessionId, "text"), await rig.event(sessionId, "text", 2)];
  expect(told.map((event) => event.payload.text)).toEqual([
    JSON.stringify(["string", "approve", true, "t_apart", false]),
    "go true false",
  ]);
});

test("a signal that is asked for after the turn was cancelled has aborted", async () => {
  const given: { turn?: Turn; ctx?: ToolContext } = {};
  const tool = toolOf((ctx) => {
    given.ctx = ctx;
    return new Promise(() => {});
  });
  const agent = agentOf(async (turn) => {
    given.turn = turn;
    await turn.call("t_apart", {});
    return { status: "completed" };
  });
  await using rig = await Rig.start({ tools: [tool], agents: [agent] });
  const sessionId = await rig.session("apart");
  await rig.say(sessionId, "go");
  await rig.until(() => given.ctx !== undefined);
  await rig.core.cancel(person, sessionId);
  await rig.event(sessionId, "turn_end");
  expect([given.turn?.signal.aborted, given.ctx?.signal.aborted]).toEqual([true, true]);
  expect(given.ctx?.signal.reason).toMatchObject({ code: "tool_interrupted" });
});
