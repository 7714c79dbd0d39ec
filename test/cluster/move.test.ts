import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as Database } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { demoAgent } from "../../src/agents/index.ts";
import { BIN } from "../process/server-process.ts";
import { Client } from "../scenarios/client.ts";
import { createDatabase } from "../support/postgres/database.ts";
import { runCommand } from "../support/run-command.ts";

let root: string;
let url: string;
let beckon: Beckon | undefined;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "beckon-move-"));
  url = await createDatabase();
});
afterEach(async () => {
  await stop();
  rmSync(root, { recursive: true, force: true });
});

const silent = { info() {}, warn() {}, error() {} };
const at = (name: string) => join(root, name);
const move = (from: string, to: string) => runCommand(["move", "--from", from, "--to", to]);

async function stop(): Promise<void> {
  await beckon?.close();
  beckon = undefined;
}

async function start(options: { dataDir: string; store?: string }): Promise<Client> {
  beckon = await createBeckon({ ...options, agents: [demoAgent], log: silent });
  return connect();
}

function connect(): Promise<Client> {
  const channel = beckon!.connect(beckon!.ownerToken);
  return Client.over(channel, { interaction: { supported: true, enabled: true } });
}

async function http(method: string, path: string, body?: unknown): Promise<any> {
  const response = await beckon!.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        authorization: `Bearer ${beckon!.ownerToken}`,
        host: "localhost",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return response.json();
}

/** A session with a prompt that was answered and one that is open, in words with strange letters. */
async function fill(dataDir: string): Promise<string> {
  const client = await start({ dataDir });
  const { id } = await http("POST", "/api/sessions", {
    title: "Ünter \u{1F600} 'quoted', {braced}",
  });
  await client.subscribe(id);
  await client.say(id, '/call bash {"command":"true"}');
  await client.answer(await client.event("interaction_request"), {
    action: "approve",
    approvalScope: "session",
  });
  await client.event("turn_end");
  await client.say(id, '/call ask_user {"question":"Still there?"}');
  await client.event("interaction_request", 2);
  await client.close();
  await stop();
  return id;
}

const logOf = async (id: string) =>
  (await http("GET", `/api/sessions/${id}/events?limit=1000`)).events;

test("what moves to PostgreSQL and back is the same, to the last hash, and goes on there", async () => {
  const id = await fill(at("old"));
  const moved = await move(at("old"), url);
  expect(moved, moved.err).toMatchObject({ exitCode: 0 });
  expect(moved.out[0]).toMatch(/^Moved \d+ rows: 1 sessions, \d+ events, audit whole\.$/);

  const client = await start({ dataDir: at("node"), store: url });
  const before = await logOf(id);
  await client.subscribe(id);
  const open = await client.event("interaction_request", 2);
  await client.answer(open, { action: "submit", input: { answer: "yes" } });
  await client.event("turn_end", 2);
  const after = await logOf(id);
  expect(after.slice(0, before.length)).toEqual(before);
  await client.close();
  await stop();

  expect(await move(url, at("new"))).toMatchObject({ exitCode: 0 });
  await start({ dataDir: at("new") });
  expect(await logOf(id)).toEqual(after);
  await stop();
  const verified = await runCommand(["audit", "verify", "--data", at("new")]);
  expect(verified.out.join("\n")).toMatch(/ whole$/);
  const listed = ["audit", "list", "--json"];
  const here = await runCommand([...listed, "--data", at("new")]);
  const there = await runCommand([...listed, "--store", url]);
  expect(here.out).toHaveLength(2);
  expect(there.out).toEqual(here.out);
});

test("nothing moves from or to where a server runs, or into other data", async () => {
  await fill(at("old"));
  await start({ dataDir: at("old") });
  expect((await move(at("old"), url)).err).toContain("is in use by process");
  await stop();
  await start({ dataDir: at("node"), store: url });
  expect((await move(at("old"), url)).err).toMatch(/in use by .*Stop every server/);
  await stop();
  expect((await move(at("old"), url)).err).toContain("has other data in it");
  await fill(at("other"));
  expect((await move(at("old"), at("other"))).err).toContain("has other data in it");
  expect((await move(at("nowhere"), at("new"))).err).toContain("There is no data of Beckon");
  expect(existsSync(at("nowhere"))).toBe(false);
});

test("a move that was killed is made again, and one that was made says so", async () => {
  await fill(at("old"));
  for (const to of [await createDatabase(), at("new")]) {
    const child = spawn(process.execPath, [BIN, "move", "--from", at("old"), "--to", to]);
    const ended = once(child, "exit");
    await once(child.stderr, "data");
    child.kill("SIGKILL");
    await ended;
    const again = await move(at("old"), to);
    expect(again, again.err).toMatchObject({ exitCode: 0 });
    const third = await move(at("old"), to);
    expect(third.out[0], third.err).toContain("It was there already: 1 sessions");
  }
  expect(readdirSync(at("new")).filter((name) => name.includes("moving"))).toEqual([]);
});

test("a row that was changed in the database is found by the audit of a PostgreSQL", async () => {
  const id = await fill(at("old"));
  await move(at("old"), url);
  const client = new Database({ connectionString: url });
  await client.connect();
  await client.query("UPDATE beckon.events SET payload = '{}' WHERE session_id = $1 AND seq = 3", [
    id,
  ]);
  await client.end();
  const verified = await runCommand(["audit", "verify", "--store", url]);
  expect(verified).toMatchObject({ exitCode: 1 });
  expect(verified.out[0]).toMatch(/^row_changed {2}session \S+ {2}seq 3/);
  expect((await move(url, at("new"))).err).toContain("Nothing was kept");
  expect(existsSync(join(at("new"), "beckon.db"))).toBe(false);
});
