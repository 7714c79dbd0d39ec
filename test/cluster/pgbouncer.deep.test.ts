import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Client } from "../scenarios/client.ts";
import { MAY_LACK } from "../support/depth.ts";
import { createDatabase } from "../support/postgres/database.ts";
import { HAS_PGBOUNCER, type PgBouncer, startPgBouncer } from "../support/postgres/pgbouncer.ts";
import { type Running, runCommand, startCommand } from "../support/run-command.ts";

/** Fewer than the connections of one server, so that they change hands all the time. */
const CONNECTIONS = 3;
const SESSIONS = 20;

let root: string;
let store: string;
let pgbouncer: PgBouncer;
let running: Running[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "beckon-behind-pgbouncer-"));
  const url = await createDatabase();
  pgbouncer = await startPgBouncer(url, CONNECTIONS);
  store = pgbouncer.through(url);
  running = [];
});
afterEach(async () => {
  for (const one of running) one.stop();
  await Promise.all(running.map(({ done }) => done));
  await pgbouncer.close();
  rmSync(root, { recursive: true, force: true });
});

async function serve(name: string) {
  const data = join(root, name);
  mkdirSync(data);
  writeFileSync(join(data, "settings.json"), JSON.stringify({ store: { hints: "poll" } }));
  const env = { BECKON_DATA: data, BECKON_LOG: "silent", BECKON_STORE: store };
  const server = startCommand(["serve", "--port", "0", "--json", "--node", name], { env });
  running.push(server);
  const { url } = JSON.parse(await server.firstLine) as { url: string };
  return { origin: new URL(url).origin, token: readFileSync(join(data, "token"), "utf8").trim() };
}

test.skipIf(!HAS_PGBOUNCER && MAY_LACK)(
  "two servers behind a PgBouncer in transaction mode answer each other's questions, and the log is whole",
  async () => {
    const one = await serve("one");
    const two = await serve("two");
    const asker = await Client.connect(one.origin, one.token);
    const answerer = await Client.connect(two.origin, two.token);
    const asked = Array.from({ length: SESSIONS }, async (_, index) => {
      const response = await fetch(`${one.origin}/api/sessions`, {
        method: "POST",
        headers: { authorization: `Bearer ${one.token}`, "content-type": "application/json" },
        body: "{}",
      });
      const { id } = (await response.json()) as { id: string };
      await answerer.subscribe(id);
      await asker.say(id, `/call ask_user {"question":"Question ${index}?"}`);
      const isHere = (_: unknown, event: { sessionId: string }) => event.sessionId === id;
      const request = await answerer.event("interaction_request", isHere);
      const answer = { action: "submit", input: { answer: `Answer ${index}` } };
      expect(await answerer.answer(request, answer)).toMatchObject({ ok: true });
      const { payload } = await answerer.event("tool_result", isHere);
      expect(payload).toMatchObject({ ok: true, result: { answer: `Answer ${index}` } });
      await answerer.event("turn_end", isHere);
    });
    await Promise.all(asked);
    await asker.close();
    await answerer.close();
    const env = { BECKON_DATA: join(root, "elsewhere"), BECKON_STORE: store };
    const verified = await runCommand(["audit", "verify"], { env });
    expect(verified.out[0]).toMatch(new RegExp(`^${SESSIONS} sessions, \\d+ events, whole$`));
  },
);
