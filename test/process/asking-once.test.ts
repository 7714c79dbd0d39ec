import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import { ServerProcess } from "./server-process.ts";

/* A command of the built-in shell that can do nothing but ask is not asked about itself. */

let directory: string;
let server: ServerProcess;
const ran = () => join(directory, "planted-ran");

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "beckon-asking-once-")));
  const plugin = join(directory, "release");
  mkdirSync(plugin);
  const inputSchema = { type: "object" };
  const operations = [
    { id: "publish", summary: "Publishes.", inputSchema, approval: { prompt: "Publish it?" } },
    { id: "colour", summary: "Asks.", inputSchema, onlyAsks: true },
    { id: "touch", summary: "Does something.", inputSchema },
  ];
  writeFileSync(
    join(plugin, "manifest.json"),
    JSON.stringify({ id: "release", version: "1", operations }),
  );
  writeFileSync(
    join(plugin, "index.js"),
    `export default { operations: {
      publish: () => "published",
      colour: (args, ctx) => ctx.requestInteraction({
        type: "approval", prompt: "Blue?", onResponse: ({ action }) => ({ complete: action }) }),
      touch: () => "touched" } };`,
  );
  // What a name could lead to: in the folder, in its packages, and on the server's own PATH.
  const bin = join(directory, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  for (const folder of [directory, bin]) {
    for (const name of ["beckon", "node", "bash", "sh"]) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho planted >> "${ran()}"\n`);
      chmodSync(join(folder, name), 0o755);
    }
  }
  const evil = join(directory, "evil.cjs");
  writeFileSync(
    evil,
    `if (!process.argv.includes("serve")) require("fs").writeFileSync(${JSON.stringify(ran())}, "")`,
  );
  const data = join(directory, "data");
  mkdirSync(data);
  const env = ["NODE_OPTIONS", "BASH_ENV", "BECKON_URL"];
  writeFileSync(join(data, "settings.json"), JSON.stringify({ bash: { env } }));
  const hostile = {
    PATH: [bin, directory, process.env["PATH"]].join(":"),
    NODE_OPTIONS: `--require=${evil}`,
    BASH_ENV: join(directory, "beckon"),
    BECKON_URL: "http://127.0.0.1:9",
  };
  server = await ServerProcess.startWith(hostile, data, "--plugins", plugin);
});

afterAll(async () => {
  await server.end("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** Lets the demo agent run a command, and gives the first thing that anybody is asked. */
async function run(command: string) {
  const client = await server.person();
  const session = (await server.http("POST", "/api/sessions", { cwd: directory })).body;
  await client.subscribe(session.id);
  await client.say(session.id, `/call bash ${JSON.stringify({ command })}`);
  const request = await client.event("interaction_request");
  const call = await client.event("tool_call");
  return { client, sessionId: session.id as string, request, call };
}

test.each([
  ["beckon ask 'Which colour?'", "Which colour?", { action: "submit", input: { answer: "blue" } }],
  [`beckon confirm "Blue?"`, "Blue?", { action: "approve" }],
  ["beckon call release colour '{}'", "Blue?", { action: "approve" }],
  ["beckon call release publish '{}'", "Publish it?", { action: "approve" }],
])("one prompt, in the place of the call: %s", async (command, prompt, answer) => {
  const { client, sessionId, request, call } = await run(command);
  const { turnId, responseId } = call;
  const { toolCallId } = call.payload;
  expect(call.payload.input).toMatchObject({ command });
  expect(request).toMatchObject({ turnId, responseId, payload: { toolCallId, prompt } });
  await client.answer(request, answer);
  const { payload } = await client.event("tool_result");
  expect(payload).toMatchObject({ ok: true, authorizedBy: "tool", result: { exitCode: 0 } });
  await client.event("turn_end");
  const log = (await server.http("GET", `/api/sessions/${sessionId}/events`)).body.events;
  checkLog(log);
  const count = (wanted: string) =>
    log.filter(({ type }: { type: string }) => type === wanted).length;
  expect([count("tool_call"), count("interaction_request")]).toEqual([1, 1]);
  expect(existsSync(ran())).toBe(false);
});

test.each([
  "beckon ask 'Which colour?'; true",
  "beckon ask 'Which colour?' --schema form.json",
  "BECKON_URL=http://127.0.0.1:9 beckon ask 'Which colour?'",
  "beckon call release touch '{}'",
  "beckon call release nothing '{}'",
  "./beckon ask 'Which colour?'",
])("what might do more is asked about as before: %s", async (command) => {
  const { client, request, call } = await run(command);
  expect(request.payload).toMatchObject({
    toolName: "bash",
    interactionType: "approval",
    toolCallId: call.payload.toolCallId,
    toolInput: { command },
  });
  await client.answer(request, { action: "deny" });
  expect((await client.event("tool_result")).payload).toMatchObject({
    error: { code: "tool_denied" },
  });
});
