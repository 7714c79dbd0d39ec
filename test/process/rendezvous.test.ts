import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import { ServerProcess } from "./server-process.ts";

/* What a command of the built-in shell asks over HTTP, with the environment that it is given. */

let directory: string;
let server: ServerProcess;

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "beckon-rendezvous-")));
  const plugin = join(directory, "release");
  mkdirSync(plugin);
  const inputSchema = { type: "object" };
  const operations = [
    { id: "publish", summary: "Asks.", inputSchema },
    { id: "version", summary: "Tells.", inputSchema },
  ];
  writeFileSync(
    join(plugin, "manifest.json"),
    JSON.stringify({ id: "release", version: "1", operations }),
  );
  writeFileSync(
    join(plugin, "index.js"),
    `export default { operations: {
      publish: (args, ctx) => ctx.requestInteraction({
        type: "approval", prompt: "Publish?", onResponse: ({ action }) => ({ complete: action }) }),
      version: () => "1.2.0" } };`,
  );
  server = await ServerProcess.start(join(directory, "data"), "--plugins", plugin);
});

afterAll(async () => {
  await server.end("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** Lets the demo agent run a command, and approves that. */
async function runCommand(command: string) {
  const client = await server.person();
  const session = (await server.http("POST", "/api/sessions", { cwd: directory })).body;
  await client.subscribe(session.id);
  await client.say(session.id, `/call bash ${JSON.stringify({ command })}`);
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  const { turnId, responseId, payload } = await client.event("tool_call");
  return { client, sessionId: session.id as string, turnId, responseId, call: payload.toolCallId };
}

const HEADERS = `-s -H "Authorization: Bearer $BECKON_TOKEN" -H "Content-Type: application/json"`;
const POST = `curl ${HEADERS} $BECKON_URL/api/interactions -d`;
const ID = `node -pe 'JSON.parse(fs.readFileSync(0)).id'`;
const STATUS = `node -pe 'JSON.parse(fs.readFileSync(0)).status'`;
const wait = `curl ${HEADERS} "$BECKON_URL/api/interactions/$ID?wait=30" | ${STATUS}`;
const OPERATION = `curl ${HEADERS} $BECKON_URL/api/plugins/release/operations/publish`;

test.each([
  ["by its id", String.raw`{\"toolCallId\":\"$BECKON_TOOL_CALL_ID\",\"type\":\"approval\"}`],
  ["by its words", String.raw`{\"prompt\":\"Which colour?\",\"type\":\"approval\"}`],
])("what a command asks over HTTP stands in its call, found %s", async (_how, body) => {
  const command = `ID=$(${POST} "${body}" | ${ID}); ${wait}`;
  const { client, sessionId, turnId, responseId, call } = await runCommand(command);
  const request = await client.event("interaction_request", 2);
  expect(request).toMatchObject({ turnId, responseId, payload: { toolCallId: call } });
  await client.answer(request, { action: "approve" });
  const { payload } = await client.event("tool_result");
  expect(payload.result).toMatchObject({ exitCode: 0, output: "answered\n" });
  await client.event("turn_end");
  const log = (await server.http("GET", `/api/sessions/${sessionId}/events`)).body.events;
  checkLog(log);
  expect(log.filter(({ type }: { type: string }) => type === "tool_call")).toHaveLength(1);
});

test.each([
  ["by its id", `${OPERATION} -H "x-tool-call-id: $BECKON_TOOL_CALL_ID" -d '{}'`],
  ["by a hint", `${OPERATION} -H "x-caller-tool-call-id: $BECKON_TOOL_CALL_ID" -d '{}'`],
  ["by its words", `${OPERATION} -d '{}'`],
])("an operation that a command calls works in its call, found %s", async (_how, command) => {
  const { client, turnId, responseId, call } = await runCommand(command);
  const request = await client.event("interaction_request", 2);
  expect(request).toMatchObject({
    turnId,
    responseId,
    payload: { toolCallId: call, toolName: "release_publish" },
  });
  await client.answer(request, { action: "approve" });
  const { payload } = await client.event("tool_result");
  expect(payload.result).toMatchObject({ output: '{"ok":true,"result":"approve"}' });
});

test.each([
  [`beckon confirm "Publish 1.2.0?" && echo yes`, "confirm"],
  [`beckon call release publish '{}' && echo yes`, "release_publish"],
])("what the command beckon asks in a shell stands in its call: %s", async (command, toolName) => {
  const { client, sessionId, turnId, responseId, call } = await runCommand(command);
  const request = await client.event("interaction_request", 2);
  expect(request).toMatchObject({ turnId, responseId, payload: { toolCallId: call, toolName } });
  await client.answer(request, { action: "approve" });
  const { payload } = await client.event("tool_result");
  expect(payload.result).toMatchObject({ exitCode: 0, output: expect.stringMatching(/yes\n$/) });
  await client.event("turn_end");
  const log = (await server.http("GET", `/api/sessions/${sessionId}/events`)).body.events;
  expect(log.filter(({ type }: { type: string }) => type === "tool_call")).toHaveLength(1);
});

test("what a command asked and did not wait for closes as failed when it ends", async () => {
  const command = `${POST} '{"prompt":"Which colour?","type":"approval"}' >/dev/null`;
  const { client, call } = await runCommand(command);
  const closed = await client.event("interaction_closed");
  expect(closed.payload).toMatchObject({ toolCallId: call, reason: "failed" });
  await client.event("turn_end");
});

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test("who can have no call to be found waits for none: a call takes as long as a plain one", async () => {
  const { client, sessionId, call } = await runCommand(
    `echo $BECKON_TOKEN; while ! [ -e enough ]; do sleep 0.1; done`,
  );
  const shown = await client.until((frame) => frame["event"]?.type === "tool_output_delta");
  const inTurn = shown["event"].payload.text.trim() as string;
  const operate = async (token: string, headers: Record<string, string> = {}) => {
    const started = performance.now();
    const reply = await fetch(`${server.url}/api/plugins/release/operations/version`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-session-id": sessionId,
        ...headers,
      },
      body: "{}",
    });
    expect(await reply.json()).toEqual({ ok: true, result: "1.2.0" });
    return performance.now() - started;
  };
  const took = { plain: [] as number[], alone: [] as number[], hinted: [] as number[] };
  for (let round = 0; round < 40; round++) {
    took.plain.push(await operate(server.token));
    took.alone.push(await operate(inTurn));
    took.hinted.push(await operate(inTurn, { "x-caller-tool-call-id": call }));
  }
  const [alone, hinted] = [took.alone, took.hinted].map(
    (values) => median(values) / median(took.plain),
  );
  console.log(
    `A plain call took ${median(took.plain).toFixed(2)} ms; beside it, one that finds no place took ` +
      `${alone?.toFixed(2)} times that, and one that names its place ${hinted?.toFixed(2)} times.`,
  );
  expect(alone).toBeLessThan(10);
  expect(hinted).toBeLessThan(10);
  writeFileSync(join(directory, "enough"), "");
  await client.event("turn_end");
});
