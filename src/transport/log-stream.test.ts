import { expect, test } from "vitest";
import { listenToLog } from "../../test/support/scripted-server.ts";
import { createFakeClock } from "../testing/index.ts";
import { createHttpTransport } from "./http.ts";

/** A server of one session, whose streams a test writes. */
function start(log: { lastSeq: number; logId: string }) {
  const clock = createFakeClock();
  const streams: {
    after: string | null;
    controller: ReadableStreamDefaultController<Uint8Array>;
  }[] = [];
  const transport = createHttpTransport({
    url: "http://server",
    timers: { ...clock, random: () => 0 },
    async fetch(request) {
      if (!request.url.endsWith("/events")) return Response.json({ id: "s1", ...log });
      const after = request.headers.get("last-event-id");
      return new Response(
        new ReadableStream({ start: (controller) => void streams.push({ after, controller }) }),
      );
    },
  });
  const { heard, listener } = listenToLog();
  const write = async (...seqs: number[]) => {
    const text = seqs.map((seq) => `id: ${seq}\ndata: {"seq":${seq},"type":"text"}\n\n`).join("");
    streams.at(-1)?.controller.enqueue(new TextEncoder().encode(text));
    await clock.settle();
  };
  return { clock, transport, streams, heard, listener, write };
}

test("a stream that breaks off is resumed from the last event, and a repeat is dropped", async () => {
  const { clock, transport, streams, heard, listener, write } = start({ lastSeq: 9, logId: "a" });
  transport.subscribe("s1", { after: 1 }, listener);
  await clock.settle();
  await write(2, 3);
  streams[0]?.controller.error(new TypeError("terminated"));
  await clock.advance(250);
  await write(3, 4);
  streams[1]?.controller.close();
  await clock.advance(500);
  await write(5);
  expect(streams.map(({ after }) => after)).toEqual(["1", "3", "4"]);
  expect(heard).toEqual(["started a from 1", 2, 3, 4, 5]);
  transport.close();
});

test("who listens hears that it has begun when its stream is open: from then on it counts as there", async () => {
  const clock = createFakeClock();
  let open: (stream: Response) => void = () => {};
  const transport = createHttpTransport({
    url: "http://server",
    timers: { ...clock, random: () => 0 },
    fetch: async (request) =>
      request.url.endsWith("/events")
        ? new Promise((resolve) => (open = resolve))
        : Response.json({ id: "s1", lastSeq: 0, logId: "a" }),
  });
  const { heard, listener } = listenToLog();
  transport.subscribe("s1", {}, listener);
  await clock.settle();
  expect(heard).toEqual([]);
  open(new Response(new ReadableStream()));
  await clock.settle();
  expect(heard).toEqual(["started a from 0"]);
  transport.close();
});

test("a hole is never passed on, and another log is begun anew", async () => {
  const log = { lastSeq: 4, logId: "a" };
  const { clock, transport, streams, heard, listener, write } = start(log);
  transport.subscribe("s1", {}, listener);
  await clock.settle();
  await write(1, 3);
  await clock.advance(250);
  await write(2, 3, 4);
  Object.assign(log, { lastSeq: 1, logId: "b" });
  streams[1]?.controller.close();
  await clock.advance(500);
  await write(1);
  expect(streams.map(({ after }) => after)).toEqual(["0", "1", "0"]);
  expect(heard).toEqual(["started a from 0", 1, 2, 3, 4, "started b from 0", 1]);
  transport.close();
});

test("a stream in which nobody says a word is given up", async () => {
  const { clock, transport, streams, listener } = start({ lastSeq: 0, logId: "a" });
  const stop = transport.subscribe("s1", {}, listener);
  await clock.settle();
  await clock.advance(49_999);
  streams[0]?.controller.enqueue(new TextEncoder().encode(": still here\n\n"));
  await clock.advance(49_999);
  expect(streams).toHaveLength(1);
  await clock.advance(1 + 250);
  expect(streams).toHaveLength(2);
  stop();
  await clock.advance(60_000);
  expect(streams).toHaveLength(2);
  transport.close();
});
