import { afterEach, expect, test } from "vitest";
import { ServerProcess } from "../../process/server-process.ts";
import { createPlace, type Place } from "./plugin.ts";

let place: Place | undefined;
afterEach(() => place?.remove());

const STRAY: [string, string, string][] = [
  [
    "throws in a timer of its own",
    `() => { setTimeout(() => { throw new Error("stray timer"); }); return 1; }`,
    "stray timer",
  ],
  [
    "leaves a rejected promise behind",
    `() => { void Promise.reject(new Error("stray promise")); return 1; }`,
    "stray promise",
  ],
  [
    "throws nothing at all in a timer",
    `() => { setTimeout(() => { throw undefined; }); return 1; }`,
    "thrown unheard",
  ],
  [
    "has an emitter that nobody listens to",
    `async () => { const { EventEmitter } = await import("node:events");
      setTimeout(() => new EventEmitter().emit("error", new Error("stray event"))); return 1; }`,
    "stray event",
  ],
];

test.each(STRAY)(
  "a plugin that %s is named in the log, and the server goes on",
  async (_name, code, said) => {
    place = createPlace({ stray: code });
    const server = await ServerProcess.start(place.data, "--plugins", place.plugins);
    const client = await server.person();
    const session = (await server.http("POST", "/api/sessions", {})).body;
    await client.subscribe(session.id);
    await client.say(session.id, '/call ask_user {"question":"Still there?"}');
    const request = await client.event("interaction_request");
    const call = await server.http(
      "POST",
      "/api/plugins/bad/operations/stray",
      {},
      {
        "x-session-id": session.id,
      },
    );
    expect(call.body).toEqual({ ok: true, result: 1 });
    await expect.poll(() => server.errors).toContain(said);
    expect(server.errors).toContain("The server goes on.");
    const answer = { action: "submit", input: { answer: "yes" } };
    expect(await client.answer(request, answer)).toMatchObject({ ok: true });
    expect((await server.http("GET", "/api/health")).status).toBe(200);
    expect(await server.end("SIGTERM")).toBe(0);
  },
);

test("an error that nobody hears while nobody reads the log does not end the server", async () => {
  place = createPlace({
    stray: `() => { setTimeout(() => { throw new Error("unread"); }); return 1; }`,
  });
  const server = await ServerProcess.start(place.data, "--plugins", place.plugins);
  const session = (await server.http("POST", "/api/sessions", {})).body;
  server.closeErrors();
  for (let times = 0; times < 3; times++) {
    const headers = { "x-session-id": session.id };
    const call = await server.http("POST", "/api/plugins/bad/operations/stray", {}, headers);
    expect(call.body.ok).toBe(true);
  }
  expect((await server.http("GET", "/api/health")).status).toBe(200);
  expect(await server.end("SIGTERM")).toBe(0);
});
