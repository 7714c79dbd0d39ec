import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import type { AgentRuntime } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { World } from "../scenarios/world.ts";

const PIECE = "x".repeat(60_000);
/** The kernel's buffers on both sides take some megabytes before anything queues up in the server. */
const MANY = 400;

/** Says as much as it is told to, block by block. */
const talker: AgentRuntime = {
  id: "talker",
  name: "Talker",
  description: "Says much.",
  capabilities: { reenter: "replay", steer: false },
  async run(turn) {
    for (let block = 0; block < Number(turn.message.text); block++) await turn.text(PIECE);
    return { status: "completed" };
  },
};

const start = () => World.start({ agents: [talker], latency: false });

/** A WebSocket that has subscribed and then reads no more. */
async function pausedSocket(world: World, sessionId: string): Promise<WebSocket> {
  const socket = new WebSocket(`${world.node.url.replace("http", "ws")}/ws`, {
    headers: { authorization: `Bearer ${world.owner}` },
  });
  const subscribed = new Promise<void>((resolve) => {
    socket.on("message", (data: Buffer) => {
      if (data.toString().startsWith('{"type":"subscribed"')) resolve();
    });
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
  socket.send(JSON.stringify({ type: "subscribe", sessionId, tail: 1 }));
  await subscribed;
  socket.pause();
  return socket;
}

/** An event stream on a bare socket that reads nothing after its head. */
async function pausedStream(world: World, sessionId: string, after: number): Promise<Socket> {
  const { hostname, port, host } = new URL(world.node.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const head = [
    `GET /api/sessions/${sessionId}/events?after=${after} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${world.owner}`,
    "Accept: text/event-stream",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

async function closeCode(socket: WebSocket): Promise<number> {
  const closed = once(socket, "close");
  socket.resume();
  const [code] = (await closed) as [number];
  return code;
}

test("a socket that stops reading is closed with 4008, and who reads beside it misses nothing", async () => {
  await using world = await start();
  const session = await world.session({ agent: "talker" });
  const reading = await world.person();
  await reading.subscribe(session.id);
  const paused = await pausedSocket(world, session.id);
  let received = 0;
  paused.on("message", (data: Buffer) => (received += data.length));

  await reading.say(session.id, String(MANY));
  await reading.event("turn_end");
  expect(reading.events().map(({ seq }) => seq)).toEqual(
    Array.from({ length: MANY + 3 }, (_none, index) => index + 1),
  );
  expect(await closeCode(paused)).toBe(4008);
  // What it could still be given is what the system had taken, and not all that was said.
  expect(received).toBeLessThan((MANY * PIECE.length) / 2);
});

test("an event stream that is not read ends, and who reads beside it misses nothing", async () => {
  await using world = await start();
  const session = await world.session({ agent: "talker" });
  const reading = await world.person();
  await reading.subscribe(session.id);
  const paused = await pausedStream(world, session.id, 0);
  await reading.say(session.id, String(MANY));
  await reading.event("turn_end");
  expect(reading.events()).toHaveLength(MANY + 3);

  let received = "";
  paused.on("data", (data: Buffer) => (received += data.toString()));
  // Its last piece: from here a client resumes by the last id that it has seen.
  await expect.poll(() => received.endsWith("0\r\n\r\n")).toBe(true);
  const seen = [...received.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(seen).toEqual(seen.map((_id, index) => index + 1));
  expect(seen.length).toBeLessThan(MANY);
  paused.destroy();
});

test("a replay waits for its reader, however long, and holds little meanwhile", async () => {
  await using world = await start();
  const session = await world.session({ agent: "talker" });
  const reading = await world.person();
  await reading.subscribe(session.id);
  await reading.say(session.id, String(MANY));
  await reading.event("turn_end");

  const stream = await pausedStream(world, session.id, 0);
  const socket = await pausedSocket(world, session.id);
  socket.send(
    JSON.stringify({ type: "subscribe", sessionId: session.id, afterSeq: 0, ref: "all" }),
  );
  const frames: string[] = [];
  socket.on("message", (data: Buffer) => void frames.push(data.toString()));
  const before = process.memoryUsage().external;
  // Long enough for a replay that does not wait to have read everything.
  for (let turn = 0; turn < 3 * MANY; turn++) await new Promise((resolve) => setImmediate(resolve));
  const held = process.memoryUsage().external - before;
  expect(held).toBeLessThan(8 * LIMITS.queuedBytesPerClient);

  let text = "";
  stream.on("data", (data: Buffer) => (text += data.toString()));
  socket.resume();
  const last = `"seq":${MANY + 3},`;
  await expect.poll(() => text.includes(last)).toBe(true);
  await expect.poll(() => frames.some((one) => one.includes(last))).toBe(true);
  // What was still on its way of the log's tail came before.
  const begun = frames.findIndex((one) => one.startsWith('{"type":"subscribed","ref":"all"'));
  const seqs = frames
    .slice(begun)
    .flatMap((one) => /"event":\{"id":"[^"]+","seq":(\d+)/.exec(one)?.[1] ?? []);
  expect(seqs.map(Number)).toEqual(Array.from({ length: MANY + 3 }, (_none, index) => index + 1));
  stream.destroy();
  socket.terminate();
});

test.each<[string, (socket: WebSocket) => void]>([
  ["protocol pings", (socket) => socket.ping(Buffer.alloc(125))],
  ["binary frames", (socket) => socket.send(Buffer.from("{}"), { binary: true })],
])("who sends %s and reads nothing is cut before the replies pile up", async (_name, flood) => {
  await using world = await start();
  const session = await world.session({ agent: "talker" });
  const socket = await pausedSocket(world, session.id);
  socket.on("error", () => {});
  const { _socket: raw } = socket as unknown as { _socket: Socket };
  // A paused socket does not hear that it was cut; one that writes to it does.
  const cut = new Promise<boolean>((resolve) => {
    raw.on("error", () => resolve(true)).on("close", () => resolve(true));
  });
  let sent = 0;
  const flooded = (async () => {
    while (!raw.destroyed && sent < 2_000_000) {
      for (let some = 0; some < 500; some++, sent++) flood(socket);
      do await new Promise((resolve) => setImmediate(resolve));
      while (socket.bufferedAmount > 1_000_000 && !raw.destroyed);
    }
    return false;
  })();
  expect(await Promise.race([cut, flooded])).toBe(true);
  socket.terminate();
});
