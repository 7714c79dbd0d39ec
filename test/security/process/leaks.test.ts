import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { beckonCommand, ServerProcess } from "../../process/server-process.ts";
import { Client } from "../../scenarios/client.ts";
import { EVERY } from "../entrances.ts";
import { PLUGIN } from "../house.ts";
import { bearer, type SentHeaders, Wire } from "../wire.ts";

let directory: string;
let data: string;
const servers: ServerProcess[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "beckon-leaks-"));
  data = join(directory, "data");
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.end("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<ServerProcess> {
  const server = await ServerProcess.startWith({ BECKON_LOG: "trace" }, data, "--plugins", PLUGIN);
  servers.push(server);
  return server;
}

async function kill(server: ServerProcess): Promise<void> {
  servers.splice(servers.indexOf(server), 1);
  await server.end("SIGKILL");
}

/** The files of the data directory that hold any of these words, also in what is not checkpointed. */
function filesWith(words: string[]): string[] {
  return readdirSync(data).filter((name) => {
    const bytes = readFileSync(join(data, name));
    return words.some((word) => bytes.includes(word));
  });
}

test("tokens, cookies and codes are in no log, no answer and no file but the owner's", async () => {
  const server = await start();
  const wire = new Wire(Number(new URL(server.url).port));
  const args = ["--data", data];
  const made = await beckonCommand("token", "create", "--kind", "machine", ...args);
  const machine = made.stdout.trim().split("\n").at(-1) ?? "";
  const opened = await beckonCommand("open", ...args);
  const code = new URL(opened.stdout.trim()).hash.slice("#code=".length);
  const json = { "content-type": "application/json", origin: server.url };
  const exchange = JSON.stringify({ code });
  const signedIn = await wire.send("POST /api/auth/exchange", json, exchange);
  const cookie = /beckon-\d+=([^;]+)/.exec(signedIn.headers["set-cookie"]?.[0] ?? "")?.[1] ?? "";
  const secrets = [server.token, machine, code, cookie].map((text) => text.replace(/^bk_/, ""));
  expect(secrets.map(({ length }) => length)).toEqual([43, 43, 43, 43]);

  let answers = "";
  for (const token of [server.token, machine, code, cookie]) {
    const ways: SentHeaders[] = [
      bearer(token),
      { authorization: `Basic ${token}` },
      { cookie: `beckon-${new URL(server.url).port}=${token}`, origin: server.url },
      { host: token },
      { origin: `http://${token}` },
    ];
    for (const headers of ways) {
      for (const [request, { body }] of EVERY) {
        // Where a name of the house would stand, the token does: in paths, queries and bodies.
        const line = `${request}${request.includes("?") ? "&" : "?"}token=${token}`;
        const content = body && JSON.stringify({ ...body, token, code: token });
        const type = content === undefined ? {} : json;
        const reply = await wire.send(
          line.replace(/\$\w+/, token),
          { ...type, ...headers },
          content,
        );
        answers += JSON.stringify([reply.text, reply.headers]);
      }
      await wire.upgrade(headers, `/ws?token=${token}`);
    }
  }
  const client = await Client.connect(server.url, server.token);
  client.send({ type: "hello", token: server.token });
  client.send({ type: server.token });
  await client.ask({ type: "ping" });
  client.terminate();

  expect(server.output).not.toBe("");
  const printed = server.output.split("\n").slice(1).join("\n");
  for (const secret of [...secrets, server.code]) expect(printed).not.toContain(secret);
  const list = await beckonCommand("token", "list", "--json", ...args);
  for (const secret of secrets) expect(list.stdout + list.stderr).not.toContain(secret);
  expect(filesWith(secrets)).toEqual(["token"]);
  for (const secret of secrets) expect(answers).not.toContain(secret);
});

const SECRET = "hunter2-correct-horse";
const REFUSED = "hunter3-correct-horse";

/** Asks for the secret in a fresh session, with somebody else looking on. */
async function askForSecret(server: ServerProcess, input: object) {
  const client = await server.person();
  const onlooker = await server.person();
  const session = (await server.http("POST", "/api/sessions", {})).body.id as string;
  for (const one of [client, onlooker]) {
    await one.subscribe(session);
    await one.ask({ type: "subscribe", inbox: true });
  }
  await client.say(session, `/call house_login ${JSON.stringify(input)}`);
  const request = await client.event("interaction_request");
  return { client, onlooker, session, request };
}

const signIn = (password: string, user = "ann") => ({
  action: "submit",
  responseId: "mine",
  input: { user, password },
});

test.each(["HTTP", "the socket"])(
  "a secret that is given by %s is nowhere after its hook had it",
  async (by) => {
    const server = await start();
    const { client, onlooker, session, request } = await askForSecret(server, {});
    const path = `/api/interactions/${request.payload.interactionId}`;
    const answer = async (body: Record<string, unknown>) =>
      by === "HTTP"
        ? (await server.http("POST", `${path}/respond`, body)).body
        : client.answer(request, body);
    const replies = [
      // Refused for another field, for the wrong place, and for a wrong type.
      await answer(signIn(REFUSED, "x".repeat(21))),
      await answer({ ...signIn(REFUSED), input: { user: "ann", passwort: REFUSED } }),
      await answer({ ...signIn(REFUSED), input: { user: "ann", password: [REFUSED] } }),
      await answer({ ...signIn(REFUSED), action: "cancel" }),
    ];
    expect(replies.map((reply) => reply["code"])).toEqual(replies.map(() => "invalid_response"));
    replies.push(await answer(signIn(SECRET)), await answer(signIn(SECRET)));
    // Somebody who comes too late, with a secret of their own.
    replies.push(await answer({ ...signIn(REFUSED), responseId: "other" }));
    const result = await onlooker.event("tool_result");
    expect(result.payload.result).toEqual({ length: SECRET.length });
    await onlooker.event("turn_end");
    const seen = JSON.stringify([
      replies,
      client.frames,
      onlooker.frames,
      (await server.http("GET", path)).body,
      (await server.http("GET", `/api/sessions/${session}/events`)).body,
      (await server.http("GET", "/api/interactions")).body,
      server.output,
    ]);
    for (const secret of [SECRET, REFUSED]) expect(seen).not.toContain(secret);
    expect(filesWith([session])).not.toEqual([]);
    expect(filesWith([SECRET, REFUSED])).toEqual([]);
    expect(await server.end("SIGTERM")).toBe(0);
    servers.length = 0;
    expect(filesWith([SECRET, REFUSED])).toEqual([]);
  },
);

test("a secret is nowhere after the server was killed while its hook had it", async () => {
  const first = await start();
  const { client, session, request } = await askForSecret(first, { hang: true });
  expect(await client.answer(request, signIn(SECRET))).toMatchObject({ ok: true });
  await kill(first);
  expect(filesWith([SECRET])).toEqual([]);

  const second = await start();
  const again = await second.person();
  await again.subscribe(session);
  const asked = await again.event("interaction_request", 2);
  expect(asked.payload).toMatchObject({
    attempt: 2,
    inputSchema: { initialValues: { user: "ann" } },
  });
  expect(JSON.stringify(again.frames) + first.output + second.output).not.toContain(SECRET);
  expect(filesWith([SECRET])).toEqual([]);
});
