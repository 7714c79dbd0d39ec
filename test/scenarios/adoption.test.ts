import { expect } from "vitest";
import { defineTool, type HookOutcome, type UserResponse } from "../../src/core/index.ts";
import type { Client } from "./client.ts";
import { callStory, story } from "./story.ts";
import { createDoor, operate } from "./turns.ts";
import { mortalAgent } from "./tools.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

const HOUR = 60 * 60 * 1_000;
const heard: UserResponse[] = [];

const PORT_FORM = {
  type: "form" as const,
  fields: [{ id: "port", type: "text" as const, label: "Port", required: true }],
};

/** A tool that cannot be run again, so that a crash orphans its prompt. */
const fleeting = defineTool<{ host: string; question?: string }>({
  name: "t_fleeting",
  description: "Asks, and cannot be run again",
  parameters: { type: "object" },
  handler: ({ question = "Which port?" }, ctx) =>
    ctx.requestInteraction({
      type: "input",
      prompt: question,
      inputSchema: PORT_FORM,
      onResponse: hook,
    }),
});

function hook(response: UserResponse): HookOutcome {
  heard.push(response);
  const port = response.input?.["port"];
  if (port !== "0") return { complete: { port } };
  return { reprompt: { type: "input", inputSchema: PORT_FORM, error: "Not that one." } };
}

const approving = defineTool({
  name: "t_approving",
  description: "Asks for an approval, and cannot be run again",
  parameters: { type: "object" },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      prompt: "Deploy?",
      approvalScopes: ["once", "session"],
      async onResponse({ action, approvalScope = "once" }) {
        if (action === "approve") await ctx.approvals.set("deploy", approvalScope);
        return { complete: action };
      },
    }),
});

let door = createDoor();

/** Can be run again; but an agent that cannot leaves its prompt behind all the same. */
const lasting = defineTool({
  name: "t_lasting",
  description: "Asks, then waits at a door",
  durable: "replay",
  parameters: { type: "object" },
  async handler(_args, ctx) {
    const answer = await ctx.requestInteraction({
      type: "input",
      inputSchema: PORT_FORM,
      onResponse: hook,
    });
    door.arrive();
    await door.opened;
    return answer;
  },
});

const tools = [fleeting, approving, lasting];
const CALL = '/call t_fleeting {"host":"a"}';

interface Orphaned {
  sessionId: string;
  client: Client;
}

/** A session in which `message` made a call that a crash has orphaned. */
async function orphan(world: World, message = CALL, agent = "demo"): Promise<Orphaned> {
  heard.length = 0;
  const before = await world.person();
  const session = await world.session({ agent });
  await before.subscribe(session.id);
  await before.say(session.id, message);
  await before.event("interaction_request");
  await world.crash();
  const client = await world.person();
  await client.subscribe(session.id);
  await client.event("turn_end");
  return { sessionId: session.id, client };
}

async function answer(client: Client, body: Record<string, unknown>): Promise<void> {
  const request = await client.event("interaction_request");
  expect((await client.answer(request, body))["ok"]).toBe(true);
  await client.event("turn_end", 2);
}

const submit = (port: string) => ({ action: "submit", input: { port } });

async function callAgain(client: Client, sessionId: string, message = CALL, nth = 2) {
  await client.say(sessionId, message);
  return client.event("tool_call", nth);
}

inEveryMode(
  "the identical call after a crash gets the answer that was given meanwhile and asks nobody",
  { tools },
  async (world) => {
    const { sessionId, client } = await orphan(world);
    await answer(client, submit("8080"));
    const call = await callAgain(client, sessionId);
    const result = await client.event("tool_result", 2);
    expect(result.payload).toMatchObject({ ok: true, result: { port: "8080" } });
    expect(heard).toEqual([submit("8080")]);
    expect(await callStory(world, sessionId, call.payload.toolCallId)).toEqual([
      "tool_call",
      "tool_result ok",
    ]);
  },
);

inEveryMode(
  "an answer is adopted once: the call after that asks again",
  { tools },
  async (world) => {
    const { sessionId, client } = await orphan(world);
    await answer(client, submit("8080"));
    await callAgain(client, sessionId);
    await client.event("turn_end", 3);
    await callAgain(client, sessionId, CALL, 3);
    const again = await client.event("interaction_request", 2);
    expect((await client.answer(again, submit("1")))["ok"]).toBe(true);
    expect((await client.event("tool_result", 3)).payload).toMatchObject({ result: { port: "1" } });
  },
);

for (const [change, message] of [
  ["other arguments", '/call t_fleeting {"host":"b"}'],
  ["another question", '/call t_fleeting {"host":"a","question":"Which door?"}'],
] as const) {
  inEveryMode(`a call with ${change} asks again`, { tools }, async (world) => {
    const { sessionId, client } = await orphan(world);
    await answer(client, submit("8080"));
    await callAgain(client, sessionId, message);
    const again = await client.event("interaction_request", 2);
    await client.answer(again, submit("1"));
    expect((await client.event("tool_result", 2)).payload.result).toEqual({ port: "1" });
  });
}

inEveryMode("another session never gets the answer", { tools }, async (world) => {
  const { client } = await orphan(world);
  await answer(client, submit("8080"));
  const other = await world.session();
  await client.subscribe(other.id);
  await client.say(other.id, CALL);
  const asked = await client.event(
    "interaction_request",
    (_, event) => event.sessionId === other.id,
  );
  expect(asked.payload.prompt).toBe("Which port?");
});

inEveryMode(
  "after two hours the answer is too old, and the call asks again",
  { tools },
  async (world) => {
    const { sessionId, client } = await orphan(world);
    await answer(client, submit("8080"));
    world.clock.jump(2 * HOUR + 1);
    await callAgain(client, sessionId);
    await client.event("interaction_request", 2);
  },
);

inEveryMode("just within two hours the answer is adopted", { tools }, async (world) => {
  const { sessionId, client } = await orphan(world);
  await answer(client, submit("8080"));
  world.clock.jump(2 * HOUR - 1_000);
  await callAgain(client, sessionId);
  expect((await client.event("tool_result", 2)).payload.result).toEqual({ port: "8080" });
});

inEveryMode(
  "while the orphaned prompt is still open, the identical call asks in its place",
  { tools },
  async (world) => {
    const { sessionId, client } = await orphan(world);
    const first = await client.event("interaction_request");
    await callAgain(client, sessionId);
    const second = await client.event("interaction_request", 2);
    const closed = await client.event("interaction_closed");
    expect(closed.payload).toMatchObject({
      interactionId: first.payload.interactionId,
      reason: "superseded",
    });
    const refused = await client.answer(first, submit("1"));
    expect(refused).toMatchObject({ ok: false, code: "interaction_closed" });
    const open = (await world.http("GET", "/api/interactions?status=pending")).body.interactions;
    expect(open.map((one: { id: string }) => one.id)).toEqual([second.payload.interactionId]);
    await client.answer(second, submit("2"));
    expect((await client.event("tool_result", 2)).payload.result).toEqual({ port: "2" });
    await story(world, sessionId);
  },
);

inEveryMode(
  "an adopted answer that the tool refuses is asked again in the new call",
  { tools },
  async (world) => {
    const { sessionId, client } = await orphan(world);
    await answer(client, submit("0"));
    const call = await callAgain(client, sessionId);
    const again = await client.event("interaction_request", 2);
    expect(again.payload).toMatchObject({
      toolCallId: call.payload.toolCallId,
      attempt: 2,
      error: "Not that one.",
    });
    await client.answer(again, submit("81"));
    expect((await client.event("tool_result", 2)).payload.result).toEqual({ port: "81" });
    await story(world, sessionId);
  },
);

inEveryMode("an adopted approval grants what the person chose", { tools }, async (world) => {
  const { sessionId, client } = await orphan(world, "/call t_approving {}");
  await answer(client, { action: "approve", approvalScope: "session" });
  await callAgain(client, sessionId, "/call t_approving {}");
  expect((await client.event("tool_result", 2)).payload.result).toBe("approve");
  const { grants } = (await world.http("GET", "/api/grants")).body;
  expect(grants).toMatchObject([{ key: "deploy", scope: "session", sessionId }]);
});

inEveryMode(
  "a call that has adopted an answer finds it again when a crash interrupts that call too",
  { tools, agents: [mortalAgent] },
  async (world) => {
    door = createDoor();
    const { sessionId, client } = await orphan(world, "/call t_lasting {}", "mortal");
    await answer(client, submit("0"));
    const call = () => operate(world, sessionId, "t_lasting", {}, { "x-tool-call-id": "again" });
    void call().catch(() => {});
    const asked = await client.event("interaction_request", 2);
    expect(asked.payload).toMatchObject({ toolCallId: "again", attempt: 2 });
    await world.crash();
    const after = await world.person();
    await after.subscribe(sessionId);
    const later = await after.event("interaction_request", 2);
    expect((await after.answer(later, submit("81")))["ok"]).toBe(true);
    await door.reached;
    await world.crash();
    door.open();
    expect((await call()).body).toEqual({ ok: true, result: { port: "81" } });
    expect(
      (await world.log(sessionId)).filter(({ type }) => type === "interaction_request"),
    ).toHaveLength(2);
    expect(heard.map((one) => one.input?.["port"]).slice(0, 2)).toEqual(["0", "81"]);
  },
);
