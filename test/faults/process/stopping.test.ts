import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkLog } from "../../scenarios/always-true.ts";
import { ServerProcess } from "../../process/server-process.ts";
import { byDepth } from "../../support/depth.ts";
import { holdDatabase } from "../broken-disk.ts";
import { createPlace, type Place } from "./plugin.ts";

/** Ten seconds are promised for a server that is asked to stop. A busy machine may be slower. */
const GONE_MS = byDepth({ quick: 30_000, usual: 30_000, deep: 10_000 });

let place: Place;
afterEach(() => place.remove());

async function start(): Promise<ServerProcess> {
  return ServerProcess.start(place.data, "--plugins", place.plugins);
}

/** Ends it and gives its exit code, if it was in time. */
async function stop(server: ServerProcess, signal: NodeJS.Signals): Promise<number | null> {
  const began = performance.now();
  const code = await server.end(signal);
  expect(performance.now() - began).toBeLessThan(GONE_MS);
  return code;
}

async function ask(server: ServerProcess, text: string) {
  const client = await server.person();
  const session = (await server.http("POST", "/api/sessions", {})).body as { id: string };
  await client.subscribe(session.id);
  await client.say(session.id, text);
  return { client, session, request: await client.event("interaction_request") };
}

const HANGING = {
  // A ref'd timer as well: what a plugin leaves behind must not keep the process.
  hang: `(args, ctx) => ctx.requestInteraction({ type: "approval",
    onResponse: () => { setInterval(() => {}, 1000); return new Promise(() => {}); } })`,
  work: `() => new Promise(() => { setInterval(() => {}, 1000); })`,
};

/** A server that waits for what hangs takes its time: by the other signal in the deep run only. */
const SIGNALS = byDepth({
  quick: ["SIGTERM"],
  usual: ["SIGTERM"],
  deep: ["SIGTERM", "SIGINT"],
} as const);

describe.each(SIGNALS)("%s", (signal) => {
  test("ends a server with prompts open and every kind of client attached, and the prompts stay", async () => {
    place = createPlace(HANGING);
    const server = await start();
    const { client, session, request } = await ask(server, '/call ask_user {"question":"Which?"}');
    const headers = { authorization: `Bearer ${server.token}` };
    const path = `${server.url}/api/sessions/${session.id}/events`;
    const stream = await fetch(path, { headers: { ...headers, accept: "text/event-stream" } });
    const { interactionId } = request.payload;
    const held = fetch(`${server.url}/api/interactions/${interactionId}?wait=60`, { headers });
    const { port } = new URL(server.url);
    const idle = connect(Number(port), "127.0.0.1");
    const half = connect(Number(port), "127.0.0.1");
    idle.on("error", () => {});
    half.on("error", () => {});
    await Promise.all([once(idle, "connect"), once(half, "connect")]);
    // What was sent before this was answered has arrived before it.
    await server.http("GET", "/api/sessions");
    half.end("POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{");

    expect(await stop(server, signal)).toBe(0);
    expect((await client.untilClosed()).code).toBe(1001);
    expect(await stream.text()).toContain("interaction_request");
    expect(((await (await held).json()) as { status: string }).status).toBe("pending");

    const second = await start();
    const again = await second.person();
    await again.subscribe(session.id);
    const open = await again.event("interaction_request");
    const answer = { action: "submit", input: { answer: "this" } };
    expect(await again.answer(open, answer)).toMatchObject({ ok: true });
    expect((await again.event("turn_end")).payload.status).toBe("completed");
    checkLog((await second.http("GET", `/api/sessions/${session.id}/events`)).body.events);
    expect(await second.end("SIGTERM")).toBe(0);
  });

  test("ends a server whose hooks and handlers hang", async () => {
    place = createPlace(HANGING);
    const server = await start();
    const { client, session, request } = await ask(server, "/call bad_hang {}");
    expect(await client.answer(request, { action: "approve" })).toMatchObject({ ok: true });
    const other = (await server.http("POST", "/api/sessions", {})).body;
    await client.subscribe(other.id);
    await client.say(other.id, "/call bad_work {}");
    await client.event("tool_call", ({ toolName }) => toolName === "bad_work");
    expect(await stop(server, signal)).toBe(0);

    // The answer was taken: the next server hears it again, and a cancel still ends the call.
    const second = await start();
    const again = await second.person();
    await again.subscribe(session.id);
    expect(await again.ask({ type: "cancel", sessionId: session.id })).toMatchObject({
      stopped: true,
    });
    expect((await again.event("turn_end")).payload.status).toBe("cancelled");
    checkLog((await second.http("GET", `/api/sessions/${session.id}/events`)).body.events);
    expect(await stop(second, signal)).toBe(0);
  });
});

test("a supervisor that asks twice changes nothing: it drains and ends with 0", async () => {
  place = createPlace(HANGING);
  const server = await start();
  const { client, request } = await ask(server, "/call bad_hang {}");
  await client.answer(request, { action: "approve" });
  const ending = stop(server, "SIGTERM");
  await client.untilClosed();
  server.signal("SIGTERM");
  expect(await ending).toBe(0);
});

test("a person who asks twice does not wait", async () => {
  place = createPlace(HANGING);
  const server = await start();
  const { client, request } = await ask(server, "/call bad_hang {}");
  await client.answer(request, { action: "approve" });
  const ending = stop(server, "SIGINT");
  const again = setInterval(() => server.signal("SIGINT"), 700);
  expect(await ending).toBe(130);
  clearInterval(again);
});

test("a second server on the same data says who has it and ends, and the first goes on", async () => {
  place = createPlace(HANGING);
  const server = await start();
  await expect(start()).rejects.toThrow(`in use by process ${server.pid} at ${server.url}`);
  expect((await server.http("GET", "/api/health")).status).toBe(200);
  expect(await server.end("SIGTERM")).toBe(0);
});

test("a start while another process holds the database says so, and is fine afterwards", async () => {
  place = createPlace(HANGING);
  expect(await (await start()).end("SIGTERM")).toBe(0);
  const holder = await holdDatabase(join(place.data, "beckon.db"), "BEGIN IMMEDIATE");
  await expect(start()).rejects.toThrow("Another process is writing to");
  const gone = once(holder, "exit");
  holder.stdin?.end();
  await gone;
  expect(await (await start()).end("SIGTERM")).toBe(0);
});

test("clients that vanish in the middle of what they send or read leave the server well", async () => {
  place = createPlace(HANGING);
  const server = await start();
  const { client, session, request } = await ask(server, '/call ask_user {"question":"Which?"}');
  const { port, host } = new URL(server.url);
  const head = (method: string, path: string, more: string[] = []) =>
    [
      `${method} ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${server.token}`,
      ...more,
      "",
      "",
    ].join("\r\n");
  const half = `{"action":"submit",`;
  const json = ["Content-Type: application/json", "Content-Length: 500"];
  const respond = `/api/interactions/${request.payload.interactionId}/respond`;
  const vanishing = [
    head("POST", respond, json) + half,
    head("GET", `/api/interactions/${request.payload.interactionId}?wait=60`),
    head("GET", `/api/sessions/${session.id}/events`, ["Accept: text/event-stream"]),
    head("GET", "/ws", [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]),
    "GET / HT",
  ];
  for (const sent of vanishing) {
    for (const vanish of ["destroy", "end", "resetAndDestroy"] as const) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      await new Promise((resolve) => socket.write(sent, resolve));
      socket[vanish]();
    }
  }
  expect((await server.http("GET", "/api/health")).status).toBe(200);
  const answer = { action: "submit", input: { answer: "this" } };
  expect(await client.answer(request, answer)).toMatchObject({ ok: true });
  await client.event("turn_end");
  expect(await stop(server, "SIGTERM")).toBe(0);
});
