import { expect, test } from "vitest";
import { demoAgent } from "../../src/agents/index.ts";
import { type AgentRuntime, defineTool } from "../../src/core/index.ts";
import { params, Rig } from "./rig.ts";

test("a long call is not given up while each life of the server gets a step further", async () => {
  let recorded = 0;
  let begun = 0;
  const long = defineTool({
    name: "t_long",
    description: "Works in six steps and asks nobody.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      for (let step = 1; step <= 6; step++) {
        await ctx.step(`step ${step}`, () => {
          begun++;
          // In each life one new step comes through; the process dies in the next.
          return step <= recorded + 1 ? step : new Promise(() => {});
        });
      }
      return "done";
    },
  });
  await using rig = await Rig.start({ tools: [long] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_long {}");
  for (let life = 1; life <= 5; life++) {
    await rig.until(() => begun === 2 * life);
    recorded = life;
    await rig.crash();
  }
  const { payload } = await rig.event(sessionId, "tool_result");
  expect(payload).toMatchObject({ ok: true, result: "done" });
});

test("a call that takes the server down in the same step each time is given up", async () => {
  let begun = 0;
  const deadly = defineTool({
    name: "t_deadly",
    description: "Does one thing, and then one that no server survives.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      await ctx.step("fine", () => "fine");
      await ctx.step("deadly", () => new Promise(() => void begun++));
    },
  });
  await using rig = await Rig.start({ tools: [deadly] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_deadly {}");
  for (let life = 1; life <= 3; life++) {
    await rig.until(() => begun === life);
    await rig.crash();
  }
  const { payload } = await rig.event(sessionId, "tool_result");
  expect(payload).toMatchObject({ ok: false, error: { code: "tool_interrupted" } });
  expect(begun).toBe(3);
});

test("a turn is not given up while each life of the server gets one event further", async () => {
  let recorded = 0;
  let begun = 0;
  const talkative: AgentRuntime = {
    ...demoAgent,
    id: "talkative",
    async run(turn) {
      for (let block = 1; block <= 6; block++) {
        begun++;
        if (block > recorded + 1) await new Promise(() => {});
        await turn.text(`block ${block}`);
      }
      return { status: "completed" };
    },
  };
  await using rig = await Rig.start({ tools: [], agents: [talkative] });
  const sessionId = await rig.session("talkative");
  await rig.say(sessionId, "go");
  for (let life = 1; life <= 5; life++) {
    // It comes again to what is there, and dies at the block after the next.
    await rig.until(() => begun === life + 1);
    recorded = life;
    begun = 0;
    await rig.crash();
  }
  const { payload } = await rig.event(sessionId, "turn_end");
  expect(payload.status).toBe("completed");
});
