import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { checkLog, pendingIn } from "./always-true.ts";
import { EventStream } from "./event-stream.ts";
import { callTool, createDoor, startTurn } from "./turns.ts";
import { verifies } from "./verifies.ts";

const FORM = { type: "form" as const, fields: [{ id: "a", type: "text" as const, label: "A" }] };

const ask = defineTool<{ type?: "approval" | "input"; again?: boolean }>({
  name: "t_ask",
  description: "Asks, twice if told so",
  durable: "replay",
  parameters: { type: "object" },
  handler: ({ type = "approval", again }, ctx) =>
    ctx.requestInteraction({
      type,
      timeoutMs: 60_000,
      ...(type === "input" ? { inputSchema: FORM } : {}),
      onResponse: ({ action }, { attempt }) =>
        again && attempt === 1 ? { reprompt: { type } } : { complete: action },
    }),
});

const questions = [
  { header: "Size", question: "Which size?", options: [{ label: "S" }, { label: "L" }] },
];

verifies(
  "pending-state:before-request",
  "each request, of any kind and any attempt, follows right after its pending event",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    const uses = [
      't_ask {"again":true}',
      't_ask {"type":"input"}',
      `ask_questions ${JSON.stringify({ questions })}`,
    ];
    await startTurn(client, session.id, `/parallel ${uses.join(" | ")}`);
    await client.event("interaction_request", 3);
    const approval = await client.event(
      "interaction_request",
      (one) => one.approvalScopes !== undefined,
    );
    await client.answer(approval, { action: "approve" });
    await client.event("interaction_request", 4);
    const log = await world.log(session.id);
    const requests = log.filter((event) => event.type === "interaction_request");
    expect(requests.map(({ payload }) => payload.attempt).sort((a, b) => a - b)).toEqual([
      1, 1, 1, 2,
    ]);
    for (const { seq, payload } of requests) {
      expect(log[seq - 2]).toMatchObject({
        type: "interaction_pending",
        payload: { interactionId: payload.interactionId, pending: true },
      });
    }
  },
);

const after = (log: ChatEvent[], type: string) =>
  log[log.findIndex((event) => event.type === type) + 1];

for (const [how, type, end] of [
  ["approve", "approval", "interaction_response"],
  ["deny", "approval", "interaction_response"],
  ["submit", "input", "interaction_response"],
  ["cancel", "input", "interaction_response"],
  ["timeout", "approval", "interaction_closed"],
  ["cancelled turn", "input", "interaction_closed"],
] as const) {
  verifies(
    ["pending-state:false-at-end", "pending-state:names-prompt"],
    `when a prompt ends, nobody is waited for any more, and it says whose prompt: ${how}`,
    { tools: [ask] },
    async (world) => {
      const { session, client } = await world.conversation();
      const turn = await callTool(client, session.id, "t_ask", { type });
      const request = await turn.request();
      if (how === "timeout") await world.advance(60_000);
      else if (how === "cancelled turn") {
        await client.ask({ type: "cancel", sessionId: session.id });
      } else expect((await client.answer(request, { action: how })).ok).toBe(true);
      await turn.end();
      const log = await world.log(session.id);
      const { toolCallId, interactionId } = request.payload;
      const naming = { toolCallId, interactionId, toolName: "t_ask" };
      expect(after(log, end)).toMatchObject({
        type: "interaction_pending",
        payload: { ...naming, pending: false },
      });
      const states = log.filter((event) => event.type === "interaction_pending");
      expect(states).toMatchObject([
        { payload: { ...naming, pending: true } },
        { payload: { ...naming, pending: false } },
      ]);
      checkLog(log);
    },
  );
}

verifies(
  ["pending-state:names-prompt", "pending-state:replay"],
  "of several prompts at once each is told apart, live and from the stored events alone",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    await startTurn(client, session.id, "/parallel t_ask {} | t_ask {} | t_ask {}");
    await client.event("interaction_request", 3);
    const requests = client.events().filter((event) => event.type === "interaction_request");
    const open = requests.map(({ payload }) => payload.interactionId).sort();
    expect(pendingIn(client.events())).toEqual(open);
    const [first] = requests;
    if (!first) throw new Error("no request");
    await client.answer(first, { action: "approve" });
    await client.event("tool_result");
    const left = open.filter((id) => id !== first.payload.interactionId);
    expect(pendingIn(client.events())).toEqual(left);
    expect(pendingIn(await world.log(session.id))).toEqual(left);
    await world.crash();
    expect(pendingIn(await world.log(session.id))).toEqual(left);
    const { interactions } = (await world.http("GET", "/api/interactions?status=pending")).body;
    expect(interactions.map((one: { id: string }) => one.id).sort()).toEqual(left);
  },
);

let door = createDoor();
const busy = defineTool({
  name: "t_busy",
  description: "Works until a test lets it go on, then asks",
  durable: "replay",
  parameters: { type: "object" },
  async handler(_args, ctx) {
    door.arrive();
    await door.opened;
    return ctx.requestInteraction({ type: "approval", onResponse: () => ({ complete: 1 }) });
  },
});

verifies(
  "pending-state:session-status",
  "a session waits while any of its prompts is pending, and else runs or is idle",
  { tools: [ask, busy] },
  async (world) => {
    door = createDoor();
    const { session, client } = await world.conversation();
    const status = async () => {
      const { body } = await world.http("GET", `/api/sessions/${session.id}`);
      return [body.status, body.pendingCount];
    };
    expect(await status()).toEqual(["idle", 0]);
    const turn = await callTool(client, session.id, "t_busy");
    await door.reached;
    expect(await status()).toEqual(["running", 0]);
    door.open();
    const request = await turn.request();
    expect(await status()).toEqual(["waiting", 1]);
    await client.answer(request, { action: "approve" });
    await turn.end();
    expect(await status()).toEqual(["idle", 0]);
    const two = await startTurn(client, session.id, "/parallel t_ask {} | t_ask {}");
    await client.event("interaction_request", 3);
    expect(await status()).toEqual(["waiting", 2]);
    await client.answer(await two.request(), { action: "approve" });
    await two.result();
    expect(await status()).toEqual(["waiting", 1]);
    await client.ask({ type: "cancel", sessionId: session.id });
    expect(await status()).toEqual(["idle", 0]);
  },
);

verifies(
  "pending-state:every-transport",
  "the signal is the same event over the socket, the event stream and the events route",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    const stream = await EventStream.open(world, session.id);
    const turn = await callTool(client, session.id, "t_ask", { again: true });
    await client.answer(await turn.request(), { action: "approve" });
    await client.answer(await turn.request(2), { action: "approve" });
    await turn.end();
    await stream.until(({ type }) => type === "turn_end");
    const states = (events: ChatEvent[]) =>
      events.filter(({ type }) => type === "interaction_pending");
    const log = await world.log(session.id);
    expect(states(log).map(({ payload }) => payload)).toMatchObject([
      { pending: true },
      { pending: false },
      { pending: true },
      { pending: false },
    ]);
    expect(states(stream.events)).toEqual(states(log));
    expect(states(client.events())).toEqual(states(log));
    stream.close();
  },
);
