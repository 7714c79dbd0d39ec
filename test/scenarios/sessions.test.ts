import { expect } from "vitest";
import { defineTool, type Ids } from "../../src/core/index.ts";
import { systemIds } from "../../src/system.ts";
import { callTool, createDoor, operate } from "./turns.ts";
import { approvalTool } from "./tools.ts";
import { verifies } from "./verifies.ts";
import type { World } from "./world.ts";

let cancelled = createDoor();
const watched = defineTool({
  name: "t_watched",
  description: "Asks and notes that it was stopped",
  parameters: { type: "object" },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      onResponse: () => ({ complete: 1 }),
      onCancel: () => cancelled.arrive(),
    }),
});

const openIds = async (world: World) => {
  const { interactions } = (await world.http("GET", "/api/interactions?status=pending")).body;
  return interactions.map((one: { id: string }) => one.id);
};

verifies(
  "cancel:session-ended",
  "deleting a session closes its prompts before everybody's eyes, then it is gone",
  { tools: [approvalTool, watched] },
  async (world) => {
    cancelled = createDoor();
    const { session, client } = await world.conversation();
    const bystander = await world.person();
    const waiting = await callTool(client, session.id, "t_watched");
    const request = await waiting.request();
    const outside = operate(world, session.id, "t_ask");
    const second = await client.event("interaction_request", 2);
    await client.say(session.id, "never to be read");

    expect((await world.http("DELETE", `/api/sessions/${session.id}`)).status).toBe(200);
    await client.frame("session_deleted");
    await bystander.frame("session_deleted");
    await cancelled.reached;
    expect((await outside).body).toMatchObject({ ok: false, code: "tool_cancelled" });
    const deletedAt = client.frames.findIndex((frame) => frame.type === "session_deleted");
    for (const { payload } of [request, second]) {
      const closedAt = client.frames.findIndex(
        (frame) =>
          frame.type === "chat_event" &&
          frame["event"].type === "interaction_closed" &&
          frame["event"].payload.interactionId === payload.interactionId &&
          frame["event"].payload.reason === "cancelled",
      );
      expect(closedAt).toBeGreaterThan(0);
      expect(closedAt).toBeLessThan(deletedAt);
    }
    expect(client.events().filter((event) => event.type === "turn_start")).toHaveLength(1);
    await expectGone(world, session.id, request.payload.interactionId);
    expect(await client.answer(request, { action: "approve" })).toMatchObject({
      ok: false,
      code: "interaction_not_found",
    });
    const frames = [
      { type: "subscribe" },
      { type: "user_message", text: "hello?" },
      { type: "cancel" },
    ];
    for (const frame of frames) {
      const reply = await client.ask({ ...frame, sessionId: session.id });
      expect(reply).toMatchObject({ type: "error", code: "session_not_found" });
    }
    // It stays gone, and nothing of it wakes up again.
    await world.crash();
    await world.advance(600_000);
    await expectGone(world, session.id, request.payload.interactionId);
    expect((await world.interaction(second.payload.interactionId)).status).toBe("cancelled");
  },
);

async function expectGone(world: World, sessionId: string, interactionId: string): Promise<void> {
  const session = `/api/sessions/${sessionId}`;
  const interaction = `/api/interactions/${interactionId}`;
  const routes: [string, string, unknown?][] = [
    ["GET", session],
    ["PATCH", session, { title: "back?" }],
    ["DELETE", session],
    ["GET", `${session}/events`],
    ["POST", `${session}/messages`, { content: "hello?" }],
    ["POST", `${session}/cancel`],
    ["GET", `/api/interactions?sessionId=${sessionId}`],
    ["GET", interaction],
    ["POST", `${interaction}/respond`, { action: "approve" }],
  ];
  for (const [method, path, body] of routes) {
    const code = path.startsWith(interaction) ? "interaction_not_found" : "session_not_found";
    const reply = await world.http(method, path, body);
    expect({ path, status: reply.status, code: reply.body.code }).toEqual({
      path,
      status: 404,
      code,
    });
  }
  expect(await operate(world, sessionId, "t_ask")).toMatchObject({
    status: 404,
    body: { code: "session_not_found" },
  });
  expect(await openIds(world)).toEqual([]);
  expect((await world.http("GET", "/api/sessions")).body.sessions).toEqual([]);
}

/** Two sessions get these ids; everything else is random. */
function prefixIds(): Ids {
  const first = ["a", "log-1", "a:b", "log-2"];
  return { ...systemIds, next: () => first.shift() ?? systemIds.next() };
}

let ids = prefixIds();
verifies(
  "cancel:own-session-only",
  "ending a session leaves another alone whose id begins with its own",
  { tools: [approvalTool], ids: { ...systemIds, next: () => ids.next() } },
  async (world) => {
    ids = prefixIds();
    const client = await world.person();
    const [short, long] = [await world.session(), await world.session()];
    expect([short.id, long.id]).toEqual(["a", "a:b"]);
    await client.subscribe("a");
    await client.subscribe("a:b");
    const inShort = await (await callTool(client, "a", "t_ask")).request();
    const longTurn = await callTool(client, "a:b", "t_ask");
    const inLong = await longTurn.request();
    expect((await openIds(world)).sort()).toEqual(
      [inShort.payload.interactionId, inLong.payload.interactionId].sort(),
    );
    const listed = await world.http("GET", "/api/interactions?sessionId=a");
    expect(listed.body.interactions).toHaveLength(1);
    await world.http("POST", "/api/sessions/a/cancel");
    expect(await openIds(world)).toEqual([inLong.payload.interactionId]);
    expect((await world.http("DELETE", "/api/sessions/a")).status).toBe(200);
    await client.frame("session_deleted");
    expect(await openIds(world)).toEqual([inLong.payload.interactionId]);
    await client.answer(inLong, { action: "approve" });
    expect((await longTurn.result()).payload).toMatchObject({ ok: true, result: "approve" });
    await longTurn.end();
    const log = await world.log("a:b");
    expect(client.events("a:b")).toEqual(log);
    expect(log.every((event) => event.sessionId === "a:b")).toBe(true);
  },
);
