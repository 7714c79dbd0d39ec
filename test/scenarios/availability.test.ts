import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { EventStream } from "./event-stream.ts";
import { callTool, operate } from "./turns.ts";
import { verifies } from "./verifies.ts";
import type { World } from "./world.ts";

const ask = defineTool<{ wait?: boolean; catch?: boolean }>({
  name: "t_ask",
  description: "Asks for an approval, twice in a row if it is denied",
  durable: "replay",
  parameters: { type: "object" },
  async handler(args, ctx) {
    try {
      return await ctx.requestInteraction({
        type: "approval",
        timeoutMs: null,
        ...(args.wait ? { whenUnavailable: "wait" } : {}),
        onResponse: ({ action }) =>
          action === "deny" ? { reprompt: { type: "approval" } } : { complete: action },
      });
    } catch (error) {
      if (args.catch) return { caught: (error as { code: string }).code };
      throw error;
    }
  },
});

const OFF = { interaction: { supported: true, enabled: false } };
const ON = { interaction: { supported: true, enabled: true } };

/** Nobody is there: the call is refused at once, and no prompt is ever written. */
async function expectNobody(world: World, sessionId: string): Promise<void> {
  // What other nodes know comes from the store, a few turns of the loop later.
  await world.clock.settle();
  const before = (await world.log(sessionId)).length;
  const reply = await operate(world, sessionId, "t_ask");
  expect(reply.body).toMatchObject({ ok: false, code: "interaction_unavailable" });
  const types = (await world.log(sessionId)).slice(before).map((event) => event.type);
  expect(types).toEqual(["tool_call", "tool_result"]);
}

/** Somebody is there: the prompt is written; it is then answered over HTTP. */
async function expectSomebody(world: World, sessionId: string): Promise<void> {
  await world.clock.settle();
  const before = (await world.log(sessionId)).length;
  const called = operate(world, sessionId, "t_ask");
  const stream = await EventStream.open(world, sessionId, {
    authorization: `Bearer ${await world.machine(sessionId)}`,
    "last-event-id": String(before),
  });
  const asked = await stream.until(({ type }) =>
    ["interaction_request", "tool_result"].includes(type),
  );
  stream.close();
  expect(asked.type).toBe("interaction_request");
  const id = asked.type === "interaction_request" ? asked.payload.interactionId : "";
  await world.http("POST", `/api/interactions/${id}/respond`, { action: "approve" });
  expect((await called).body).toEqual({ ok: true, result: "approve" });
}

verifies(
  "availability:nobody",
  "with nobody there a tool learns so at once, and may catch it or choose to wait",
  { tools: [ask] },
  async (world) => {
    const session = await world.session();
    await expectNobody(world, session.id);
    const caught = await operate(world, session.id, "t_ask", { catch: true });
    expect(caught.body).toEqual({ ok: true, result: { caught: "interaction_unavailable" } });

    const waiting = operate(world, session.id, "t_ask", { wait: true });
    const client = await world.person(OFF);
    await client.subscribe(session.id);
    const request = await client.event("interaction_request");
    await world.advance(600_000);
    const answer = `/api/interactions/${request.payload.interactionId}/respond`;
    expect((await world.http("POST", answer, { action: "deny" })).status).toBe(200);
    // Asked once a call: the second prompt comes although there is still nobody.
    const again = await client.event("interaction_request", 2);
    const last = `/api/interactions/${again.payload.interactionId}/respond`;
    expect((await world.http("POST", last, { action: "approve" })).status).toBe(200);
    expect((await waiting).body).toEqual({ ok: true, result: "approve" });
  },
);

verifies(
  "availability:nobody",
  "who has left counts for sixty seconds more, also if the server was killed in between",
  { tools: [ask] },
  async (world) => {
    const session = await world.session();
    const client = await world.person();
    await expectSomebody(world, session.id);
    await client.close();
    await world.advance(59_000);
    await expectSomebody(world, session.id);
    await world.advance(1_000);
    await expectNobody(world, session.id);

    await world.person();
    await world.clock.settle();
    await world.crash();
    // When a node was there last is known to others as of its last heartbeat.
    const doubt = world.nodeCount > 1 ? 5_000 : 0;
    await world.advance(59_000 - doubt);
    await expectSomebody(world, session.id);
    await world.advance(1_000 + doubt);
    await expectNobody(world, session.id);
  },
);

verifies(
  "availability:hello",
  "a client counts if its hello says so; one that is off or says nothing does not, nor a machine",
  { tools: [ask] },
  async (world) => {
    const session = await world.session();
    await world.person(OFF);
    await world.person({});
    await world.person({ interaction: { supported: false, enabled: true } });
    await world.connect(await world.machine(session.id), ON);
    await world.connect(await world.machine(), ON);
    await expectNobody(world, session.id);
    await world.person(ON);
    await expectSomebody(world, session.id);
  },
);

verifies(
  ["availability:toggle", "availability:disabled-client"],
  "a client that is off sees everything and cannot answer; on again, it answers what is pending",
  { tools: [ask] },
  async (world) => {
    const { session, client } = await world.conversation();
    const shy = await world.person(OFF);
    await shy.subscribe(session.id);
    const turn = await callTool(client, session.id, "t_ask");
    const first = await turn.request();
    await shy.event("interaction_request");
    const refused = { type: "interaction_result", ok: false, code: "interaction_disabled" };
    expect(await shy.answer(first, { action: "deny" })).toMatchObject(refused);
    await client.answer(first, { action: "deny" });
    const second = await shy.event("interaction_request", 2);
    expect(await shy.answer(second, { action: "approve" })).toMatchObject(refused);
    expect((await world.http("GET", "/api/interactions")).body.interactions).toHaveLength(1);
    await shy.ask({ type: "set_interaction_mode", enabled: true });
    expect(await shy.answer(second, { action: "approve" })).toMatchObject({ ok: true });
    await shy.event("turn_end");
    expect(shy.events()).toEqual(await world.log(session.id));
  },
);

verifies(
  "availability:toggle",
  "switching the mode off counts at once, without a minute of grace",
  { tools: [ask] },
  async (world) => {
    const session = await world.session();
    const client = await world.person();
    await expectSomebody(world, session.id);
    expect((await client.ask({ type: "set_interaction_mode", enabled: false })).type).toBe("ack");
    await expectNobody(world, session.id);
    await client.close();
    await expectNobody(world, session.id);
  },
);

verifies(
  "availability:toggle",
  "switching the mode off counts at once also for who left before the server was killed",
  { tools: [ask] },
  async (world) => {
    const session = await world.session();
    await (await world.person()).close();
    await world.clock.settle();
    await world.crash();
    await expectSomebody(world, session.id);
    const client = await world.person();
    await client.ask({ type: "set_interaction_mode", enabled: false });
    await expectNobody(world, session.id);
  },
);

verifies(
  "availability:hello",
  "a person who follows the event stream is there; a machine who does is not",
  { tools: [ask] },
  async (world) => {
    const session = await world.session();
    const machine = { authorization: `Bearer ${await world.machine(session.id)}` };
    const script = await EventStream.open(world, session.id, machine);
    await expectNobody(world, session.id);
    const stream = await EventStream.open(world, session.id);
    await expectSomebody(world, session.id);
    stream.close();
    script.close();
  },
);
