import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { listOf } from "../limits/values.ts";
import { EventStream } from "../scenarios/event-stream.ts";
import { World } from "../scenarios/world.ts";

const start = () => World.start({ latency: false });

/** A session whose log holds that many texts of that length. */
async function fill(world: World, count: number, length: number): Promise<string> {
  const { id } = await world.session();
  const text = "x".repeat(length);
  for (let from = 0; from < count; from += 500) {
    const events = listOf(Math.min(500, count - from), (index) => ({
      id: `${id}-${from + index}`,
      type: "text" as const,
      at: world.clock.now(),
      payload: { text },
    }));
    await world.store.commit({ sessionId: id, writes: [], events });
  }
  return id;
}

/** In which turn of the loop each piece of a log was read, and how many bytes it had. */
function watchReading(world: World) {
  const pieces: { turn: number; bytes: number }[] = [];
  const eventTexts = world.store.eventTexts.bind(world.store);
  let turn = 0;
  let isWatching = true;
  const count = () => {
    turn++;
    if (isWatching) setImmediate(count);
  };
  setImmediate(count);
  world.store.eventTexts = async (query) => {
    const found = await eventTexts(query);
    pieces.push({ turn, bytes: found.reduce((sum, { json }) => sum + json.length, 0) });
    return found;
  };
  return {
    pieces,
    stop() {
      isWatching = false;
    },
  };
}

async function readAll(
  world: World,
  next: (events: ChatEvent[]) => string | undefined,
): Promise<{ sizes: number[]; seqs: number[][] }> {
  const [sizes, seqs]: [number[], number[][]] = [[], []];
  let path = next([]);
  while (path !== undefined) {
    const headers = { authorization: `Bearer ${world.owner}` };
    const text = await (await fetch(`${world.node.url}${path}`, { headers })).text();
    const { events } = JSON.parse(text) as { events: ChatEvent[] };
    sizes.push(text.length);
    seqs.push(events.map(({ seq }) => seq));
    path = next(events);
  }
  return { sizes, seqs };
}

const LARGE = 60_000;
const COUNT = 180;

test("a page of a log ends at some megabytes, and reading on from it leaves nothing out", async () => {
  await using world = await start();
  const id = await fill(world, COUNT, LARGE);
  const path = `/api/sessions/${id}/events?limit=10000`;
  const all = listOf(COUNT, (index) => index + 1);

  const forward = await readAll(world, (events) => {
    const last = events.at(-1)?.seq ?? 0;
    return last === COUNT ? undefined : `${path}&after=${last}`;
  });
  expect(forward.seqs.flat()).toEqual(all);
  const backward = await readAll(world, (events) => {
    const first = events[0]?.seq ?? COUNT + 1;
    return first === 1 ? undefined : `${path}&before=${first}`;
  });
  expect(backward.seqs.toReversed().flat()).toEqual(all);

  for (const size of [...forward.sizes, ...backward.sizes]) {
    expect(size).toBeLessThan(LIMITS.eventsPageBytes + LARGE);
  }
  expect(forward.sizes[0]).toBeGreaterThan(LIMITS.eventsPageBytes - 2 * LARGE);
});

test("a page holds one event, however large it is", async () => {
  await using world = await start();
  const id = await fill(world, 2, LIMITS.eventsPageBytes + 1);
  for (const query of ["after=0", "before=3"]) {
    const { body } = await world.http("GET", `/api/sessions/${id}/events?${query}`);
    expect(body.events).toHaveLength(1);
  }
});

test("a message that is sent again is followed from where it stands in a long log, not from its start", async () => {
  await using world = await start();
  const id = await fill(world, 2_000, 100);
  const message = { content: "hello", messageId: "m1" };
  await (await EventStream.send(world, id, message)).untilEnded();
  const reading = watchReading(world);
  const again = await EventStream.send(world, id, message);
  await again.untilEnded();
  reading.stop();
  expect(again.messages.at(-1)?.name).toBe("done");
  const read = reading.pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(20_000);
});

/** Counts the events that it is sent, and keeps none. */
async function countingReader(world: World, sessionId: string, token: string) {
  const socket = new WebSocket(`${world.node.url.replace("http", "ws")}/ws`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const counted = { events: 0, closed: once(socket, "close"), wake: () => {} };
  socket.on("message", (data: Buffer) => {
    if (data.toString("utf8", 0, 20).includes("chat_event")) counted.events++;
    counted.wake();
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
  socket.send(JSON.stringify({ type: "subscribe", sessionId }));
  return {
    ...counted,
    async until(events: number) {
      while (counted.events < events) {
        await new Promise<void>((resolve) => {
          counted.wake = resolve;
        });
      }
    },
  };
}

test("while twenty clients read a long log, each turn of the loop reads little, and others are served between", async () => {
  await using world = await start();
  const id = await fill(world, 6_000, 100);
  const reading = watchReading(world);
  const open = () => countingReader(world, id, world.owner);
  const readers = await Promise.all(listOf(20, open));
  await readers[0]?.until(1);

  const before = reading.pieces.length;
  expect((await world.http("POST", "/api/sessions", {})).status).toBe(201);
  const meanwhile = reading.pieces.length - before;
  for (const reader of readers) await reader.until(6_000);
  reading.stop();

  const perTurn = new Map<number, number>();
  for (const { turn, bytes } of reading.pieces) {
    perTurn.set(turn, (perTurn.get(turn) ?? 0) + bytes);
  }
  expect(reading.pieces.length).toBeGreaterThan(20 * 20);
  expect(Math.max(...perTurn.values())).toBeLessThan(2 * 128 * 1024);
  // Some turns: to accept, to read, to authenticate, to store, to answer.
  expect(meanwhile).toBeLessThan(100);
});

test("a log is read no further once the credential of its reader has ended", async () => {
  await using world = await start();
  const id = await fill(world, 6_000, 100);
  const holder = { kind: "person", name: "Guest" } as const;
  const guest = await world.credentials.createToken({ holder });
  const reading = watchReading(world);
  const readers = await Promise.all(listOf(20, () => countingReader(world, id, guest.token)));
  await readers[0]?.until(1);
  await world.credentials.revokeToken(guest.id);
  await world.clock.advance(500);
  const after = reading.pieces.length;
  for (const reader of readers) expect((await reader.closed)[0]).toBe(4001);
  reading.stop();
  expect(after).toBeLessThan(20 * 20);
  expect(reading.pieces.length).toBe(after);
});

test("a server that stops reads logs for nobody any more", async () => {
  await using world = await start();
  const id = await fill(world, 6_000, 100);
  const reading = watchReading(world);
  const readers = await Promise.all(listOf(20, () => countingReader(world, id, world.owner)));
  await readers[0]?.until(1);
  const page = world.http("GET", `/api/sessions/${id}/events?limit=10000`).catch(() => {});
  await world.node.stop();
  reading.stop();
  expect(reading.pieces.length).toBeLessThan(20 * 20);
  for (const reader of readers) expect((await reader.closed)[0]).toBe(1001);
  await page;
});
