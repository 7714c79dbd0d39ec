import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { callTool, operate } from "./turns.ts";
import { verifies } from "./verifies.ts";

const look = defineTool({
  name: "t_look",
  description: "Tells who is there",
  durable: "replay",
  parameters: { type: "object" },
  handler: (_args, { interaction }) => interaction,
});

const OFF = { interaction: { supported: true, enabled: false } };

verifies(
  "availability:context",
  "a tool sees who is there before it asks",
  { tools: [look] },
  async (world) => {
    const session = await world.session();
    expect((await operate(world, session.id, "t_look")).body.result).toEqual({
      available: false,
      enabledCount: 0,
      supportedCount: 0,
    });
    if (world.nodeCount > 1) return;
    const client = await world.person();
    await world.person(OFF);
    await world.person({});
    const counts = async () => (await operate(world, session.id, "t_look")).body.result;
    expect(await counts()).toEqual({ available: true, enabledCount: 1, supportedCount: 2 });
    await world.person();
    expect(await counts()).toEqual({ available: true, enabledCount: 2, supportedCount: 3 });
    await client.ask({ type: "set_interaction_mode", enabled: false });
    expect(await counts()).toEqual({ available: true, enabledCount: 1, supportedCount: 3 });
  },
);

const ask = defineTool({
  name: "t_ask",
  description: "Asks until somebody approves",
  durable: "replay",
  parameters: { type: "object" },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      timeoutMs: null,
      onResponse: ({ action }) =>
        action === "deny" ? { reprompt: { type: "approval" } } : { complete: action },
    }),
});

verifies(
  "availability:decided-once",
  "who left in the middle of a call is asked again all the same, also after a restart",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    const first = await (await callTool(client, session.id, "t_ask")).request();
    await client.close();
    await world.advance(120_000);
    const nobody = await operate(world, session.id, "t_ask");
    expect(nobody.body).toMatchObject({ code: "interaction_unavailable" });
    const respond = (id: string, action: string) =>
      world.http("POST", `/api/interactions/${id}/respond`, { action });
    expect((await respond(first.payload.interactionId, "deny")).status).toBe(200);
    const watcher = await world.person(OFF);
    await watcher.subscribe(session.id);
    const second = await watcher.event("interaction_request", 2);
    expect(second.payload).toMatchObject({ attempt: 2, toolCallId: first.payload.toolCallId });
    await world.crash();
    expect((await respond(second.payload.interactionId, "deny")).status).toBe(200);
    const after = await world.person(OFF);
    await after.subscribe(session.id);
    const third = await after.event("interaction_request", 3);
    expect((await respond(third.payload.interactionId, "approve")).status).toBe(200);
    const { toolCallId } = first.payload;
    const result = await after.event("tool_result", (one) => one.toolCallId === toolCallId);
    expect(result.payload).toMatchObject({ ok: true, result: "approve" });
  },
);
