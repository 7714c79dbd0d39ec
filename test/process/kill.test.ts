import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import { ServerProcess } from "./server-process.ts";

let directory: string;
let data: string;
let plugins: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "beckon-kill-"));
  data = join(directory, "data");
  plugins = join(directory, "fleeting");
  mkdirSync(plugins);
  const operations = [{ id: "ask", summary: "Asks.", inputSchema: { type: "object" } }];
  writeFileSync(
    join(plugins, "manifest.json"),
    JSON.stringify({ id: "fleeting", version: "1", operations }),
  );
  writeFileSync(
    join(plugins, "index.js"),
    `export default { operations: { ask: (args, ctx) => ctx.requestInteraction({
      type: "approval", prompt: "Go?", onResponse: (response) => ({ complete: response.action }) }) } };`,
  );
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("killed while a prompt is open, the server lists it, shows it, and goes on with the answer", async () => {
  const first = await ServerProcess.start(data);
  const client = await first.person();
  const session = (await first.http("POST", "/api/sessions", {})).body;
  await client.subscribe(session.id);
  await client.say(
    session.id,
    '/parallel ask_user {"question":"One?"} | ask_user {"question":"Two?"}',
  );
  await client.event("interaction_request", 2);
  await first.end("SIGKILL");

  const second = await ServerProcess.start(data);
  const listed = (await second.http("GET", "/api/interactions?status=pending")).body.interactions;
  expect(listed).toHaveLength(2);
  const again = await second.person();
  await again.subscribe(session.id);
  const later = await again.event("interaction_request", 2);
  const reply = await again.answer(later, { action: "submit", input: { answer: "number 2" } });
  expect(reply["ok"]).toBe(true);
  await second.end("SIGKILL");

  const third = await ServerProcess.start(data);
  const last = await third.person();
  await last.subscribe(session.id);
  const open = await last.event("interaction_request", 1);
  expect((await last.answer(open, { action: "submit", input: { answer: "number 1" } }))["ok"]).toBe(
    true,
  );
  expect((await last.event("turn_end")).payload.status).toBe("completed");
  const { events } = (await third.http("GET", `/api/sessions/${session.id}/events`)).body;
  checkLog(events);
  const results = events.filter((event: { type: string }) => event.type === "tool_result");
  expect(results.map((event: any) => event.payload.result.answer).sort()).toEqual([
    "number 1",
    "number 2",
  ]);
  expect(await third.end("SIGTERM")).toBe(0);
});

test("killed while a tool waits that cannot be run again, its call ends and its answer comes as a message", async () => {
  const first = await ServerProcess.start(data, "--plugins", plugins);
  const client = await first.person();
  const session = (await first.http("POST", "/api/sessions", {})).body;
  await client.subscribe(session.id);
  await client.say(session.id, "/call fleeting_ask {}");
  await client.event("interaction_request");
  await first.end("SIGKILL");

  const second = await ServerProcess.start(data, "--plugins", plugins);
  const again = await second.person();
  await again.subscribe(session.id);
  const result = await again.event("tool_result");
  expect(result.payload).toMatchObject({ ok: false, error: { code: "tool_interrupted" } });
  const orphaned = await again.event("interaction_pending", (payload) => payload.orphaned === true);
  expect(orphaned.seq).toBe(result.seq + 1);
  await again.event("turn_end");
  const reply = await again.answer(await again.event("interaction_request"), { action: "approve" });
  expect(reply["ok"]).toBe(true);
  const message = await again.event("user_message", (payload) => payload.source === "late_answer");
  expect(message.payload.text).toContain("approved");
  expect((await again.event("turn_start", 2)).payload.trigger).toBe("late_answer");
  await again.event("turn_end", 2);
  checkLog((await second.http("GET", `/api/sessions/${session.id}/events`)).body.events);
  expect(await second.end("SIGTERM")).toBe(0);
});

test("a sign-in outlives a killed server, and its code is good once", async () => {
  const first = await ServerProcess.start(data);
  const exchange = (server: ServerProcess, code: string) =>
    fetch(`${server.url}/api/auth/exchange`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url },
      body: JSON.stringify({ code }),
    });
  const signedIn = await exchange(first, first.code);
  expect(signedIn.status).toBe(200);
  expect((await exchange(first, first.code)).status).toBe(401);
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  await first.end("SIGKILL");
  const second = await ServerProcess.start(data);
  const sessions = await fetch(`${second.url}/api/sessions`, { headers: { cookie } });
  expect(sessions.status).toBe(200);
  expect(await second.end("SIGINT")).toBe(0);
});
