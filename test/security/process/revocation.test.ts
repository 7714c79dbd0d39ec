import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Client } from "../../scenarios/client.ts";
import { createDoor } from "../../scenarios/turns.ts";
import { listenTo, startFakeServer } from "../../support/fake-server.ts";
import { beckonCommand, ServerProcess } from "../../process/server-process.ts";
import { PLUGIN } from "../house.ts";
import { bearer } from "../wire.ts";

/** A second is promised; ten times that fails a test. */
const LATEST_MS = 10_000;

let directory: string;
let server: ServerProcess;
let session: string;
let interaction: string;
async function startServer(): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), "beckon-revoked-"));
  server = await ServerProcess.start(join(directory, "data"), "--plugins", PLUGIN);
  session = (await server.http("POST", "/api/sessions", {})).body.id;
  const client = await server.person();
  await client.subscribe(session);
  await client.say(session, "/call house_approval {}");
  interaction = (await client.event("interaction_request")).payload.interactionId;
}

async function stopServer(): Promise<void> {
  await server.end("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
}

/** A token from the command line, as an administrator makes and ends one beside the server. */
async function newToken(
  ...args: string[]
): Promise<{ token: string; revoke: () => Promise<void> }> {
  const data = ["--data", join(directory, "data")];
  const made = await beckonCommand("token", "create", ...args, ...data);
  const id = /beckon token revoke (\S+)/.exec(made.stderr)?.[1] ?? "";
  return {
    token: made.stdout.trim().split("\n").at(-1) ?? "",
    revoke: async () => {
      expect((await beckonCommand("token", "revoke", id, ...data)).code).toBe(0);
    },
  };
}

async function quickly<Result>(work: Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work;
  expect(performance.now() - began).toBeLessThan(LATEST_MS);
  return result;
}

describe.each([
  ["a person's", ["--kind", "person"]],
  ["a machine's", ["--kind", "machine"]],
])("%s token that another process revokes", (_whose, args) => {
  beforeEach(startServer);
  afterEach(stopServer);

  test("closes its sockets, streams, long polls and calls, and no others", async () => {
    const bound = args.includes("machine") ? ["--session", session] : [];
    const { token, revoke } = await newToken(...args, ...bound);
    const headers = bearer(token);
    const socket = await Client.connect(server.url, token);
    await socket.subscribe(session);
    const stays = await server.person();
    const events = `${server.url}/api/sessions/${session}/events`;
    const stream = await fetch(events, { headers: { ...headers, accept: "text/event-stream" } });
    const poll = fetch(`${server.url}/api/interactions/${interaction}?wait=60`, { headers });
    const call = fetch(`${server.url}/api/plugins/house/operations/approval`, {
      method: "POST",
      headers: { ...headers, "x-session-id": session },
    });
    await socket.event("interaction_request", 2);

    await revoke();
    expect((await quickly(socket.untilClosed())).code).toBe(4001);
    await quickly(stream.text());
    expect((await quickly(poll)).status).toBe(401);
    expect((await quickly(call)).status).toBe(401);
    expect((await fetch(events, { headers })).status).toBe(401);
    await expect(Client.connect(server.url, token)).rejects.toThrow("401");
    expect((await stays.ask({ type: "ping" })).type).toBe("pong");
    stays.terminate();
  });
});

test("what a revoked client had sent and was not begun yet is not done", async () => {
  const door = createDoor();
  const done: string[] = [];
  const {
    server: fake,
    person,
    credentials,
    clock,
  } = await startFakeServer({
    async sendMessage(_who, _id, { text }) {
      done.push(text);
      door.arrive();
      await door.opened;
      return { messageId: "m", after: 0 };
    },
  });
  const client = listenTo(fake.connect(person.token));
  client.hello();
  for (const text of ["begun", "too late"]) {
    client.send({ type: "user_message", sessionId: "s1", text });
  }
  await door.reached;
  await credentials.revokeToken(person.id);
  await clock.advance(500);
  expect(client.closed.code).toBe(4001);
  door.open();
  await clock.settle();
  expect(done).toEqual(["begun"]);
});
