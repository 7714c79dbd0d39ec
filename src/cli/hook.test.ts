import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "./program.ts";

const PERMISSION = JSON.stringify({ hook_event_name: "PermissionRequest", tool_name: "Bash" });
const PRE_TOOL_USE = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash" });

/** What the next requests are answered with; the last one again and again. */
type Reply = [status: number, body: string] | "break";

let data: string;
let server: Server;
let url: string;
let asked: IncomingHttpHeaders[];
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-hook-"));
  asked = [];
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(data, { recursive: true, force: true });
});

async function serve(...replies: Reply[]): Promise<void> {
  server = createServer((request, response) => {
    asked.push(request.headers);
    request.resume().on("end", () => answer(response, replies));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(response: ServerResponse, replies: Reply[]): void {
  const reply = replies.length > 1 ? replies.shift() : replies[0];
  if (reply === undefined || reply === "break") response.destroy();
  else response.writeHead(reply[0], { "content-type": "application/json" }).end(reply[1]);
}

async function hook(stdin: string, env: Record<string, string>, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await run(["hook", "claude", "--data", data, ...args], {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    async *stdin() {
      yield Buffer.from(stdin);
    },
    env,
    stopSignal: () => AbortSignal.abort(),
  });
  return { exitCode, out: out.join("\n"), err: err.join("\n") };
}

const reason = (out: string) => JSON.parse(out).hookSpecificOutput;

test("the reply of the server is what is printed", async () => {
  await serve([200, '{"a":1}']);
  const env = { BECKON_URL: url, BECKON_TOKEN: "t" };
  expect(await hook(PERMISSION, env, "--timeout", "2m")).toEqual({
    exitCode: 0,
    out: '{"a":1}',
    err: "",
  });
  expect(asked[0]).toMatchObject({ authorization: "Bearer t", "x-timeout-ms": "120000" });
  await hook(PERMISSION, env, "--timeout", "never");
  expect(asked[1]?.["x-timeout-ms"]).toBe("never");
  expect(asked[1]?.["x-request-id"]).not.toBe(asked[0]?.["x-request-id"]);
});

test("a machine's token is preferred to the owner's", async () => {
  await serve([200, "{}"]);
  writeFileSync(join(data, "token"), "owner\n");
  await hook(PERMISSION, { BECKON_URL: url });
  writeFileSync(join(data, "hook-token"), "machine\n");
  await hook(PERMISSION, { BECKON_URL: url });
  expect(asked.map((one) => one.authorization)).toEqual(["Bearer owner", "Bearer machine"]);
});

test("a line that breaks, and a server that is away, are tried again under the same id", async () => {
  await serve("break", [503, "{}"], [502, "bad gateway"], [200, '{"late":true}']);
  const { out } = await hook(PERMISSION, { BECKON_URL: url, BECKON_TOKEN: "t" });
  expect(out).toBe('{"late":true}');
  expect(new Set(asked.map((one) => one["x-request-id"])).size).toBe(1);
  expect(asked).toHaveLength(4);
});

test("with no server the terminal decides where it would ask, and nothing runs elsewhere", async () => {
  const permission = await hook(PERMISSION, {});
  expect(permission).toEqual({
    exitCode: 1,
    out: "",
    err: `No server of Beckon is running on ${data}. Start one with: beckon serve`,
  });
  const before = await hook(PRE_TOOL_USE, {});
  expect(before.exitCode).toBe(0);
  expect(reason(before.out)).toEqual({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: `Nobody could be asked, so this did not run. ${permission.err}`,
  });
});

test.each<[what: string, reply: Reply, sentence: string]>([
  ["a refusal", [400, '{"error":"No.","code":"invalid_request"}'], "Beckon refused to ask: No."],
  ["a token that is not good", [401, '{"error":"Who?","code":"unauthorized"}'], "--write"],
  ["another program", [404, "<html>"], "is not Beckon"],
  ["another program that is content", [200, "<html>"], "is not Beckon"],
  ["a reply that decides nothing", [200, "{}"], "decides nothing"],
  ["a reply of null", [200, "null"], "is not Beckon"],
])("%s lets nothing run", async (_what, reply, sentence) => {
  await serve(reply);
  const { exitCode, out } = await hook(PRE_TOOL_USE, { BECKON_URL: url, BECKON_TOKEN: "t" });
  expect(exitCode).toBe(0);
  expect(reason(out)).toMatchObject({ permissionDecision: "deny" });
  expect(reason(out).permissionDecisionReason).toContain(sentence);
});

test.each(["", "{", "hello"])("%j on stdin is no decision", async (stdin) => {
  const { exitCode, out, err } = await hook(stdin, {});
  expect([exitCode, out]).toEqual([1, ""]);
  expect(err).toContain("not JSON");
});
