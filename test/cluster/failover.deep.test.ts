import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { Client } from "../scenarios/client.ts";
import { type BreakableLine, openBreakableLine } from "../support/breakable-line.ts";
import { withClient } from "../support/postgres/database.ts";
import { type PostgresServer, startPostgres } from "../support/postgres/server.ts";

let dataDir: string;
let primary: PostgresServer;
let replica: PostgresServer;
let line: BreakableLine;
let beckon: Beckon | undefined;

const portOf = ({ url }: PostgresServer) => Number(new URL(url).port);
const log = { info() {}, warn() {}, error() {} };

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "beckon-failover-"));
  primary = await startPostgres();
  await primary.stop();
  replica = await startPostgres({ replicaOf: primary });
  await primary.start();
  // No commit is acknowledged before the replica has it, too.
  await withClient(`${primary.url}/postgres`, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await client.query("SELECT pg_reload_conf()");
    const states = () => client.query("SELECT sync_state FROM pg_stat_replication");
    await expect.poll(async () => (await states()).rows).toEqual([{ sync_state: "sync" }]);
  });
  line = await openBreakableLine();
  line.target = portOf(primary);
});
afterEach(async () => {
  await beckon?.close();
  beckon = undefined;
  await line.close();
  await replica.close();
  await primary.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a server does not start on a replica, and says where to start", async () => {
  const opening = createBeckon({ dataDir, store: `${replica.url}/postgres`, log });
  await expect(opening).rejects.toMatchObject({
    code: "read_only",
    message: expect.stringContaining("Give the address of the primary") as string,
  });
});

test("a replica that takes over has every acknowledged answer, and the server goes on by itself", async () => {
  const store = Object.assign(new URL(`${primary.url}/postgres`), { port: String(line.port) });
  beckon = await createBeckon({ dataDir, store: store.href, log });
  const { ownerToken } = beckon;
  const origin = (await beckon.listen({ host: "127.0.0.1", port: 0 })).url;
  const http = (method: string, path: string) =>
    fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${ownerToken}`, "content-type": "application/json" },
      ...(method === "POST" && { body: "{}" }),
    });
  const { id } = (await (await http("POST", "/api/sessions")).json()) as { id: string };
  const client = await Client.connect(origin, ownerToken);
  await client.subscribe(id);
  await client.say(id, '/call ask_user {"question":"Before?"}');
  const before = await client.event("interaction_request");
  await client.answer(before, { action: "submit", input: { answer: "before" } });
  await client.event("turn_end");
  await client.say(id, '/call ask_user {"question":"During?"}');
  const during = await client.event("interaction_request", 2);

  await primary.stop();
  line.cut();
  line.target = portOf(replica);
  // It can be reached and read, and takes nothing yet.
  const refused = await http("POST", "/api/sessions");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: "store_unavailable" });

  await withClient(`${replica.url}/postgres`, (one) => one.query("SELECT pg_promote()"));
  await expect.poll(async () => (await http("POST", "/api/sessions")).status).toBe(201);
  const again = await Client.connect(origin, ownerToken);
  await again.subscribe(id);
  const heard = await again.event("interaction_response");
  expect(heard.payload.interactionId).toBe(before.payload.interactionId);
  await again.answer(during, { action: "submit", input: { answer: "after" } });
  const { payload } = await again.event("tool_result", 2);
  expect(payload).toMatchObject({ ok: true, result: { answer: "after" } });
  await again.close();
  client.terminate();
});
