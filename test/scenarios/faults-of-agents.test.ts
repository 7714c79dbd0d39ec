import { expect, test } from "vitest";
import { type AgentRuntime, defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { approve, asking, hasEvent, params, Rig, turnsOfTheLoop } from "./rig.ts";
import { createDoor } from "./turns.ts";

const reentered = (id: string, run: AgentRuntime["run"]): AgentRuntime => ({
  id,
  name: id,
  description: "Misbehaves.",
  capabilities: { reenter: "replay", steer: false },
  run,
});

test("an agent that dies leaves its prompt open, and the answer arrives as a message", async () => {
  const asked = createDoor();
  const agent = reentered("mortal", async (turn) => {
    if (turn.trigger === "late_answer") return { status: "completed" };
    void turn.call("t_ask", {});
    await asked.reached;
    await turnsOfTheLoop(30);
    throw new Error("The agent's process died.");
  });
  await using rig = await Rig.start({ tools: [asking("t_ask", "orphan")], agents: [agent] });
  rig.onCommitted = (commit) => {
    if (hasEvent(commit, "interaction_request")) asked.arrive();
  };
  const sessionId = await rig.session("mortal");
  await rig.say(sessionId, "go");
  const { payload } = await rig.event(sessionId, "interaction_request");
  expect((await rig.event(sessionId, "turn_end")).payload.status).toBe("failed");
  const result = await rig.event(sessionId, "tool_result");
  expect(result.payload.error?.code).toBe("tool_interrupted");
  await rig.answer(payload.interactionId);
  const message = await rig.event(sessionId, "user_message", 2);
  expect(message.payload).toMatchObject({
    source: "late_answer",
    interactionId: payload.interactionId,
  });
  await rig.event(sessionId, "turn_end", 2);
  checkLog(await rig.log(sessionId));
});

test("an agent that asks for something else when it is run again gets no old result", async () => {
  const ran: unknown[] = [];
  const remove = defineTool<{ path: string }>({
    name: "t_remove",
    description: "Removes what was approved.",
    parameters: params,
    durable: "replay",
    handler: (args, ctx) =>
      approve(ctx, {
        onResponse: () => {
          ran.push(args.path);
          return { complete: args.path };
        },
      }),
  });
  let lives = 0;
  const results: unknown[] = [];
  const agent = reentered("fickle", async (turn) => {
    if (turn.trigger === "late_answer") return { status: "completed" };
    results.push(await turn.call("t_remove", { path: lives++ === 0 ? "/tmp" : "/etc" }));
    return { status: "completed" };
  });
  await using rig = await Rig.start({ tools: [remove], agents: [agent] });
  const sessionId = await rig.session("fickle");
  await rig.say(sessionId, "go");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig.crash();
  await rig.answer(payload.interactionId);
  expect((await rig.event(sessionId, "turn_end")).payload.status).toBe("interrupted");
  expect((await rig.event(sessionId, "user_message", 2)).payload.source).toBe("late_answer");
  await rig.event(sessionId, "turn_end", 2);
  expect({ ran, results }).toEqual({ ran: [], results: [] });
  checkLog(await rig.log(sessionId));
});

test("what an agent does to the state that it was given is not kept unless it says so", async () => {
  const given: unknown[] = [];
  const agent = reentered("scribbler", async (turn) => {
    given.push(structuredClone(turn.state));
    const state = (turn.state ?? { turns: [] }) as { turns: string[] };
    state.turns.push(turn.message.text);
    if (turn.message.text === "keep") await turn.keepState(state);
    return { status: "completed" };
  });
  await using rig = await Rig.start({ tools: [], agents: [agent] });
  const sessionId = await rig.session("scribbler");
  for (const [index, text] of ["keep", "scribble", "look"].entries()) {
    await rig.say(sessionId, text);
    await rig.event(sessionId, "turn_end", index + 1);
  }
  expect(given).toEqual([null, { turns: ["keep"] }, { turns: ["keep"] }]);
});
