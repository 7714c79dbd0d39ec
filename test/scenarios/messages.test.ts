import { expect } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { checkLog } from "./always-true.ts";
import { callTool, turnOf } from "./turns.ts";
import { approvalTool } from "./tools.ts";
import { verifies } from "./verifies.ts";

const texts = (log: ChatEvent[]) =>
  log.flatMap((event) => (event.type === "user_message" ? [event.payload.text] : []));
const startedBy = (log: ChatEvent[]) =>
  log.flatMap((event) => (event.type === "turn_start" ? [event.payload.messageId] : []));

verifies(
  [],
  "a message sent again under its id is one message; another text under it is refused",
  {},
  async (world) => {
    const { session, client } = await world.conversation();
    const path = `/api/sessions/${session.id}/messages`;
    const message = { content: "hello", messageId: "m1" };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => world.http("POST", path, message)),
    );
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 202, body: { messageId: "m1" } });
    }
    expect(await client.say(session.id, "hello", { messageId: "m1" })).toMatchObject({
      type: "ack",
      messageId: "m1",
    });
    await client.event("turn_end");
    const log = await world.log(session.id);
    expect(texts(log)).toEqual(["hello"]);
    expect(await client.say(session.id, "other", { messageId: "m1" })).toMatchObject({
      type: "error",
      code: "message_id_reused",
    });
    expect(await world.http("POST", path, { ...message, content: "other" })).toMatchObject({
      status: 409,
      body: { code: "message_id_reused" },
    });
    expect(await world.log(session.id)).toEqual(log);
    // In another session the same id is another message's.
    const other = await world.session();
    const elsewhere = await world.http("POST", `/api/sessions/${other.id}/messages`, message);
    expect(elsewhere.status).toBe(202);
  },
);

verifies(
  [],
  "messages queue behind a waiting turn, each starts its own in order, and none answers its prompt",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    for (const text of ["one", "two", "approve"]) {
      const ack = await client.say(session.id, text, { messageId: text });
      expect(ack).toMatchObject({ type: "ack", messageId: text });
    }
    let log = await world.log(session.id);
    expect(texts(log).slice(1)).toEqual(["one", "two", "approve"]);
    expect(startedBy(log)).toHaveLength(1);
    expect((await world.interaction(request.payload.interactionId)).status).toBe("open");
    await client.answer(request, { action: "approve" });
    await (await turnOf(client, "approve")).end();
    log = await world.log(session.id);
    expect(startedBy(log).slice(1)).toEqual(["one", "two", "approve"]);
    const bounds = log.filter(({ type }) => type === "turn_start" || type === "turn_end");
    expect(bounds.map(({ type }) => type)).toEqual(
      Array.from({ length: 4 }, () => ["turn_start", "turn_end"]).flat(),
    );
    checkLog(log);
  },
);

verifies(
  [],
  "twenty messages may wait, the next is refused, and after a crash they start in order",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
    for (const id of ids) {
      expect((await client.say(session.id, id, { messageId: id })).type).toBe("ack");
    }
    const full = await world.log(session.id);
    expect(await client.say(session.id, "m20", { messageId: "m20" })).toMatchObject({
      type: "error",
      code: "too_many",
    });
    const path = `/api/sessions/${session.id}/messages`;
    expect(await world.http("POST", path, { content: "m20" })).toMatchObject({
      status: 429,
      body: { code: "too_many" },
    });
    // One that was accepted is acknowledged again although the queue is full.
    expect((await client.say(session.id, "m3", { messageId: "m3" })).type).toBe("ack");
    expect(await world.log(session.id)).toEqual(full);

    await world.crash();
    const after = await world.person();
    await after.subscribe(session.id);
    await after.answer(request, { action: "approve" });
    await (await turnOf(after, "m19")).end();
    const log = await world.log(session.id);
    expect(startedBy(log)).toEqual([turn.messageId, ...ids]);
    expect(log.filter(({ type }) => type === "turn_end")).toHaveLength(21);
    checkLog(log);
  },
);

verifies(
  "cancel:handler-ends",
  "an interrupting message cancels the running turn; those that waited before it come first",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    await client.say(session.id, "first", { messageId: "first" });
    await client.say(session.id, "stop that", { messageId: "stop", delivery: "interrupt" });
    expect((await turn.end()).payload.status).toBe("cancelled");
    expect((await world.interaction(request.payload.interactionId)).status).toBe("cancelled");
    await (await turnOf(client, "stop")).end();
    const log = await world.log(session.id);
    expect(startedBy(log)).toEqual([turn.messageId, "first", "stop"]);
    checkLog(log);
  },
);

verifies(
  [],
  "a message that steers an agent which cannot be steered waits like any other",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    await client.say(session.id, "a hint", { messageId: "hint", delivery: "steer" });
    expect(startedBy(await world.log(session.id))).toEqual([turn.messageId]);
    await client.answer(request, { action: "approve" });
    expect((await turn.end()).payload.status).toBe("completed");
    expect((await (await turnOf(client, "hint")).end()).payload.status).toBe("completed");
  },
);

verifies(
  "replay:seq-order",
  "of two senders at once the log says who was first, and turns come in that order",
  {},
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.person();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? client : other).say(session.id, `n${index}`, { messageId: `n${index}` }),
      ),
    );
    for (let index = 0; index < 10; index++) await (await turnOf(client, `n${index}`)).end();
    const log = await world.log(session.id);
    expect(startedBy(log)).toEqual(texts(log));
    expect(client.events()).toEqual(log);
    checkLog(log);
  },
);
