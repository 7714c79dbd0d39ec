import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as Database } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase } from "../support/postgres/database.ts";
import { type Running, runCommand, startCommand } from "../support/run-command.ts";
import { ServerProcess } from "../process/server-process.ts";
import { Client } from "../scenarios/client.ts";
import { blocksOf, readPage } from "../support/markdown.ts";

let root: string;
let url: string;
let running: Running[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "beckon-serve-"));
  url = await createDatabase();
  running = [];
});
afterEach(async () => {
  for (const one of running) one.stop();
  await Promise.all(running.map(({ done }) => done));
  rmSync(root, { recursive: true, force: true });
});

const envOf = (name: string, more: Record<string, string> = {}) => ({
  BECKON_DATA: join(root, name),
  BECKON_LOG: "silent",
  ...more,
});

async function serve(name: string, env: Record<string, string> = {}) {
  const all = ["serve", "--port", "0", "--json", "--node", name];
  const server = startCommand(all, { env: envOf(name, { BECKON_STORE: url, ...env }) });
  running.push(server);
  const listening = JSON.parse(await server.firstLine) as { url: string };
  const token = (await readFile(join(root, name, "token"), "utf8")).trim();
  return { origin: new URL(listening.url).origin, token, ...server };
}

async function get(origin: string, path: string, token: string) {
  const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: await response.json() };
}

async function makeSession(origin: string, token: string, body = {}): Promise<{ id: string }> {
  const response = await fetch(`${origin}/api/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { id: string };
}

test("a session that is made at one server is asked about and answered at the other", async () => {
  const one = await serve("one");
  const two = await serve("two");
  const asker = await Client.connect(one.origin, one.token);
  // The token of either is good at both.
  const answerer = await Client.connect(two.origin, one.token);
  const { id } = await makeSession(one.origin, two.token);
  await answerer.subscribe(id);
  await asker.say(id, '/call ask_user {"question":"Which way?"}');
  const request = await answerer.event("interaction_request");
  expect(
    await answerer.answer(request, { action: "submit", input: { answer: "left" } }),
  ).toMatchObject({ ok: true });
  const result = await answerer.event("tool_result");
  expect(result.payload).toMatchObject({ ok: true, result: { answer: "left" } });
  await asker.close();
  await answerer.close();
});

test("commands work on the store beside its servers, without a server of their own", async () => {
  const { origin } = await serve("one");
  const env = envOf("elsewhere", { BECKON_STORE: url });
  const made = await runCommand(["token", "create", "--kind", "person", "--name", "Ann"], { env });
  expect(made).toMatchObject({ exitCode: 0 });
  const [token = ""] = made.out;
  expect((await get(origin, "/api/sessions", token)).status).toBe(200);
  const listed = await runCommand(["token", "list"], { env });
  expect(listed.out.join("\n")).toContain("Ann");
  const opened = await runCommand(["open", "--store", url], { env: envOf("one") });
  expect(opened.out[0]).toMatch(new RegExp(`^${origin}/#code=`));
  const verified = await runCommand(["audit", "verify"], { env });
  expect(verified).toMatchObject({ exitCode: 0, out: ["0 sessions, 0 events, whole"] });
  expect(await runCommand(["audit", "list"], { env })).toMatchObject({ exitCode: 0, out: [] });
});

test("heads that were printed find that a log was cut, as docs/guide/audit.md shows it", async () => {
  const { origin, token } = await serve("one");
  const client = await Client.connect(origin, token);
  const { id } = await makeSession(origin, token);
  await client.subscribe(id);
  await client.say(id, "hello");
  await client.event("turn_end");
  await client.close();
  const shown =
    blocksOf(readPage("docs/guide/audit.md"), "sh").find((one) => one.includes("audit heads")) ??
    "";
  const [, heads = "", against = ""] = /^beckon (.*) > heads.*\nbeckon (.*heads)/.exec(shown) ?? [];
  const env = { BECKON_STORE: url };
  const printed = await runCommand(heads.split(" "), { env });
  const file = join(root, "heads");
  await writeFile(file, printed.out.map((line) => `${line}\n`).join(""));
  const verify = against.replace(/heads$/, file).split(" ");
  expect(await runCommand(verify, { env })).toMatchObject({ exitCode: 0 });
  const database = new Database({ connectionString: url });
  await database.connect();
  await database.query("DELETE FROM beckon.events WHERE seq > 2");
  const rewrite = `UPDATE beckon.sessions SET last_seq = 2,
    last_hash = (SELECT hash FROM beckon.events WHERE seq = 2)`;
  await database.query(rewrite);
  await database.end();
  expect((await runCommand(["audit", "verify"], { env })).exitCode).toBe(0);
  const cut = await runCommand(verify, { env });
  expect(cut.exitCode).toBe(1);
  expect(cut.out[0]).toContain("last_rows_missing");
});

test("a command that is not told of the store says which one the server has", async () => {
  await serve("one");
  const listed = await runCommand(["token", "list"], { env: envOf("one") });
  expect(listed.exitCode).toBe(2);
  expect(listed.err).toMatch(/keeps everything in the PostgreSQL 127\.0\.0\.1:\d+\/t\d+\. Name it/);
});

test("who starts on a PostgreSQL is told that the directory's own database is left out", async () => {
  const create = ["token", "create", "--kind", "machine"];
  await runCommand(create, { env: envOf("one") });
  const server = await serve("one");
  await server.said("beckon move");
});

test.each([
  [
    "a wrong password",
    (good: string) => good.replace(/\/\/[^@]*@/, "//stranger:wrong-one@"),
    /password/,
  ],
  ["no such database", (good: string) => `${good}_not`, /no such database/],
  ["nobody there", (good: string) => good.replace(/:\d+\//, ":1/"), /does not answer/],
  ["no address at all", () => "mysql://who:hidden-word@there/x", /write it as postgres:\/\//],
])("a server does not start with %s, and says why", async (_what, spoil, why) => {
  const env = envOf("one");
  const { exitCode, err } = await runCommand(["serve", "--port", "0", "--store", spoil(url)], {
    env,
  });
  expect(exitCode).toBe(1);
  expect(err).toMatch(why);
  expect(err).not.toMatch(/wrong-one|hidden-word|secret of the tests/);
});

test("settings that a PostgreSQL does not have are refused before it is asked", async () => {
  await mkdir(join(root, "one"));
  await writeFile(join(root, "one", "settings.json"), '{"store":{"poolSize":1}}');
  const ended = await runCommand(["serve", "--store", url], { env: envOf("one") });
  expect(ended.exitCode).toBe(2);
  expect(ended.err).toContain("store.poolSize");
});

test("the password of a store is in no list of processes, no log and no file", async () => {
  const data = join(root, "one");
  const password = new URL(url).password;
  const server = await ServerProcess.startWith({ BECKON_LOG: "trace" }, data, "--store", url);
  try {
    expect((await server.http("GET", "/api/health")).status).toBe(200);
    const commandLine = readFileSync(`/proc/${server.pid}/cmdline`, "utf8");
    expect(commandLine).toContain("serve");
    expect(commandLine).not.toContain(password);
    expect(server.output).not.toContain(password);
    expect(readFileSync(join(data, "server.json"), "utf8")).not.toContain(password);
  } finally {
    await server.end("SIGTERM");
  }
});

test("a command of an agent finds nothing of the store in its environment", async () => {
  const { origin, token } = await serve("one");
  const client = await Client.connect(origin, token);
  const { id } = await makeSession(origin, token);
  await client.subscribe(id);
  await client.say(id, '/call bash {"command":"env"}');
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  const { payload } = await client.event("tool_result");
  expect(payload).toMatchObject({ ok: true });
  expect(JSON.stringify(payload)).toContain("BECKON_SESSION_ID");
  expect(JSON.stringify(payload)).not.toMatch(/BECKON_STORE|postgres:/);
  await client.close();
});

test("the process of an agent finds no password of the store in its environment", async () => {
  const seen = join(root, "seen");
  const command = join(root, "claude");
  await writeFile(command, `#!/bin/sh\nexport -p > ${seen}\nexit 1\n`);
  await chmod(command, 0o755);
  await mkdir(join(root, "one"));
  const settings = { agents: { "claude-cli": { command } } };
  await writeFile(join(root, "one", "settings.json"), JSON.stringify(settings));
  const { username, password, host, pathname } = new URL(url);
  const { origin, token } = await serve("one", {
    PGPASSWORD: decodeURIComponent(password),
    PGPASSFILE: join(root, "passwords"),
    BECKON_STORE: `postgres://${username}@${host}${pathname}`,
  });
  const client = await Client.connect(origin, token);
  const { id } = await makeSession(origin, token, { agent: "claude-cli" });
  await client.subscribe(id);
  await client.say(id, "Hello.");
  await client.event("turn_end");
  const environment = await readFile(seen, "utf8");
  expect(environment).toContain("BECKON_SESSION_ID=");
  expect(environment).not.toMatch(/BECKON_STORE|PGPASSWORD|PGPASSFILE/);
  await client.close();
});
