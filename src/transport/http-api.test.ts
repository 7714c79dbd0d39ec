import { expect, test } from "vitest";
import { createFakeClock } from "../testing/index.ts";
import { readEventStream } from "./event-stream.ts";
import { createHttpTransport } from "./http.ts";
import { HttpApi } from "./http-api.ts";
import { byFetch, type Fetch } from "./http-exchange.ts";

function start(fetch: Fetch) {
  const clock = createFakeClock();
  const statuses: (number | "none")[] = [];
  const api = new HttpApi({
    baseUrl: "http://server",
    fetch: byFetch(fetch),
    token: "secret",
    clientId: "phone",
    timers: { ...clock, random: () => 0 },
    onAnswer: (status) => statuses.push(status),
  });
  return { api, clock, statuses };
}

test("a request says who sends it, and names what it asks for in a way that nothing escapes", async () => {
  const requests: Request[] = [];
  const { api } = start(async (request) => {
    requests.push(request);
    return Response.json({ events: [], lastSeq: 0, logId: "l" });
  });
  await api.events("a/../b?c", { after: 2 });
  expect(requests[0]?.url).toBe("http://server/api/sessions/a%2F..%2Fb%3Fc/events?after=2");
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer secret");
  expect(requests[0]?.headers.get("x-client-id")).toBe("phone");
});

test("nobody answered: after half a minute, also where a fetch does not stop", async () => {
  const { api, clock, statuses } = start(() => new Promise(() => {}));
  const refused = api.agents().catch((error: unknown) => error);
  await clock.advance(30_000);
  expect(await refused).toMatchObject({ code: "unreachable", status: undefined });
  expect(statuses).toEqual(["none"]);
});

test("nobody answered: a body that never ends counts as that too", async () => {
  const { api, clock } = start(async () => new Response(new ReadableStream()));
  const refused = api.agents().catch((error: unknown) => error);
  await clock.advance(30_000);
  expect(await refused).toMatchObject({ code: "unreachable" });
});

test("nobody answered: a proxy that says so in its own words", async () => {
  const { api } = start(async () => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await expect(api.agents()).rejects.toMatchObject({ code: "unreachable" });
  await expect(api.answer("/api/x", {})).rejects.toMatchObject({ code: "unreachable" });
});

test("a refusal keeps the server's words", async () => {
  const refusal = { code: "session_not_found", error: "There is no such session." };
  const { api } = start(async () => Response.json(refusal, { status: 404 }));
  await expect(api.session("s")).rejects.toMatchObject({
    name: "TransportError",
    code: refusal.code,
    message: refusal.error,
    status: 404,
  });
});

test("an event stream is read however it is cut into pieces", async () => {
  const text = ': still here\n\nid: 1\ndata: {"a":"ä"}\n\ndata:{"b":1}\n\nid: 3\ndata: half';
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size += 3) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) {
          controller.enqueue(bytes.slice(at, at + size));
        }
        controller.close();
      },
    });
    const heard: string[] = [];
    let chunks = 0;
    const on = { chunk: () => chunks++, data: (data: string) => heard.push(data) };
    await readEventStream(body, on, new AbortController().signal);
    expect(heard).toEqual(['{"a":"ä"}', '{"b":1}']);
    expect(chunks).toBe(Math.ceil(bytes.length / size));
  }
});

test("over HTTP the server's time is that of its answers", async () => {
  const clock = createFakeClock();
  const ahead = new Date(Math.floor(clock.now() / 1_000) * 1_000 + 3_600_000);
  const headers = { date: ahead.toUTCString() };
  const transport = createHttpTransport({
    url: "http://server",
    fetch: async () => Response.json({ agents: [] }, { headers }),
    timers: { ...clock, random: () => 0 },
  });
  await transport.agents();
  expect(transport.serverNow?.()).toBe(ahead.getTime());
  await clock.advance(1_000);
  expect(transport.serverNow?.()).toBe(ahead.getTime() + 1_000);
  transport.close();
});
