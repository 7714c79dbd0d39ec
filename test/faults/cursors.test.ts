import { expect, test } from "vitest";
import { EventStream } from "../scenarios/event-stream.ts";
import { World } from "../scenarios/world.ts";

const AHEAD = [1, 1_000_000, Number.MAX_SAFE_INTEGER - 100];
const NONSENSE = ["-1", "NaN", "Infinity", "1.5", "1e3", "0x10", " 1", "99999999999999999", "x"];

async function told(world: World) {
  const { session, client } = await world.conversation();
  await client.say(session.id, "hello");
  const { seq } = await client.event("turn_end");
  return { session, client, lastSeq: seq };
}

test("a cursor from the future gets resync on every entrance, with where the log ends", async () => {
  await using world = await World.start();
  const { session, client, lastSeq } = await told(world);
  const path = `/api/sessions/${session.id}/events`;
  for (const more of AHEAD) {
    const cursor = lastSeq + more;
    const resync = { code: "resync", lastSeq, sessionId: session.id };
    const subscribe = { type: "subscribe", sessionId: session.id, afterSeq: cursor };
    expect(await client.ask(subscribe)).toMatchObject({ type: "error", ...resync });
    const greeting = { subscriptions: [{ sessionId: session.id, afterSeq: cursor }] };
    const greeted = await world.person(greeting);
    expect(await greeted.frame("error")).toMatchObject(resync);
    const sse = { accept: "text/event-stream", "last-event-id": String(cursor) };
    const stream = await world.http("GET", path, undefined, sse);
    expect([stream.status, stream.body]).toMatchObject([409, resync]);
    // A page after the end is an empty page; what it says of the end tells a client where it is.
    const page = await world.http("GET", `${path}?after=${cursor}`);
    expect(page.body).toMatchObject({ events: [], lastSeq });
  }
  // The subscription that was there goes on, and the end of the log is no future.
  await client.say(session.id, "again");
  await client.event("turn_end", 2);
  const seqs = client.events().map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
  await client.subscribe(session.id, { afterSeq: seqs.length });
  const stream = await EventStream.open(world, session.id, { "last-event-id": `${seqs.length}` });
  stream.close();
});

test("a cursor that is no whole number is refused on every entrance, and nothing is begun", async () => {
  await using world = await World.start();
  const { session, client } = await told(world);
  const path = `/api/sessions/${session.id}/events`;
  for (const cursor of NONSENSE) {
    const page = await world.http("GET", `${path}?after=${encodeURIComponent(cursor)}`);
    expect([cursor, page.status, page.body.code]).toEqual([cursor, 400, "invalid_request"]);
    if (cursor.trim() !== cursor) continue;
    const headers = { accept: "text/event-stream", "last-event-id": cursor };
    const stream = await world.http("GET", path, undefined, headers);
    expect([cursor, stream.status, stream.body.code]).toEqual([cursor, 400, "invalid_request"]);
  }
  for (const cursor of ["-1", "1.5", "1e400", "null", '"1"', "[]", "9007199254740993"]) {
    const seen = client.frames.length;
    client.send(`{"type":"subscribe","sessionId":"${session.id}","afterSeq":${cursor}}`);
    const reply = await client.until((frame) => client.frames.indexOf(frame) >= seen);
    expect([cursor, reply]).toMatchObject([cursor, { type: "error", code: "invalid_request" }]);
  }
});
