import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "./server-process.ts";

/* `defaults` of settings.json count in a real server, for what plugins and built-in tools ask. */

const inputSchema = { type: "object" };
const MANIFEST = {
  id: "release",
  version: "1",
  operations: [
    { id: "colour", summary: "Asks by itself.", inputSchema },
    { id: "publish", summary: "Is held for approval.", inputSchema, approval: {} },
  ],
};
const CODE = `export default { operations: {
  colour: (args, ctx) => ctx.requestInteraction({
    type: "approval", prompt: "Blue?", onResponse: ({ action }) => ({ complete: action }) }),
  publish: () => "published" } };`;

let directory: string;
const servers: ServerProcess[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "beckon-defaults-"));
  mkdirSync(join(directory, "release"));
  writeFileSync(join(directory, "release", "manifest.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(directory, "release", "index.js"), CODE);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end("SIGTERM")));
  rmSync(directory, { recursive: true, force: true });
});

/** The three ways to ask that have no time of their own, begun where nobody is there. */
const ASKS = ["ask_user", "release_colour", "release_publish"];

async function start(name: string, settings: object): Promise<ServerProcess> {
  const data = join(directory, name);
  mkdirSync(data);
  writeFileSync(join(data, "settings.json"), JSON.stringify(settings));
  const server = await ServerProcess.start(data, "--plugins", join(directory, "release"));
  servers.push(server);
  return server;
}

/** What became of each ask: how many milliseconds its prompt waits, or how its call ended. */
async function outcomes(server: ServerProcess): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const tool of ASKS) {
    const { id } = (await server.http("POST", "/api/sessions", {})).body;
    const input = tool === "ask_user" ? '{"question":"Which colour?"}' : "{}";
    const content = `/call ${tool} ${input}`;
    await server.http("POST", `/api/sessions/${id}/messages`, { content });
    await expect.poll(async () => (found[tool] = await outcomeIn(server, id))).toBeDefined();
  }
  return found;
}

async function outcomeIn(server: ServerProcess, sessionId: string): Promise<unknown> {
  const { events } = (await server.http("GET", `/api/sessions/${sessionId}/events`)).body;
  for (const { type, payload } of events) {
    if (type === "interaction_request") return payload.timeoutMs ?? "for ever";
    if (type === "tool_result") return payload.error.code;
  }
  return undefined;
}

test("without defaults what is there to ask waits for ever, and a tool's own prompt does not wait", async () => {
  expect(await outcomes(await start("none", {}))).toEqual({
    ask_user: "for ever",
    release_colour: "interaction_unavailable",
    release_publish: "for ever",
  });
});

test("a default time and a default to wait count for ask_user and for operations of a plugin", async () => {
  const defaults = { timeoutMs: 7_200_000, whenUnavailable: "wait" };
  expect(await outcomes(await start("waiting", { defaults }))).toEqual({
    ask_user: 7_200_000,
    release_colour: 7_200_000,
    release_publish: 7_200_000,
  });
});

test("a default to fail where nobody is there counts for each of them too", async () => {
  const defaults = { whenUnavailable: "throw" };
  expect(await outcomes(await start("failing", { defaults }))).toEqual({
    ask_user: "interaction_unavailable",
    release_colour: "interaction_unavailable",
    release_publish: "interaction_unavailable",
  });
});

test("when the default time is over, the call is told", async () => {
  const server = await start("short", { defaults: { timeoutMs: 1_000, whenUnavailable: "wait" } });
  const path = "/api/plugins/release/operations/colour";
  const { body } = await server.http("POST", path, {}, { "x-session-id": "own" });
  expect(body).toMatchObject({ ok: false, code: "interaction_timeout" });
});
