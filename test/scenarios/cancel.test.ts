import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { callTool, createDoor, operate, startTurn, turnOf } from "./turns.ts";
import { verifies } from "./verifies.ts";

const calls: string[] = [];
const OBJECT = { type: "object" };

/** Stays in the process that runs it: what its hooks do there can be seen. */
const watched = defineTool({
  name: "t_watched",
  description: "Asks and notes which hooks run",
  parameters: OBJECT,
  handler: (_args, ctx) =>
    ctx
      .requestInteraction({
        type: "approval",
        onResponse: () => ({ complete: calls.push("onResponse") }),
        onTimeout: () => ({ complete: calls.push("onTimeout") }),
        onCancel: () => void calls.push(`onCancel ${ctx.signal.aborted}`),
      })
      .catch((error: { code: string }) => calls.push(`rejected ${error.code}`)),
});

const ask = defineTool<{ timeoutMs?: number; late?: boolean }>({
  name: "t_ask",
  description: "Asks for an approval",
  durable: "replay",
  parameters: OBJECT,
  handler: ({ timeoutMs, late }, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onResponse: ({ action }) => ({ complete: action }),
      ...(late ? { onTimeout: () => ({ pending: { message: "later" } }) } : {}),
    }),
});

let door = createDoor();
const busy = defineTool({
  name: "t_busy",
  description: "Works until a test lets it return",
  parameters: OBJECT,
  async handler(_args, ctx) {
    const aborted = new Promise<void>((resolve) => {
      ctx.signal.addEventListener("abort", () => resolve());
    });
    door.arrive();
    await door.opened;
    // With two nodes the news of the cancel may reach this one a heartbeat later.
    await aborted;
    calls.push(`busy ${ctx.signal.aborted}`);
    await ctx.requestInteraction({ type: "approval", onResponse: () => ({ complete: 1 }) });
    return "too late";
  },
});

verifies(
  ["cancel:on-cancel", "cancel:rejects"],
  "cancelling a turn tells the waiting handler once and makes its wait reject; no other hook runs",
  { tools: [watched] },
  async (world) => {
    calls.length = 0;
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_watched");
    const request = await turn.request();
    const reply = await client.ask({ type: "cancel", sessionId: session.id, turnId: turn.turnId });
    expect(reply).toMatchObject({ type: "ack" });
    expect((await turn.end()).payload.status).toBe("cancelled");
    expect(await client.answer(request, { action: "approve" })).toMatchObject({
      ok: false,
      code: "interaction_closed",
      reason: "cancelled",
    });
    await world.advance(600_000);
    await expect.poll(() => calls).toEqual(["onCancel true", "rejected tool_cancelled"]);
  },
);

verifies(
  "cancel:handler-ends",
  "a cancelled turn ends whole and at once, and what its handlers do later is dropped",
  { tools: [ask, busy] },
  async (world) => {
    calls.length = 0;
    door = createDoor();
    const { session, client } = await world.conversation();
    const turn = await startTurn(client, session.id, "/parallel t_ask {} | t_busy {}");
    const request = await turn.request();
    await door.reached;
    const before = (await world.log(session.id)).length;
    expect((await world.http("POST", `/api/sessions/${session.id}/cancel`)).body).toEqual({
      ok: true,
      stopped: true,
    });
    const log = await world.log(session.id);
    const end = log.slice(before);
    expect(end.map((event) => event.type).sort()).toEqual([
      "interaction_closed",
      "interaction_pending",
      "tool_result",
      "tool_result",
      "turn_end",
    ]);
    const asked = end
      .filter((event) => "toolCallId" in event.payload)
      .filter((event) => event.payload["toolCallId"] === request.payload.toolCallId);
    expect(asked.map((event) => event.type)).toEqual([
      "interaction_closed",
      "interaction_pending",
      "tool_result",
    ]);
    expect(asked[0]?.payload).toMatchObject({ reason: "cancelled" });
    expect(asked[1]?.payload).toMatchObject({ pending: false });
    for (const result of end.filter((event) => event.type === "tool_result")) {
      expect(result.payload).toMatchObject({ ok: false, error: { code: "tool_cancelled" } });
    }
    expect(end[4]).toMatchObject({
      type: "turn_end",
      turnId: turn.turnId,
      payload: { status: "cancelled" },
    });
    await turn.end();
    door.open();
    // A whole turn later, nothing of the cancelled one has come.
    await (await startTurn(client, session.id, "hello")).end();
    expect((await world.log(session.id)).slice(log.length).map((event) => event.type)).toEqual([
      "user_message",
      "turn_start",
      "text",
      "turn_end",
    ]);
    await expect.poll(() => calls).toEqual(["busy true"]);
    checkLog(await world.log(session.id));
  },
);

verifies(
  "cancel:handler-ends",
  "cancelling one turn leaves queued messages, late prompts and calls outside it alone",
  { tools: [ask, watched] },
  async (world) => {
    const { session, client: before } = await world.conversation();
    await (await callTool(before, session.id, "t_watched")).request();
    await world.crash();
    const client = await world.person();
    await client.subscribe(session.id);
    const orphaned = await client.event("interaction_pending", (state) => state.orphaned === true);
    await world.advance(1);

    const late = await callTool(client, session.id, "t_ask", { late: true, timeoutMs: 1_000 });
    await late.request();
    await world.advance(1_000);
    const queued = await client.event("interaction_pending", (state) => state.queued === true);
    await late.end();

    const outside = operate(world, session.id, "t_ask", { timeoutMs: 90_000 });
    const live = await client.event("interaction_request", ({ timeoutMs }) => timeoutMs === 90_000);

    const turn = await callTool(client, session.id, "t_ask");
    await turn.request();
    const { messageId } = await client.say(session.id, "and then?");
    await client.ask({ type: "cancel", sessionId: session.id });
    expect((await turn.end()).payload.status).toBe("cancelled");
    expect((await (await turnOf(client, messageId)).end()).payload.status).toBe("completed");

    const { interactions } = (await world.http("GET", "/api/interactions?status=pending")).body;
    expect(
      interactions.map((one: { id: string; waiting: string }) => [one.id, one.waiting]),
    ).toEqual([
      [orphaned.payload.interactionId, "orphaned"],
      [queued.payload.interactionId, "queued"],
      [live.payload.interactionId, "live"],
    ]);
    await client.answer(live, { action: "approve" });
    expect((await outside).body).toEqual({ ok: true, result: "approve" });
    checkLog(await world.log(session.id));
  },
);
