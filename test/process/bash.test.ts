import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import type { Client } from "../scenarios/client.ts";
import { ServerProcess } from "./server-process.ts";

let directory: string;
let server: ServerProcess;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "beckon-bash-")));
  server = await ServerProcess.start(join(directory, "data"));
});

afterEach(async () => {
  await server.end("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

async function begin() {
  const client = await server.person();
  const session = (await server.http("POST", "/api/sessions", { cwd: directory })).body;
  await client.subscribe(session.id);
  return { client, sessionId: session.id as string };
}

const say = (client: Client, sessionId: string, args: unknown) =>
  client.say(sessionId, `/call bash ${JSON.stringify(args)}`);

test("a command shows itself and where it would run, runs once approved, and shows what it prints", async () => {
  const { client, sessionId } = await begin();
  await say(client, sessionId, { command: "pwd; echo shown >&2; exit 3" });
  const request = await client.event("interaction_request");
  expect(request.payload).toMatchObject({
    toolName: "bash",
    toolInput: { command: "pwd; echo shown >&2; exit 3", cwd: directory },
    context: { cwd: directory },
    approvalScopes: ["once", "session", "always"],
  });
  await client.answer(request, { action: "approve" });
  const { payload } = await client.event("tool_result");
  expect(payload).toMatchObject({
    ok: true,
    result: { exitCode: 3, output: `${directory}\nshown\n` },
    authorizedBy: `interaction:${request.payload.interactionId}`,
  });
  const shown = client.frames
    .filter((frame) => frame["event"]?.type === "tool_output_delta")
    .map((frame) => frame["event"].payload.text)
    .join("");
  expect(shown).toBe(`${directory}\nshown\n`);
});

test("a denied command does not run", async () => {
  const { client, sessionId } = await begin();
  await say(client, sessionId, { command: "touch ran" });
  await client.answer(await client.event("interaction_request"), { action: "deny" });
  expect((await client.event("tool_result")).payload.error?.code).toBe("tool_denied");
  expect(existsSync(join(directory, "ran"))).toBe(false);
});

test("a grant covers exactly this command in exactly this directory", async () => {
  const { client, sessionId } = await begin();
  await say(client, sessionId, { command: "echo a" });
  await client.answer(await client.event("interaction_request"), {
    action: "approve",
    approvalScope: "session",
  });
  await client.event("tool_result");
  await say(client, sessionId, { command: "echo a", cwd: "." });
  expect((await client.event("tool_result", 2)).payload["authorizedBy"]).toMatch(/^grant:/);
  await say(client, sessionId, { command: "echo a " });
  const other = await client.event("interaction_request", 2);
  await client.answer(other, { action: "deny" });
  await say(client, sessionId, { command: "echo a", cwd: "data" });
  await client.event("interaction_request", 3);
});

test("a command gets a machine's token for its session, which ends with it, and no other", async () => {
  const { client, sessionId } = await begin();
  const script = `
    const { BECKON_URL, BECKON_TOKEN, BECKON_SESSION_ID } = process.env;
    const get = async (path, init) => (await fetch(BECKON_URL + path, { ...init,
      headers: { authorization: "Bearer " + BECKON_TOKEN, "content-type": "application/json" } })).status;
    (async () => console.log(JSON.stringify({
      token: BECKON_TOKEN,
      own: await get("/api/sessions/" + BECKON_SESSION_ID),
      grants: await get("/api/grants/x", { method: "DELETE" }),
      answer: await get("/api/interactions/x/respond", { method: "POST", body: "{}" }),
      environment: Object.keys(process.env).filter((name) => name.startsWith("BECKON_")).sort(),
    })))();`;
  await say(client, sessionId, { command: `${process.execPath} -e '${script}'` });
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  const { result } = (await client.event("tool_result")).payload as any;
  const seen = JSON.parse(result.output);
  expect(seen).toMatchObject({ own: 200, grants: 403, answer: 403 });
  expect(seen.environment).toEqual([
    "BECKON_SESSION_ID",
    "BECKON_TOKEN",
    "BECKON_TOOL_CALL_ID",
    "BECKON_URL",
  ]);
  const after = await fetch(`${server.url}/api/sessions/${sessionId}`, {
    headers: { authorization: `Bearer ${seen.token}` },
  });
  expect(after.status).toBe(401);
});

test("a server killed in the middle of a command leaves no process, and never runs it again", async () => {
  const { client, sessionId } = await begin();
  const command = "echo ran >>effects; echo $$; while :; do sleep 1000; done";
  await say(client, sessionId, { command });
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  const delta = await client.until((frame) => frame["event"]?.type === "tool_output_delta");
  const pid = Number(delta["event"].payload.text);
  await server.end("SIGKILL");
  server = await ServerProcess.start(join(directory, "data"));
  const again = await server.person();
  await again.subscribe(sessionId);
  const { payload } = await again.event("tool_result");
  expect(payload.error?.code).toBe("tool_interrupted");
  expect(readFileSync(join(directory, "effects"), "utf8")).toBe("ran\n");
  await expect.poll(() => isAlive(pid)).toBe(false);
  await again.event("turn_end");
  checkLog((await server.http("GET", `/api/sessions/${sessionId}/events`)).body.events);
});

test("a cancelled turn ends its command", async () => {
  const { client, sessionId } = await begin();
  await say(client, sessionId, { command: "echo $$; sleep 1000" });
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  const delta = await client.until((frame) => frame["event"]?.type === "tool_output_delta");
  await client.ask({ type: "cancel", sessionId });
  expect((await client.event("tool_result")).payload.error?.code).toBe("tool_cancelled");
  await expect.poll(() => isAlive(Number(delta["event"].payload.text))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
