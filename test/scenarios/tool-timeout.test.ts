import { expect, test } from "vitest";
import { defineTool, type ToolDefinition } from "../../src/core/index.ts";
import { approve, params, person, Rig, turnsOfTheLoop } from "./rig.ts";

const limited = (handler: ToolDefinition["handler"]) =>
  defineTool({
    name: "t_limited",
    description: "Has two seconds for its own work.",
    parameters: params,
    durable: "replay",
    plugin: "limited",
    timeoutMs: 2_000,
    handler,
  });

const never = () => new Promise<never>(() => {});

function call(rig: Rig, sessionId: string) {
  return rig.core.callTool(person, {
    sessionId,
    toolName: "t_limited",
    input: {},
    origin: "http",
    toolCallId: "one",
  });
}

const TIMED_OUT = {
  ok: false,
  error: {
    code: "tool_timeout",
    message: "The plugin limited did not finish t_limited within 2 seconds of its own work.",
  },
};

test("a handler that never settles ends after its tool's time, hears of it, and the turn goes on", async () => {
  let signal: AbortSignal | undefined;
  const tool = limited((_args, ctx) => {
    signal = ctx.signal;
    return never();
  });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_limited {}");
  await rig.until(() => signal !== undefined);
  await rig.clock.advance(1_999);
  await turnsOfTheLoop(5);
  expect(signal?.aborted).toBe(false);
  expect((await rig.event(sessionId, "tool_result")).payload).toMatchObject(TIMED_OUT);
  expect(signal?.reason).toMatchObject({ code: "tool_timeout" });
  expect((await rig.event(sessionId, "turn_end")).payload.status).toBe("completed");
});

test("the time in which people are asked is not counted, the time before and after it is", async () => {
  let askNow = () => {};
  let answered = false;
  const tool = limited(async (_args, ctx) => {
    await new Promise<void>((resolve) => (askNow = resolve));
    await approve(ctx);
    answered = true;
    return never();
  });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  const ended = call(rig, sessionId);
  await rig.event(sessionId, "tool_call");
  await turnsOfTheLoop(5);
  await rig.clock.advance(1_500);
  askNow();
  const request = await rig.event(sessionId, "interaction_request");
  await rig.clock.advance(600_100);
  await rig.answer(request.payload.interactionId);
  await rig.until(() => answered);
  await rig.clock.advance(499);
  await turnsOfTheLoop(5);
  expect((await rig.log(sessionId)).some(({ type }) => type === "tool_result")).toBe(false);
  await rig.clock.advance(1);
  expect(await ended).toEqual(TIMED_OUT);
});

test("a prompt that another program has open in the call is waited for too", async () => {
  const tool = limited(never);
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  const ended = call(rig, sessionId);
  await rig.event(sessionId, "tool_call");
  const asked = await rig.core.ask(person, {
    sessionId,
    toolCallId: "one",
    origin: "http",
    prompt: { type: "approval" },
  });
  for (let round = 0; round < 5; round++) {
    await rig.clock.advance(2_000);
    await turnsOfTheLoop(5);
  }
  expect((await rig.log(sessionId)).some(({ type }) => type === "tool_result")).toBe(false);
  await rig.answer(asked.interaction.id);
  await rig.event(sessionId, "interaction_response");
  await rig.clock.advance(2_000);
  expect(await ended).toEqual(TIMED_OUT);
});

test("what a handler does after its time was over asks nobody and changes nothing", async () => {
  let goOn = () => {};
  let late: unknown;
  const tool = limited(async (_args, ctx) => {
    await new Promise<void>((resolve) => (goOn = resolve));
    late = await approve(ctx).catch((error: unknown) => error);
    return "too late";
  });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  const ended = call(rig, sessionId);
  await rig.event(sessionId, "tool_call");
  await turnsOfTheLoop(5);
  await rig.clock.advance(2_000);
  expect(await ended).toEqual(TIMED_OUT);
  goOn();
  await rig.until(() => late !== undefined);
  expect(late).toMatchObject({ code: "interaction_cancelled" });
  expect((await rig.log(sessionId)).map(({ type }) => type)).toEqual(["tool_call", "tool_result"]);
});
