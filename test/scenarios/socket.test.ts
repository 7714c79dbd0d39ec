import { expect, test } from "vitest";
import { Client } from "./client.ts";
import { callTool, startTurn } from "./turns.ts";
import { approvalTool } from "./tools.ts";
import { verifies } from "./verifies.ts";
import { World } from "./world.ts";

const bearer = (world: World) => ({ authorization: `Bearer ${world.owner}` });

test("a socket says hello first, in time, and in our version", async () => {
  await using world = await World.start();
  const silent = await Client.open(world.node.url, bearer(world));
  const other = await Client.open(world.node.url, bearer(world));
  const early = await Client.open(world.node.url, bearer(world));
  early.send({ type: "ping", ref: 7 });
  expect(await early.frame("error")).toMatchObject({ code: "invalid_request", ref: 7 });
  early.send({ type: "hello", protocolVersion: 1, ref: "hi" });
  expect(await early.frame("welcome")).toMatchObject({
    ref: "hi",
    protocolVersion: 1,
    connectionId: expect.any(String),
    serverVersion: "test",
  });
  other.send({ type: "hello", protocolVersion: 2 });
  expect((await other.untilClosed()).code).toBe(4002);
  await world.advance(9_999);
  expect(silent.closed).toBeUndefined();
  await world.advance(1);
  expect((await silent.untilClosed()).code).toBe(4002);
  expect((await early.ask({ type: "ping" })).type).toBe("pong");
});

test.each([
  ["a hello of more than 16 KiB", false, 16 * 1024 + 1],
  ["a frame of more than 256 KiB", true, 256 * 1024 + 1],
])("%s closes the socket with 4009", async (_what, greeted, size) => {
  await using world = await World.start();
  const client = greeted ? await world.person() : await Client.open(world.node.url, bearer(world));
  const type = greeted ? "ping" : "hello";
  const frame = JSON.stringify({ type, protocolVersion: 1, padding: [] as string[] });
  const piece = `"${"x".repeat(997)}",`;
  const fits = padded(frame, piece, size - 1);
  client.send(fits);
  await client.frame(greeted ? "pong" : "welcome");
  const again = greeted ? client : await Client.open(world.node.url, bearer(world));
  again.send(padded(frame, piece, size));
  expect((await again.untilClosed()).code).toBe(4009);
  expect((await world.http("GET", "/api/health")).status).toBe(200);
});

/** The frame with as much in its padding as makes it `size` bytes. */
function padded(frame: string, piece: string, size: number): string {
  const pieces = piece.repeat(Math.floor((size - frame.length - 2) / piece.length));
  const rest = size - frame.length - pieces.length - 2;
  return frame.replace("[]", `[${pieces}"${"y".repeat(rest)}"]`);
}

verifies(
  "replay:same-as-live",
  "a subscription starts where it is told, again where it is told anew, and stops",
  {},
  async (world) => {
    const { session, client } = await world.conversation();
    await (await startTurn(client, session.id, "one")).end();
    const log = await world.log(session.id);
    const last = log.length;
    const reader = await world.person();
    const seqs = () => reader.events().map(({ seq }) => seq);
    expect(await reader.subscribe(session.id, { afterSeq: last - 1 })).toMatchObject({
      lastSeq: last,
      session: { id: session.id },
    });
    await reader.event("turn_end");
    expect(seqs()).toEqual([last]);
    await reader.subscribe(session.id, { tail: 2 });
    await reader.event("turn_end", 2);
    expect(seqs()).toEqual([last, last - 1, last]);
    await reader.subscribe(session.id, { tail: 100 });
    await reader.event("turn_end", 3);
    expect(seqs()).toEqual([last, last - 1, last, ...log.map(({ seq }) => seq)]);

    // A cursor from the future: told so, and the subscription that was there goes on.
    const ahead = { type: "subscribe", sessionId: session.id, afterSeq: last + 1 };
    expect(await reader.ask(ahead)).toMatchObject({
      type: "error",
      code: "resync",
      sessionId: session.id,
    });
    reader.frames.length = 0;
    const second = await startTurn(client, session.id, "two");
    await second.end();
    await reader.event("turn_end");
    expect(seqs()).toEqual([last + 1, last + 2, last + 3, last + 4]);
    expect((await reader.ask({ type: "unsubscribe", sessionId: session.id })).type).toBe("ack");
    reader.frames.length = 0;
    await (await startTurn(client, session.id, "three")).end();
    await world.clock.settle();
    await reader.ask({ type: "ping" });
    expect(reader.events()).toEqual([]);

    const named = await world.person({
      subscriptions: [{ sessionId: session.id, afterSeq: 10 }, { sessionId: "nothing" }],
    });
    expect(await named.frame("error")).toMatchObject({ code: "session_not_found" });
    await named.event("turn_end");
    expect(named.events()).toEqual((await world.log(session.id)).slice(10));
  },
);

test("the inbox is everything that waits in any session, then each change", async () => {
  await using world = await World.start({ tools: [approvalTool] });
  const { session, client } = await world.conversation();
  const first = await (await callTool(client, session.id, "t_ask")).request();
  const watcher = await world.person();
  expect(await watcher.ask({ type: "subscribe", inbox: true })).toMatchObject({
    type: "inbox",
    interactions: [{ id: first.payload.interactionId, status: "pending" }],
  });
  const other = await world.session();
  await client.subscribe(other.id);
  const second = await (await callTool(client, other.id, "t_ask")).request();
  await client.answer(first, { action: "approve" });
  await world.http("DELETE", `/api/sessions/${other.id}`);
  const changed = (id: string, status: string) =>
    watcher.until(
      (frame) =>
        frame.type === "interaction_updated" &&
        frame["interaction"].id === id &&
        frame["interaction"].status === status,
    );
  expect((await changed(second.payload.interactionId, "pending"))["interaction"]).toMatchObject({
    sessionId: other.id,
    waiting: "live",
    request: second.payload,
  });
  const answered = await changed(first.payload.interactionId, "answered");
  expect(answered["interaction"].response).toMatchObject({ action: "approve" });
  await changed(second.payload.interactionId, "cancelled");
  await watcher.ask({ type: "unsubscribe", inbox: true });
  watcher.frames.length = 0;
  const third = await callTool(client, session.id, "t_ask");
  await third.request();
  await world.clock.settle();
  await watcher.ask({ type: "ping" });
  expect(watcher.frames.filter(({ type }) => type === "interaction_updated")).toEqual([]);
});

test("everybody hears how sessions change, whether or not they follow them", async () => {
  await using world = await World.start({ tools: [approvalTool] });
  const { session, client } = await world.conversation();
  const watcher = await world.person();
  const updated = (status: string, pendingCount: number) =>
    watcher.until(
      (frame) =>
        frame.type === "session_updated" &&
        frame["session"].id === session.id &&
        frame["session"].status === status &&
        frame["session"].pendingCount === pendingCount,
    );
  const turn = await callTool(client, session.id, "t_ask");
  const request = await turn.request();
  // Changes of a tenth of a second are told together.
  const pass = () => world.clock.advance(100);
  await pass();
  await updated("waiting", 1);
  await client.answer(request, { action: "approve" });
  await turn.end();
  await pass();
  await updated("idle", 0);
  await pass();
  await world.http("PATCH", `/api/sessions/${session.id}`, { title: "Renamed" });
  await watcher.until((frame) => frame["session"]?.title === "Renamed");
  expect(watcher.events()).toEqual([]);
  const made = await world.session({ title: "Brand new" });
  await watcher.until((frame) => frame["session"]?.id === made.id);
});
