import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { callTool, operate, startTurn } from "./turns.ts";
import { verifies } from "./verifies.ts";

const ask = defineTool({
  name: "t_ask",
  description: "Asks until somebody approves",
  durable: "replay",
  parameters: { type: "object" },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      onResponse: ({ action }) =>
        action === "deny"
          ? { reprompt: { type: "approval", error: "Really?" } }
          : { complete: action },
    }),
});

verifies(
  "replay:same-as-live",
  "who comes later gets what who was there all along got",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await startTurn(client, session.id, "/parallel t_ask {} | t_ask {}");
    const first = await client.event("interaction_request", 1);
    const second = await client.event("interaction_request", 2);
    await client.answer(second, { action: "deny" });
    const again = await turn.request(2);
    const halfway = await world.person();
    await halfway.subscribe(session.id);
    await halfway.event("interaction_request", 3);
    await client.answer(first, { action: "approve" });
    await client.answer(again, { action: "approve" });
    await turn.end();
    const late = await world.person();
    await late.subscribe(session.id);
    await late.event("turn_end");
    await halfway.event("turn_end");
    expect(late.events()).toEqual(client.events());
    expect(halfway.events()).toEqual(client.events());
    expect(await world.log(session.id)).toEqual(client.events());
    await world.crash();
    expect(await world.log(session.id)).toEqual(late.events());
    checkLog(late.events());
  },
);

verifies(
  "replay:seq-order",
  "the order is seq, without gap or repeat, also when the clock is set back",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    world.clock.jump(-3_600_000);
    await client.answer(request, { action: "approve" });
    await turn.end();
    world.clock.jump(7_200_000);
    await (await startTurn(client, session.id, "hello")).end();
    const log = await world.log(session.id);
    checkLog(log);
    expect(client.events()).toEqual(log);
    const times = log.map(({ timestamp }) => timestamp);
    expect(times).not.toEqual(times.toSorted());
    for (const time of times) expect(new Date(time).toISOString()).toBe(time);
    expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
  },
);

verifies(
  "replay:restart",
  "after a restart every open prompt of every session is listed, shown and answerable",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.session();
    await client.subscribe(other.id);
    const turn = await callTool(client, session.id, "t_ask");
    await client.answer(await turn.request(), { action: "deny" });
    const reprompt = await turn.request(2);
    await world.advance(1);
    const inOther = await (await callTool(client, other.id, "t_ask")).request();
    await world.advance(1);
    const outside = operate(world, other.id, "t_ask", {}, { "x-tool-call-id": "mine" });
    const alone = await client.event("interaction_request", (one) => one.toolCallId === "mine");
    await world.crash();
    // The server that is going away says so; the same call is taken up again after that.
    expect((await outside).status).toBe(503);
    await world.crash();

    const listed = (await world.http("GET", "/api/interactions?status=pending")).body;
    const prompts = [reprompt, inOther, alone];
    expect(listed.interactions).toMatchObject(
      prompts.map(({ payload, sessionId }) => ({
        id: payload.interactionId,
        sessionId,
        status: "pending",
        waiting: "live",
        request: payload,
      })),
    );
    const after = await world.person();
    await after.subscribe(session.id);
    await after.subscribe(other.id);
    const resumed = operate(world, other.id, "t_ask", {}, { "x-tool-call-id": "mine" });
    for (const prompt of prompts) {
      expect((await after.answer(prompt, { action: "approve" })).ok).toBe(true);
    }
    expect((await resumed).body).toEqual({ ok: true, result: "approve" });
    for (const { payload } of prompts) {
      const result = await after.event(
        "tool_result",
        (one) => one.toolCallId === payload.toolCallId,
      );
      expect(result.payload).toMatchObject({ ok: true, result: "approve" });
    }
    await after.event("turn_end", 2);
    checkLog(await world.log(session.id));
    checkLog(await world.log(other.id));
  },
);

verifies(
  "replay:restart",
  "a deadline that passed while the server was down ends the prompt when it is back",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    await (await callTool(client, session.id, "t_ask")).request();
    world.clock.jump(600_000);
    await world.crash();
    const after = await world.person();
    await after.subscribe(session.id);
    expect((await after.event("interaction_closed")).payload.reason).toBe("timed_out");
    expect((await after.event("tool_result")).payload).toMatchObject({
      ok: false,
      error: { code: "interaction_timeout" },
    });
    expect((await after.event("turn_end")).payload.status).toBe("completed");
  },
);
