import { expect, test } from "vitest";
import { type AgentRuntime, defineTool, StoreUnavailable } from "../../src/core/index.ts";
import { demoAgent } from "../../src/agents/index.ts";
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

for (const type of ["tool_call", "interaction_request"]) {
  test(`a cancel while a ${type} is being stored leaves nothing open behind it`, async () => {
    await using rig = await Rig.start({ tools: [asking("t_ask", "orphan")] });
    const sessionId = await rig.session();
    let cancelling: Promise<unknown> | undefined;
    // The cancel looks at the rows, then this commit is stored, then that of the cancel.
    rig.onCommit = async (commit) => {
      if (cancelling) {
        if (hasEvent(commit, "turn_end")) await rig.clock.settle();
        return;
      }
      if (!hasEvent(commit, type)) return;
      cancelling = rig.core.cancel(person, sessionId);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await rig.say(sessionId, "/call t_ask {}");
    await rig.event(sessionId, "turn_end");
    await cancelling;
    await rig.clock.advance(0);
    const log = await rig.log(sessionId);
    checkLog(log);
    const calls = log.filter((event) => event.type === "tool_call");
    const results = log.filter((event) => event.type === "tool_result");
    expect(results.length).toBe(calls.length);
    expect(await rig.raw.openCount(sessionId)).toBe(0);
    expect(log.at(-1)?.type).toBe("turn_end");
  });
}

test("a store that fails once while an outcome is stored loses no answer", async () => {
  await using rig = await Rig.start({
    tools: [asking("t_keep", "replay"), asking("t_lose", "orphan")],
  });
  for (const [tool, ending] of [
    ["t_keep", "tool_result"],
    ["t_lose", "user_message"],
  ] as const) {
    const sessionId = await rig.session();
    await rig.say(sessionId, `/call ${tool} {}`);
    const { payload } = await rig.event(sessionId, "interaction_request");
    let failed = false;
    rig.onCommit = (commit) => {
      const outcome = commit.writes.some(
        (write) => write.table === "interactions" && write.set.outcome?.kind === "complete",
      );
      if (failed || !outcome) return;
      failed = true;
      throw new StoreUnavailable("The disk is full.");
    };
    await rig.answer(payload.interactionId);
    const last = await rig.event(sessionId, ending, ending === "user_message" ? 2 : 1);
    expect(failed).toBe(true);
    if (last.type === "tool_result") expect(last.payload).toMatchObject({ ok: true });
    else expect(last.payload).toMatchObject({ source: "late_answer" });
    checkLog(await rig.log(sessionId));
  }
});

test("a run that is cancelled while the heart lets go of it does not stop the heart", async () => {
  const gate = new Gate();
  const busy = defineTool({
    name: "t_busy",
    description: "Cannot be replayed.",
    parameters: params,
    handler: () => gate.pass(),
  });
  // Its calls end with commits of their own, which come before the run can suspend.
  const resuming: AgentRuntime = {
    ...demoAgent,
    id: "resuming",
    capabilities: { reenter: "native", steer: false },
    canResume: () => true,
  };
  const tools = [busy, asking("t_ask", "replay")];
  await using rig = await Rig.start({ tools, agents: [resuming] });
  const sessionId = await rig.session("resuming");
  await rig.say(sessionId, "/parallel t_ask {} | t_busy {}");
  await rig.event(sessionId, "interaction_request");
  gate.open();
  await rig.event(sessionId, "tool_result");
  await rig.clock.advance(0);
  let cancelling: Promise<unknown> | undefined;
  rig.onCommit = async (commit) => {
    const letsGo = commit.writes.some(
      (write) => write.table === "runs" && write.set.status === "suspended",
    );
    if (letsGo) await (cancelling ??= rig.core.cancel(person, sessionId));
  };
  await rig.clock.advance(HEARTBEAT_MS);
  expect(await cancelling).toEqual({ stopped: true });
  const before = rig.beats;
  await rig.clock.advance(HEARTBEAT_MS * 2);
  expect(rig.beats).toBeGreaterThan(before);
});

test("prompts that a handler does not await reject unheard when it is cancelled, and harm nobody", async () => {
  const unheard: unknown[] = [];
  const note = (error: unknown) => unheard.push(error);
  process.on("unhandledRejection", note);
  try {
    const both = defineTool({
      name: "t_both",
      description: "Asks twice and awaits one after the other.",
      parameters: params,
      durable: "replay",
      async handler(_args, ctx) {
        const [first, second] = [approve(ctx, { key: "a" }), approve(ctx, { key: "b" })];
        return [await first, await second];
      },
    });
    await using rig = await Rig.start({ tools: [both] });
    for (const when of ["opened", "storing"]) {
      const sessionId = await rig.session();
      let cancelling: Promise<unknown> | undefined;
      rig.onCommit = async (commit) => {
        if (when !== "storing" || !hasEvent(commit, "interaction_request")) return;
        await (cancelling ??= rig.core.cancel(person, sessionId));
      };
      await rig.say(sessionId, "/call t_both {}");
      if (when === "opened") {
        await rig.event(sessionId, "interaction_request", 2);
        await rig.core.cancel(person, sessionId);
      }
      await rig.event(sessionId, "turn_end");
      await rig.clock.advance(0);
      await turnsOfTheLoop(10);
      expect(unheard, when).toEqual([]);
    }
  } finally {
    process.off("unhandledRejection", note);
  }
});

test("a denial with stop, unheard before a restart that cannot replay it, leaves the session usable", async () => {
  const gate = new Gate();
  const slow = defineTool({
    name: "t_slow",
    description: "Thinks long about an answer.",
    parameters: params,
    handler: (_args, ctx) =>
      approve(ctx, {
        async onResponse() {
          await gate.pass();
          return { complete: "late" };
        },
      }),
  });
  await using rig = await Rig.start({ tools: [slow] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_slow {}");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig.answer(payload.interactionId, { action: "deny", stop: true });
  await gate.reached;
  await rig.crash();
  await rig.event(sessionId, "turn_end");
  await rig.say(sessionId, "hello");
  await rig.event(sessionId, "text");
  await rig.event(sessionId, "turn_end", 3);
  checkLog(await rig.log(sessionId));
});

test("an answer whose hook was running when the server died is heard without another event", async () => {
  const gate = new Gate();
  const hooks: string[] = [];
  const pair = defineTool({
    name: "t_pair",
    description: "Asks twice, the second time after a look at something.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) =>
      Promise.all([
        approve(ctx, { key: "a" }),
        turnsOfTheLoop(20).then(() =>
          approve(ctx, {
            key: "b",
            prompt: "b",
            async onResponse() {
              hooks.push("b");
              await gate.pass();
              return { complete: "b" };
            },
          }),
        ),
      ]),
  });
  await using rig = await Rig.start({ tools: [pair] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_pair {}");
  const one = await rig.event(sessionId, "interaction_request");
  const other = await rig.event(sessionId, "interaction_request", 2);
  // Which is stored first is the store's to say.
  const b = [one, other].find(({ payload }) => payload.prompt === "b");
  await rig.crash();
  await rig.answer(b!.payload.interactionId);
  await rig.until(() => hooks.length > 0);
  expect(hooks).toEqual(["b"]);
  gate.reset();
  await rig.crash();
  await rig.until(() => hooks.length > 1);
  expect(hooks).toEqual(["b", "b"]);
  gate.open();
});
