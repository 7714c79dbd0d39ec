import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { Client } from "../scenarios/client.ts";
import { type PostgresServer, startPostgres } from "../support/postgres/server.ts";

let dataDir: string;
let postgres: PostgresServer;
let beckon: Beckon;
let origin: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "beckon-lost-"));
  postgres = await startPostgres();
  const log = { info() {}, warn() {}, error() {} };
  beckon = await createBeckon({ dataDir, store: `${postgres.url}/postgres`, log });
  origin = (await beckon.listen({ host: "127.0.0.1", port: 0 })).url;
});
afterEach(async () => {
  await beckon.close();
  await postgres.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const http = (method: string, path: string) =>
  fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${beckon.ownerToken}`,
      "content-type": "application/json",
    },
    ...(method === "POST" && { body: "{}" }),
  });

test("without its database a server says so, and is back by itself when that is", async () => {
  const { id } = (await (await http("POST", "/api/sessions")).json()) as { id: string };
  const client = await Client.connect(origin, beckon.ownerToken);
  await client.subscribe(id);
  await client.say(id, '/call ask_user {"question":"Still there?"}');
  const request = await client.event("interaction_request");

  await postgres.stop();
  const refused = await http("POST", "/api/sessions");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({ code: "store_unavailable" });
  // It costs nothing, and so tells what was learned last: at the latest from the next heartbeat.
  await expect.poll(async () => (await http("GET", "/api/health")).status).toBe(503);
  expect((await http("GET", "/api/health")).headers.get("retry-after")).toBe("1");

  await postgres.start();
  await expect.poll(async () => (await http("GET", "/api/health")).status).toBe(200);
  const again = await Client.connect(origin, beckon.ownerToken);
  await again.subscribe(id);
  await again.answer(request, { action: "submit", input: { answer: "yes" } });
  expect((await again.event("tool_result")).payload).toMatchObject({ ok: true });
  await again.close();
  client.terminate();
});
