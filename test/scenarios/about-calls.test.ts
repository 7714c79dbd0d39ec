import { expect } from "vitest";
import { type AgentRuntime, defineTool, type Turn } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { createDoor } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

/** An agent that executes its calls itself and goes on by itself; a scenario says what it does. */
let act: (turn: Turn) => Promise<void>;
const runtime: AgentRuntime = {
  id: "runtime",
  name: "Runtime",
  description: "For tests.",
  capabilities: { reenter: "native", steer: true },
  canResume: () => true,
  async run(turn) {
    await act(turn);
    return { status: "completed" };
  },
};
const agents = [runtime];

async function talk(world: World) {
  const client = await world.person();
  const session = await world.session({ agent: "runtime" });
  await client.subscribe(session.id);
  await client.say(session.id, "go");
  return { client, session };
}

const edit = (text: string) => [
  { path: "a.ts", kind: "edit" as const, oldText: "one\n", newText: text },
];
const WRITE = { nativeId: "toolu_1", toolName: "Write", input: { file_path: "a.ts" } };

inEveryMode(
  "what a call does to files is told with it, in its prompt and as it changes",
  { agents },
  async (world) => {
    act = async (turn) => {
      const call = await turn.startCall({ ...WRITE, title: "Write a.ts", kind: "edit" });
      await call.update({ changes: edit("two\n"), locations: [{ path: "a.ts", line: 1 }] });
      await call.approve({});
      await call.update({ changes: edit("three\n") });
      await call.end({ ok: true, result: "" });
      await call.update({ title: "too late" });
    };
    const { client, session } = await talk(world);
    const asked = await client.event("interaction_request");
    expect(asked.payload).toMatchObject({ title: "Write a.ts", changes: edit("two\n") });
    await client.answer(asked, { action: "approve" });
    await client.event("turn_end");
    const log = await world.log(session.id);
    const told = log.filter(({ type }) => type.startsWith("tool_call"));
    expect(told.map(({ payload }) => payload)).toMatchObject([
      { toolName: "Write", title: "Write a.ts", kind: "edit" },
      { toolCallId: "toolu_1", changes: edit("two\n"), locations: [{ path: "a.ts", line: 1 }] },
      { toolCallId: "toolu_1", changes: edit("three\n") },
    ]);
    checkLog(log);
  },
);

inEveryMode(
  "large changes are counted in events and read whole from the record, also after a restart and an update",
  { agents },
  async (world) => {
    const large = edit("x".repeat(70_000));
    act = async (turn) => {
      const call = await turn.startCall(WRITE);
      await call.update({ changes: large });
      await call.approve({});
      await call.end({ ok: true, result: "" });
    };
    const { client, session } = await talk(world);
    const asked = await client.event("interaction_request");
    const { changesBytes } = asked.payload;
    expect(changesBytes).toBe(JSON.stringify(large).length);
    expect(asked.payload).not.toHaveProperty("changes");
    const update = (await world.log(session.id)).find(({ type }) => type === "tool_call_update");
    expect(update?.payload).toEqual({ toolCallId: "toolu_1", changesBytes });
    const read = async () =>
      (await world.http("GET", `/api/interactions/${asked.payload.interactionId}`)).body.request;
    expect((await read()).changes).toEqual(large);
    await world.crash();
    expect((await read()).changes).toEqual(large);
    const listed = (await world.http("GET", "/api/interactions")).body.interactions[0];
    expect(listed.request).not.toHaveProperty("changes");
  },
);

const rewriting = defineTool({
  name: "t_rewrite",
  description: "Asks about changes, and again.",
  parameters: { type: "object", properties: { length: {} } },
  durable: "replay",
  handler: ({ length }: { length: number }, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      changes: edit("y".repeat(length)),
      onResponse: (_response, { attempt }) =>
        attempt === 1 ? { reprompt: { type: "approval", error: "Look again." } } : { complete: 1 },
    }),
});

inEveryMode(
  "a tool may say what becomes of files; asked again it need not say so again",
  { tools: [rewriting] },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [at, length] of [10, 70_000].entries()) {
      await client.say(session.id, `/call t_rewrite {"length":${length}}`);
      for (const attempt of [1, 2]) {
        const asked = await client.event("interaction_request", at * 2 + attempt);
        const path = `/api/interactions/${asked.payload.interactionId}`;
        const { request } = (await world.http("GET", path)).body;
        expect(request).toMatchObject({ attempt, changes: edit("y".repeat(length)) });
        expect(asked.payload.changes === undefined).toBe(length > 65_536);
        await client.answer(asked, { action: "approve" });
      }
      await client.event("turn_end", at + 1);
    }
  },
);

inEveryMode(
  "a denied call has its result at once, though its runtime says no more of it",
  { agents },
  async (world) => {
    const answers: unknown[] = [];
    act = async (turn) => {
      const call = await turn.startCall(WRITE);
      answers.push(await call.approve({}), await call.approve({}));
      answers.push((await turn.startCall(WRITE)).toolCallId);
      const ended = call.ended;
      await call.end({ ok: false, error: { code: "tool_error", message: "It said so later." } });
      answers.push([ended, call.ended]);
    };
    const { client, session } = await talk(world);
    const asked = await client.event("interaction_request");
    await client.answer(asked, { action: "deny", reason: "Not this file." });
    await client.event("turn_end");
    const denied = { allowed: false, edited: false, reason: "Not this file." };
    const { interactionId } = asked.payload;
    expect(answers).toMatchObject([
      { ...denied, interactionId },
      { ...denied, interactionId },
      "toolu_1",
      [false, true],
    ]);
    const log = await world.log(session.id);
    const results = log.filter(({ type }) => type === "tool_result");
    expect(results.map(({ payload }) => payload)).toMatchObject([
      { ok: false, error: { code: "tool_denied", message: "Not this file." } },
    ]);
    checkLog(log);
  },
);

const OPTIONS = [
  { id: "proceed_once", label: "Yes", decision: "approve" as const },
  { id: "proceed_always", label: "Yes, always", decision: "approve" as const, scope: "session" },
  { id: "cancel", label: "No", decision: "deny" as const },
] as const;

inEveryMode(
  "a runtime's own choices go through the gate, and it is told which one it was",
  { agents },
  async (world) => {
    const answers: unknown[] = [];
    act = async (turn) => {
      for (const rememberedBy of ["agent", "beckon"] as const) {
        for (const nativeId of [`${rememberedBy}-1`, `${rememberedBy}-2`]) {
          const call = await turn.startCall({ ...WRITE, nativeId });
          answers.push(await call.approve({ options: [...OPTIONS], rememberedBy }));
          await call.end({ ok: true, result: "" });
        }
      }
    };
    const { client, session } = await talk(world);
    const ids: string[] = [];
    for (const optionId of ["proceed_always", "cancel", "proceed_always"]) {
      const asked = await client.event("interaction_request", ids.length + 1);
      expect(asked.payload.approvalOptions).toMatchObject(OPTIONS);
      expect(asked.payload.rememberedBy).toBe(ids.length < 2 ? "agent" : undefined);
      ids.push(asked.payload.interactionId);
      const action = optionId === "cancel" ? "deny" : "approve";
      expect((await client.answer(asked, { action, optionId })).ok).toBe(true);
    }
    await client.event("turn_end");
    const session1 = { allowed: true, scope: "session" };
    const always = { ...session1, optionId: "proceed_always" };
    expect(answers).toMatchObject([
      { ...always, interactionId: ids[0] },
      { allowed: false, optionId: "cancel", interactionId: ids[1] },
      { ...always, interactionId: ids[2] },
      session1,
    ]);
    expect((await world.http("GET", "/api/grants")).body.grants).toMatchObject([
      { scope: "session", sessionId: session.id },
    ]);
    const results = (await world.log(session.id)).filter(({ type }) => type === "tool_result");
    expect(results.map(({ payload }) => payload["authorizedBy"])).toEqual([
      `interaction:${ids[0]}`,
      undefined,
      `interaction:${ids[2]}`,
      expect.stringMatching(/^grant:/),
    ]);
  },
);

inEveryMode(
  "the end of a turn tells its model and what it used, also of a process that died in it",
  { agents },
  async (world) => {
    const door = createDoor();
    let lives = 0;
    act = async (turn) => {
      await turn.usage({ input: 100, output: 10, cost: 0.25, model: "small" });
      if (++lives > 1) return turn.usage({ input: 1, output: 2, cost: 0.5, model: "large" });
      door.arrive();
      await door.opened;
    };
    const { session } = await talk(world);
    await door.reached;
    await world.crash();
    const client = await world.person();
    await client.subscribe(session.id);
    expect((await client.event("turn_end")).payload).toEqual({
      status: "completed",
      model: "large",
      usage: { input: 201, output: 22, cost: 1 },
    });
  },
);
