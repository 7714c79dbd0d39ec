import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import type { Client } from "./client.ts";
import { callStory } from "./story.ts";
import { mortalAgent } from "./tools.ts";
import { callTool } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

interface Args {
  what: string;
  where?: string;
}
const ran: Args[] = [];

/** Runs only when the gate lets it. */
const dangerous = defineTool<Args>({
  name: "t_dangerous",
  description: "Does what it is told",
  durable: "replay",
  parameters: {
    type: "object",
    properties: { what: { type: "string" }, where: { type: "string" } },
    required: ["what"],
    additionalProperties: false,
  },
  approval: {
    complete: (args, { cwd = "/home" }) => ({ ...args, where: args.where ?? cwd }),
    key: ({ what, where }) => JSON.stringify([what, where]),
    prompt: ({ where }) => `Do this in ${where}?`,
    scopes: ["once", "session", "always"],
    editable: true,
  },
  handler: (args, ctx) => ctx.step("run", () => ran.push(args)),
});

const fails = defineTool({
  name: "t_unsure",
  description: "Cannot say what it would run",
  parameters: { type: "object" },
  approval: {
    complete() {
      throw new Error("no such place");
    },
  },
  handler: () => ran.push({ what: "never" }),
});

/** A word of its arguments says that it only asks; then it asks by itself. */
const asks = defineTool<{ what: string }>({
  name: "t_asks",
  description: "Asks, or does something else",
  durable: "replay",
  parameters: { type: "object" },
  approval: { onlyAsks: ({ what }) => what === "ask" },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      prompt: "Its own question",
      onResponse: ({ action }) => ({ complete: action }),
    }),
});

const tools = [dangerous, fails, asks];

async function start(world: World) {
  ran.length = 0;
  const client = await world.person();
  const session = await world.session({ cwd: "/projects/here" });
  await client.subscribe(session.id);
  return { client, sessionId: session.id };
}

async function call(client: Client, sessionId: string, args: object = { what: "a" }) {
  const turn = await callTool(client, sessionId, "t_dangerous", args as never);
  return { ...turn, answered: answerOf(client, turn) };
}

function answerOf(client: Client, turn: Awaited<ReturnType<typeof callTool>>) {
  return async (body: Record<string, unknown>) => {
    const request = await turn.request();
    expect(await client.answer(request, body)).toMatchObject({ ok: true });
    return { request, result: (await turn.result()).payload };
  };
}

async function authorizedBy(world: World, sessionId: string, toolCallId: string) {
  return (await world.store.call(sessionId, toolCallId))?.authorizedBy;
}

inEveryMode(
  "a call that can do nothing but ask is asked about by its own question alone",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    const turn = await callTool(client, sessionId, "t_asks", { what: "ask" });
    const { request, result } = await answerOf(client, turn)({ action: "approve" });
    expect(request.payload.prompt).toBe("Its own question");
    expect(result).toMatchObject({ ok: true, result: "approve", authorizedBy: "tool" });
    const { toolCallId } = request.payload;
    expect(await authorizedBy(world, sessionId, toolCallId)).toBe("tool");
    const story = await callStory(world, sessionId, toolCallId);
    expect(story.filter((line) => line.startsWith("interaction_request"))).toHaveLength(1);

    const other = await callTool(client, sessionId, "t_asks", { what: "else" });
    const gate = await other.request();
    expect(gate.payload.prompt).not.toBe("Its own question");
    await client.answer(gate, { action: "deny" });
    expect((await other.result()).payload).toMatchObject({ error: { code: "tool_denied" } });
  },
);

inEveryMode(
  "a dangerous call shows all that would run, and runs exactly that once a person approves",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    const turn = await call(client, sessionId);
    const shown = (await turn.request()).payload;
    expect(ran).toEqual([]);
    expect(shown).toMatchObject({
      prompt: "Do this in /projects/here?",
      toolInput: { what: "a", where: "/projects/here" },
      context: { cwd: "/projects/here" },
      approvalScopes: ["once", "session", "always"],
    });
    const { request, result } = await turn.answered({ action: "approve" });
    expect(result.ok).toBe(true);
    expect(ran).toEqual([{ what: "a", where: "/projects/here" }]);
    const id = request.payload.interactionId;
    expect(await authorizedBy(world, sessionId, shown.toolCallId)).toBe(`interaction:${id}`);
    expect(result["authorizedBy"]).toBe(`interaction:${id}`);
    expect(await callStory(world, sessionId, shown.toolCallId)).toEqual([
      "tool_call",
      "interaction_pending true",
      "interaction_request 1",
      "interaction_response approve",
      "interaction_pending false",
      "tool_result ok",
    ]);
  },
);

inEveryMode("an approval for once is good for one call", { tools }, async (world) => {
  const { client, sessionId } = await start(world);
  await (await call(client, sessionId)).answered({ action: "approve" });
  await (await call(client, sessionId)).answered({ action: "deny" });
  expect(ran).toHaveLength(1);
});

inEveryMode("a denied call does not run, and its agent is told why", { tools }, async (world) => {
  const { client, sessionId } = await start(world);
  const denied = await (
    await call(client, sessionId)
  ).answered({ action: "deny", reason: "Not on a Friday." });
  expect(denied.result.error).toEqual({ code: "tool_denied", message: "Not on a Friday." });
  const again = await (await call(client, sessionId)).answered({ action: "deny" });
  expect(again.result.error?.message).toBe("The user denied this tool call.");
  expect(ran).toEqual([]);
});

inEveryMode("denying with stop ends the turn too", { tools }, async (world) => {
  const { client, sessionId } = await start(world);
  const turn = await call(client, sessionId);
  await turn.answered({ action: "deny", stop: true });
  expect((await turn.end()).payload.status).toBe("cancelled");
});

const minutes = { tools, defaults: { timeoutMs: 5 * 60_000 } };
inEveryMode("a call that nobody approves in time does not run", minutes, async (world) => {
  const { client, sessionId } = await start(world);
  const turn = await call(client, sessionId);
  await turn.request();
  await world.advance(5 * 60_000);
  expect((await turn.result()).payload.error?.code).toBe("interaction_timeout");
  expect(ran).toEqual([]);
});

inEveryMode("a dangerous call waits for somebody to come", { tools }, async (world) => {
  ran.length = 0;
  const session = await world.session();
  await world.http("POST", `/api/sessions/${session.id}/messages`, {
    content: '/call t_dangerous {"what":"a"}',
  });
  const client = await world.person();
  await client.subscribe(session.id);
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  expect((await client.event("tool_result")).payload.ok).toBe(true);
});

inEveryMode(
  "approved for the session, the same call runs there unasked; another call and another session ask",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    await (await call(client, sessionId)).answered({ action: "approve", approvalScope: "session" });
    const [grant] = (await world.http("GET", "/api/grants")).body.grants;
    expect(grant).toMatchObject({ toolName: "t_dangerous", scope: "session", sessionId });
    const second = (await (await call(client, sessionId)).result()).payload;
    expect(second.ok).toBe(true);
    expect(await authorizedBy(world, sessionId, second.toolCallId)).toBe(`grant:${grant.id}`);
    await (await call(client, sessionId, { what: "b" })).request();
    await client.ask({ type: "cancel", sessionId });
    const other = await world.session({ cwd: "/projects/here" });
    await client.subscribe(other.id);
    await (await call(client, other.id)).request();
    expect(ran).toHaveLength(2);
  },
);

inEveryMode(
  "approved for always, it runs unasked in every session until that is revoked",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    await (await call(client, sessionId)).answered({ action: "approve", approvalScope: "always" });
    const other = await world.session({ cwd: "/projects/here" });
    await client.subscribe(other.id);
    expect((await (await call(client, other.id)).result()).payload.ok).toBe(true);
    const elsewhere = await world.session({ cwd: "/projects/there" });
    await client.subscribe(elsewhere.id);
    await (await call(client, elsewhere.id)).request();
    const [grant] = (await world.http("GET", "/api/grants")).body.grants;
    expect((await world.http("DELETE", `/api/grants/${grant.id}`)).status).toBe(200);
    await (await call(client, other.id)).request();
    expect(ran).toHaveLength(2);
  },
);

inEveryMode(
  "what runs is what was approved, edited or not, and the grant covers that",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    await (
      await call(client, sessionId)
    ).answered({
      action: "approve",
      approvalScope: "session",
      updatedInput: { what: "b", where: "/tmp" },
    });
    expect(ran).toEqual([{ what: "b", where: "/tmp" }]);
    const covered = await call(client, sessionId, { what: "b", where: "/tmp" });
    expect((await covered.result()).payload.ok).toBe(true);
    await (await call(client, sessionId)).request();
    expect(ran).toHaveLength(2);
  },
);

inEveryMode(
  "an edit that does not fit the tool is refused and nothing runs",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    const turn = await call(client, sessionId);
    const refused = await client.answer(await turn.request(), {
      action: "approve",
      updatedInput: { what: 5, approved: true },
    });
    expect(refused).toMatchObject({ ok: false, code: "invalid_response" });
    expect(ran).toEqual([]);
  },
);

inEveryMode(
  "a crash while people decide loses nothing and runs it once",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    const turn = await call(client, sessionId);
    const request = await turn.request();
    await world.crash();
    const after = await world.person();
    await after.subscribe(sessionId);
    expect(await after.answer(request, { action: "approve" })).toMatchObject({ ok: true });
    expect((await after.event("tool_result")).payload.ok).toBe(true);
    expect(ran).toEqual([{ what: "a", where: "/projects/here" }]);
  },
);

inEveryMode(
  "arguments that do not fit are refused and nobody is asked",
  { tools },
  async (world) => {
    const { client, sessionId } = await start(world);
    const turn = await call(client, sessionId, { what: "a", approved: true });
    expect((await turn.result()).payload.error?.code).toBe("invalid_arguments");
    expect((await world.log(sessionId)).some(({ type }) => type === "interaction_request")).toBe(
      false,
    );
  },
);

inEveryMode("a tool that cannot say what it would run does not run", { tools }, async (world) => {
  const { client, sessionId } = await start(world);
  const turn = await callTool(client, sessionId, "t_unsure");
  expect((await turn.result()).payload.error?.message).toBe("no such place");
  expect(ran).toEqual([]);
});

inEveryMode(
  "an approval given after the agent died is used by its identical call, once",
  { tools, agents: [mortalAgent] },
  async (world) => {
    ran.length = 0;
    const { id: sessionId } = await world.session({ agent: "mortal" });
    const before = await world.person();
    await before.subscribe(sessionId);
    await before.say(sessionId, '/call t_dangerous {"what":"a"}');
    const request = await before.event("interaction_request");
    await world.crash();
    const client = await world.person();
    await client.subscribe(sessionId);
    await client.event("turn_end");
    expect(await client.answer(request, { action: "approve" })).toMatchObject({ ok: true });
    await client.event("turn_end", 2);
    expect(ran).toEqual([]);
    const result = (await (await call(client, sessionId)).result()).payload;
    expect(result.ok).toBe(true);
    expect(ran).toHaveLength(1);
    expect(await authorizedBy(world, sessionId, result.toolCallId)).toBe(
      `interaction:${request.payload.interactionId}`,
    );
    await (await call(client, sessionId)).request();
    expect(ran).toHaveLength(1);
  },
);
