import { expect, test } from "vitest";
import { demoAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  defineTool,
  Departure,
  StoreUnavailable,
} from "../../src/core/index.ts";
import { createMachineAccess } from "../../src/machine-access.ts";
import { createCredentials } from "../../src/server/index.ts";
import { systemIds } from "../../src/system.ts";
import { asking, params, person, Rig } from "./rig.ts";

const quick = defineTool({
  name: "t_quick",
  description: "Is done at once.",
  parameters: params,
  handler: () => "done",
});

function call(rig: Rig, sessionId: string, toolName: string, toolCallId: string, input = {}) {
  const end = rig.core.callTool(person, {
    sessionId,
    toolName,
    input,
    origin: "http",
    toolCallId,
  });
  end.catch(() => {});
  return end;
}

/** The store refuses the first commit that would end a call. */
function failOneEnding(rig: Rig): void {
  let failures = 1;
  rig.onCommit = (commit) => {
    if (commit.events.some(({ type }) => type === "tool_result") && failures-- > 0)
      throw new StoreUnavailable("The disk is full.");
  };
}

async function openAfterTenMinutes(rig: Rig, sessionId: string) {
  for (let minute = 0; minute < 10; minute++) await rig.clock.advance(60_000);
  return (await rig.raw.openInteractions({ sessionId, limit: 10 })).rows;
}

test("many calls may be made in one session at once", async () => {
  await using rig = await Rig.start({ tools: [quick] });
  const sessionId = await rig.session();
  const ids = Array.from({ length: 150 }, (_, index) => `call-${index}`);
  const ends = await Promise.allSettled(ids.map((id) => call(rig, sessionId, "t_quick", id)));
  const failed = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
  expect(failed).toEqual([]);
});

test("two commands of a session may be lent their tokens at once", async () => {
  await using rig = await Rig.start({ tools: [] });
  const sessionId = await rig.session();
  const credentials = createCredentials({ store: rig.raw, ids: systemIds, clock: rig.clock });
  const { lend } = createMachineAccess(credentials, () => "http://127.0.0.1:1", { warn: () => {} });
  const lent = await Promise.allSettled([lend({ sessionId }), lend({ sessionId })]);
  expect(lent.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
});

test("after a restart, calls that nobody waits for are withdrawn though the store fails once", async () => {
  await using rig = await Rig.start({ tools: [asking("t_ask", "replay")] });
  const sessionId = await rig.session();
  void call(rig, sessionId, "t_ask", "one");
  void call(rig, sessionId, "t_ask", "two");
  await rig.event(sessionId, "interaction_request", 2);
  await rig.crash();
  failOneEnding(rig);
  expect(await openAfterTenMinutes(rig, sessionId)).toEqual([]);
});

test("a caller who hung up withdraws its call though the store fails at that moment", async () => {
  await using rig = await Rig.start({ tools: [asking("t_ask", "replay")] });
  const sessionId = await rig.session();
  // Later than those that a restart would withdraw.
  await rig.clock.advance(120_000);
  const phone = new Departure();
  const end = rig.core.callTool(person, {
    sessionId,
    toolName: "t_ask",
    input: {},
    origin: "http",
    gone: phone,
  });
  await rig.event(sessionId, "interaction_request");
  phone.leave();
  await end;
  failOneEnding(rig);
  expect(await openAfterTenMinutes(rig, sessionId)).toEqual([]);
});

test("calls that nobody waits for are withdrawn though the clock was set back", async () => {
  await using rig = await Rig.start({ tools: [asking("t_ask", "replay")] });
  const sessionId = await rig.session();
  void call(rig, sessionId, "t_ask", "one");
  await rig.event(sessionId, "interaction_request");
  rig.clock.jump(-3_600_000);
  await rig.crash();
  expect(await openAfterTenMinutes(rig, sessionId)).toEqual([]);
});

test("the id of a call with other arguments does not give that call's result", async () => {
  const echo = defineTool({
    name: "t_echo",
    description: "Says what it was told.",
    parameters: params,
    handler: (args) => args,
  });
  await using rig = await Rig.start({ tools: [echo] });
  const sessionId = await rig.session();
  await call(rig, sessionId, "t_echo", "one", { what: "a" });
  const again = call(rig, sessionId, "t_echo", "one", { what: "b" });
  await expect(again).rejects.toMatchObject({ code: expect.any(String) });
});

test("a turn whose every call takes the server down is given up at some time", async () => {
  let begun = 0;
  const deadly = defineTool({
    name: "t_deadly",
    description: "No server survives it.",
    parameters: params,
    handler: () => new Promise(() => void begun++),
  });
  const stubborn: AgentRuntime = {
    ...demoAgent,
    id: "stubborn",
    async run(turn) {
      while (!(await turn.call("t_deadly", {})).ok);
      return { status: "completed" };
    },
  };
  await using rig = await Rig.start({ tools: [deadly], agents: [stubborn] });
  const sessionId = await rig.session("stubborn");
  await rig.say(sessionId, "go");
  for (let life = 1; life <= 15; life++) {
    await rig.until(() => begun === life);
    await rig.crash();
  }
  await rig.until(() => begun === 16);
  expect(begun).toBeLessThan(10);
});
