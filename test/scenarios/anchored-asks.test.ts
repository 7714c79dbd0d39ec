import { expect } from "vitest";
import type { AgentRuntime, Turn } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { approvalTool, mortalAgent } from "./tools.ts";
import { callTool, createDoor } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

let act: (turn: Turn) => Promise<void>;
const runtime: AgentRuntime = {
  id: "runtime",
  name: "Runtime",
  description: "For tests.",
  capabilities: { reenter: "none", steer: false },
  async run(turn) {
    await act(turn);
    return { status: "completed" };
  },
};
const options = { agents: [runtime, mortalAgent], tools: [approvalTool] };

const QUESTION = { type: "approval", prompt: "Deploy it?" };
const ask = async (world: World, body: object) =>
  (await world.http("POST", "/api/interactions", { ...QUESTION, ...body })).body;
const activeRuns = (world: World, sessionId: string) => world.store.activeRuns(sessionId);

inEveryMode(
  "a call that asked nothing itself takes with it what was asked in its place",
  options,
  async (world) => {
    const door = createDoor();
    act = async (turn) => {
      const call = await turn.startCall({ nativeId: "toolu_1", toolName: "Bash", input: {} });
      door.arrive();
      await door.opened;
      await call.end({ ok: true, result: "" });
    };
    const client = await world.person();
    const session = await world.session({ agent: "runtime" });
    await client.subscribe(session.id);
    await client.say(session.id, "go");
    await door.reached;
    const asked = await ask(world, { sessionId: session.id, toolCallId: "toolu_1" });
    door.open();
    await client.event("turn_end");
    const { body } = await world.http("GET", `/api/interactions/${asked.id}`);
    expect(body.status).toBe("failed");
    checkLog(await world.log(session.id));
    await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  },
);

inEveryMode("what was asked in a call leaves no run behind", options, async (world) => {
  const { session, client } = await world.conversation();
  const turn = await callTool(client, session.id, "t_ask");
  const request = await turn.request();
  const { toolCallId } = request.payload;
  await ask(world, { sessionId: session.id, toolCallId });
  await client.answer(request, { action: "approve" });
  await turn.end();
  checkLog(await world.log(session.id));
  await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  const { body } = await world.http("GET", `/api/sessions/${session.id}`);
  expect(body.status).toBe("idle");
});

inEveryMode(
  "what was asked in a call of a turn that is cancelled leaves no run behind",
  options,
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const { toolCallId } = (await turn.request()).payload;
    await ask(world, { sessionId: session.id, toolCallId });
    await client.ask({ type: "cancel", sessionId: session.id });
    await turn.end();
    checkLog(await world.log(session.id));
    await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  },
);

inEveryMode(
  "what a program asked in a call whose process died fails with it",
  options,
  async (world) => {
    const client = await world.person();
    const session = await world.session({ agent: "mortal" });
    await client.subscribe(session.id);
    const turn = await callTool(client, session.id, "t_ask");
    const { toolCallId } = (await turn.request()).payload;
    const asked = await ask(world, { sessionId: session.id, toolCallId });
    await world.crash();
    const after = await world.person();
    await after.subscribe(session.id);
    await after.event("turn_end");
    const { body } = await world.http("GET", `/api/interactions/${asked.id}`);
    expect(body).toMatchObject({ status: "failed" });
    await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
    checkLog(await world.log(session.id));
  },
);

inEveryMode(
  "an answer that names only the call allows nothing that it was not meant for",
  options,
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const { toolCallId, interactionId } = (await turn.request()).payload;
    const other = await ask(world, { sessionId: session.id, toolCallId, prompt: "Harmless?" });
    const approve = () => world.http("POST", `/api/sessions/${session.id}/approve`, { toolCallId });
    const refusal = { status: 409, body: { code: "stale_interaction", current: interactionId } };
    expect(await approve()).toMatchObject(refusal);
    // Whoever saw it may still answer it after it was withdrawn.
    await world.http("POST", `/api/interactions/${other.id}/cancel`, {});
    expect(await approve()).toMatchObject(refusal);
    const path = `/api/interactions/${interactionId}/respond`;
    await world.http("POST", path, { action: "approve" });
    await turn.end();
    checkLog(await world.log(session.id));
  },
);

inEveryMode(
  "what only a program asks in a call is answered by the call",
  options,
  async (world) => {
    const door = createDoor();
    act = async (turn) => {
      const call = await turn.startCall({ nativeId: "toolu_1", toolName: "Bash", input: {} });
      door.arrive();
      await door.opened;
      await call.end({ ok: true, result: "" });
    };
    const client = await world.person();
    const session = await world.session({ agent: "runtime" });
    await client.subscribe(session.id);
    await client.say(session.id, "go");
    await door.reached;
    const asked = await ask(world, { sessionId: session.id, toolCallId: "toolu_1" });
    const body = { toolCallId: "toolu_1" };
    expect(await world.http("POST", `/api/sessions/${session.id}/approve`, body)).toMatchObject({
      status: 200,
    });
    expect((await world.http("GET", `/api/interactions/${asked.id}`)).body.status).toBe("answered");
    door.open();
    await client.event("turn_end");
  },
);
