import { expect, test } from "vitest";
import { type AgentRuntime, defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import {
  approve,
  asking,
  hasEvent,
  HEARTBEAT_MS,
  params,
  person,
  Rig,
  turnsOfTheLoop,
} from "./rig.ts";
import { Gate } from "./tools.ts";

test("a call that waits is not given up because the server was restarted often", async () => {
  const pair = defineTool({
    name: "t_pair",
    description: "Asks twice at once.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) => Promise.all([approve(ctx, { key: "a" }), approve(ctx, { key: "b" })]),
  });
  await using rig = await Rig.start({ tools: [pair] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_pair {}");
  const a = await rig.event(sessionId, "interaction_request");
  const b = await rig.event(sessionId, "interaction_request", 2);
  await rig.answer(a.payload.interactionId);
  await rig.clock.advance(HEARTBEAT_MS);
  for (let restart = 0; restart < 6; restart++) {
    await rig.crash();
    await rig.clock.advance(HEARTBEAT_MS * 2);
  }
  await rig.answer(b.payload.interactionId);
  const { payload } = await rig.event(sessionId, "tool_result");
  expect(payload).toMatchObject({ ok: true, result: ["approve", "approve"] });
});

test("an answered call is not slept over while the agent has not come to it again", async () => {
  const gate = new Gate();
  const hooks: string[] = [];
  const slow = defineTool({
    name: "t_slow",
    description: "Thinks long about an answer.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) =>
      approve(ctx, {
        async onResponse() {
          hooks.push("slow");
          await gate.pass();
          return { complete: "slow" };
        },
      }),
  });
  const pause = () => turnsOfTheLoop(20);
  const agent: AgentRuntime = {
    id: "two",
    name: "Two",
    description: "Calls one tool, and a moment later another.",
    capabilities: { reenter: "replay", steer: false },
    async run(turn) {
      await Promise.all([turn.call("t_ask", {}), pause().then(() => turn.call("t_slow", {}))]);
      return { status: "completed" };
    },
  };
  await using rig = await Rig.start({ tools: [slow, asking("t_ask", "replay")], agents: [agent] });
  const sessionId = await rig.session("two");
  await rig.say(sessionId, "go");
  const { payload } = await rig.event(sessionId, "interaction_request", 2);
  await rig.crash();
  await rig.answer(payload.interactionId);
  await gate.reached;
  gate.reset();
  await rig.crash();
  await rig.until(() => hooks.length > 1);
  expect(hooks).toEqual(["slow", "slow"]);
  gate.open();
});

test("a handler that is still at work when its agent fails hears of the end", async () => {
  let aborted = false;
  const long = defineTool({
    name: "t_long",
    description: "Works until it is told to stop.",
    parameters: params,
    handler: (_args, ctx) =>
      new Promise((resolve) => {
        ctx.signal.addEventListener("abort", () => {
          aborted = true;
          resolve(null);
        });
      }),
  });
  const agent: AgentRuntime = {
    id: "hasty",
    name: "Hasty",
    description: "Calls a tool and fails before it ends.",
    capabilities: { reenter: "none", steer: false },
    async run(turn) {
      void turn.call("t_long", {});
      await turnsOfTheLoop(10);
      throw new Error("The agent's process died.");
    },
  };
  await using rig = await Rig.start({ tools: [long], agents: [agent] });
  const sessionId = await rig.session("hasty");
  await rig.say(sessionId, "go");
  await rig.event(sessionId, "turn_end");
  await rig.until(() => aborted);
  checkLog(await rig.log(sessionId));
  expect(aborted).toBe(true);
});

for (const first of ["the deletion", "the call"]) {
  test(`of a call and the deletion of its session at once, ${first} first, nothing stays open`, async () => {
    await using rig = await Rig.start({ tools: [asking("t_ask", "replay")] });
    const sessionId = await rig.session();
    const call = { sessionId, toolName: "t_ask", input: {}, origin: "http" } as const;
    let end: Promise<unknown> | undefined;
    let deleting: Promise<unknown> | undefined;
    rig.onCommit = async (commit) => {
      const deletes = commit.writes.some((write) => write.table === "sessions");
      if (first === "the deletion" && hasEvent(commit, "tool_call")) {
        await (deleting ??= rig.core.deleteSession(person, sessionId));
      }
      if (first === "the call" && deletes && !end) {
        end = rig.core.callTool(person, call);
        await rig.clock.settle();
      }
    };
    if (first === "the call") await rig.core.deleteSession(person, sessionId);
    else end = rig.core.callTool(person, call);
    end?.catch(() => {});
    await rig.clock.advance(0);
    expect(await rig.raw.openCount()).toBe(0);
    if (first === "the call") {
      expect(await end).toMatchObject({ ok: false, error: { code: "tool_cancelled" } });
    } else {
      await expect(end).rejects.toMatchObject({ code: "session_not_found" });
    }
  });
}

test("clearing approvals is not done again when the call is", async () => {
  const clearing = defineTool({
    name: "t_clear",
    description: "Forgets what was approved, and asks anew.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      await ctx.approvals.clearSession(ctx.sessionId);
      await approve(ctx, {
        async onResponse() {
          await ctx.approvals.set("k", "session");
          return { complete: true };
        },
      });
      await approve(ctx, { prompt: "And now?" });
      return ctx.approvals.get("k");
    },
  });
  await using rig = await Rig.start({ tools: [clearing] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_clear {}");
  const first = await rig.event(sessionId, "interaction_request");
  await rig.answer(first.payload.interactionId, { action: "approve", approvalScope: "session" });
  const second = await rig.event(sessionId, "interaction_request", 2);
  await rig.crash();
  await rig.answer(second.payload.interactionId);
  expect((await rig.event(sessionId, "tool_result")).payload.result).toBe("session");
});

test("who comes back is told of a session's change, also back to what was shown before", async () => {
  const gate = new Gate();
  const late = defineTool({
    name: "t_late",
    description: "Asks when nobody looks, and goes on working after it.",
    parameters: params,
    async handler(_args, ctx) {
      await gate.pass();
      await approve(ctx);
      return new Promise((resolve) => {
        ctx.signal.addEventListener("abort", resolve);
      });
    },
  });
  await using rig = await Rig.start({ tools: [late] });
  const sessionId = await rig.session();
  const seen: string[] = [];
  const watch = () =>
    rig.core.watch({
      who: person,
      sessionUpdated: ({ status, pendingCount }) => seen.push(`${status} ${pendingCount}`),
    });
  const before = watch();
  await rig.say(sessionId, "/call t_late {}");
  await gate.reached;
  await rig.clock.advance(0);
  expect(seen.at(-1)).toBe("running 0");
  before.close();
  gate.open();
  const { payload } = await rig.event(sessionId, "interaction_request");
  watch();
  await rig.answer(payload.interactionId);
  // Changes of a tenth of a second are told together.
  await rig.clock.advance(100);
  expect(seen).toEqual(["running 0", "running 0"]);
  await rig.core.cancel(person, sessionId);
});
