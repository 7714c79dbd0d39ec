import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Watch } from "../scenarios/watch.ts";
import { BIN, beckonCommand, ServerProcess } from "./server-process.ts";

/*
 * What our hook does beside a Claude Code in a terminal: started as Claude Code starts it, with a
 * transcript whose lines are those that Claude Code 2.1.325 was seen to write in a terminal.
 */

const SESSION = "1ef6385b-97bb-4a8a-9982-c4ecb62212b6";

let folder: string;
let server: ServerProcess;
let watch: Watch;
let children: ChildProcess[];
beforeEach(async () => {
  children = [];
  folder = mkdtempSync(join(tmpdir(), "beckon-terminal-"));
  server = await ServerProcess.start(join(folder, "data"));
  watch = await Watch.by([await server.person()]);
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await server.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

const transcript = () => join(folder, "transcript.jsonl");
function writes(...entries: object[]): void {
  const common = { isSidechain: false, sessionId: SESSION, cwd: folder };
  for (const entry of entries) {
    appendFileSync(transcript(), `${JSON.stringify({ ...common, ...entry })}\n`);
  }
}
const uses = (id: string, input: object, messageId = "msg_1") => ({
  type: "assistant",
  message: { id: messageId, content: [{ type: "tool_use", id, name: "Bash", input }] },
});
const results = (tool_use_id: string, content: string, is_error: boolean) => ({
  type: "user",
  message: { role: "user", content: [{ tool_use_id, type: "tool_result", content, is_error }] },
});
/** As Claude Code words a no in its terminal. */
const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

/** Claude Code runs our hook; resolves with what that says to it. */
function hook(command: string, more: object = {}): Promise<string> {
  const child = spawn(process.execPath, [
    ...[BIN, "hook", "claude", "--data", join(folder, "data")],
  ]);
  children.push(child);
  let said = "";
  child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
  child.stdin.end(
    JSON.stringify({
      hook_event_name: "PermissionRequest",
      session_id: SESSION,
      transcript_path: transcript(),
      cwd: folder,
      tool_name: "Bash",
      tool_input: { command },
      permission_suggestions: [],
      ...more,
    }),
  );
  return once(child, "close").then(() => said.trim());
}

const record = async (id: string) => (await server.http("GET", `/api/interactions/${id}`)).body;

async function resultOf(prompt: { sessionId: string; toolCallId: string }) {
  const { body } = await server.http("GET", `/api/sessions/${prompt.sessionId}/events`);
  const found = body.events.find(
    ({ type, payload }: any) => type === "tool_result" && payload.toolCallId === prompt.toolCallId,
  );
  return found?.payload;
}

test("what was allowed in the terminal closes its card as that, with its result, and its hook ends", async () => {
  writes(uses("toolu_1", { command: "make" }));
  const ended = hook("make");
  const prompt = await watch.prompt();
  writes(results("toolu_1", "(Bash completed with no output)", false));
  // It has nothing to say: Claude Code has gone on already.
  expect(await ended).toBe("{}");
  expect(await record(prompt.id)).toMatchObject({ status: "decided_elsewhere", action: "approve" });
  expect(await resultOf(prompt)).toMatchObject({
    ok: true,
    result: "(Bash completed with no output)",
    authorizedBy: "terminal",
  });
  const late = await server.http("POST", `/api/interactions/${prompt.id}/respond`, {
    action: "deny",
  });
  expect(late).toMatchObject({
    status: 409,
    body: { code: "interaction_closed", reason: "decided_elsewhere" },
  });
  const waited = await beckonCommand("wait", prompt.id, "--data", join(folder, "data"));
  expect([waited.code, waited.stderr.trim()]).toEqual([0, "Allowed in the terminal."]);
});

test("what was denied in the terminal closes as denied there, with the reason that was given", async () => {
  writes(uses("toolu_2", { command: "make" }));
  const ended = hook("make");
  const prompt = await watch.prompt();
  writes(
    results("toolu_2", `${REJECTED} To tell you how to proceed, the user said:\nUse npm.`, true),
  );
  expect(await ended).toBe("{}");
  expect(await record(prompt.id)).toMatchObject({ status: "decided_elsewhere", action: "deny" });
  const result = await resultOf(prompt);
  expect(result).toMatchObject({ ok: false, error: { code: "tool_denied", message: "Use npm." } });
  expect(result.authorizedBy).toBeUndefined();
  const waited = await beckonCommand("wait", prompt.id, "--data", join(folder, "data"));
  expect([waited.code, waited.stderr.trim()]).toEqual([3, "Denied in the terminal."]);
});

test("a hook that Claude Code ends after a no in the terminal still tells of it", async () => {
  writes(uses("toolu_9", { command: "make" }));
  const ended = hook("make");
  const prompt = await watch.prompt();
  children[0]?.kill("SIGTERM");
  writes(results("toolu_9", REJECTED, true));
  expect(await ended).toBe("{}");
  expect(await record(prompt.id)).toMatchObject({ status: "decided_elsewhere", action: "deny" });
});

test("a command that was allowed in the terminal and failed is no denial", async () => {
  writes(uses("toolu_3", { command: "make" }));
  const ended = hook("make");
  const prompt = await watch.prompt();
  writes(results("toolu_3", "Exit code 2\nNo rule.", true));
  expect(await ended).toBe("{}");
  expect(await record(prompt.id)).toMatchObject({ action: "approve" });
  expect(await resultOf(prompt)).toMatchObject({
    ok: false,
    error: { code: "tool_error", message: "Exit code 2\nNo rule." },
    authorizedBy: "terminal",
  });
});

test("of two calls alike each hook follows its own, and what an earlier session left is nobody's", async () => {
  writes(uses("toolu_old", { command: "make" }, "msg_0"));
  writes(uses("toolu_4", { command: "make" }), uses("toolu_5", { command: "make" }));
  const first = hook("make");
  const one = await watch.prompt();
  writes(results("toolu_5", "of another", false), results("toolu_4", "mine", false));
  expect(await first).toBe("{}");
  expect((await resultOf(one)).result).toBe("mine");
});

test("a no that comes while the command runs that was allowed in the terminal is said to have come too late", async () => {
  writes(uses("toolu_8", { command: "make" }));
  const ended = hook("make");
  const prompt = await watch.prompt();
  const client = await server.person();
  await client.subscribe(prompt.sessionId);
  await server.http("POST", `/api/interactions/${prompt.id}/respond`, { action: "deny" });
  expect(JSON.parse(await ended).hookSpecificOutput.decision).toMatchObject({ behavior: "deny" });
  // Claude Code does not hear it any more.
  writes(results("toolu_8", "made", false));
  const { payload } = await client.event("error");
  expect(payload).toMatchObject({ code: "allowed_elsewhere", interactionId: prompt.id });
});

test("an answer given here is what the hook says, whatever the transcript says afterwards", async () => {
  writeFileSync(transcript(), "not JSON\n");
  writes(uses("toolu_6", { command: "make" }));
  const ended = hook("make");
  const prompt = await watch.prompt();
  await server.http("POST", `/api/interactions/${prompt.id}/respond`, { action: "approve" });
  expect(JSON.parse(await ended).hookSpecificOutput.decision).toEqual({ behavior: "allow" });
  expect(await record(prompt.id)).toMatchObject({ status: "answered" });
});

test("the hook and the permission tool of one Claude Code ask with one card", async () => {
  writes(uses("toolu_7", { command: "make" }));
  const permission = spawn(
    process.execPath,
    [BIN, "mcp", "permission", "--data", join(folder, "data")],
    { env: { ...process.env, CLAUDE_CODE_SESSION_ID: SESSION }, cwd: folder },
  );
  children.push(permission);
  const replied = once(permission.stdout, "data") as Promise<[Buffer]>;
  permission.stdin.write(
    `${JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "approve",
        arguments: { tool_name: "Bash", input: { command: "make" }, tool_use_id: "toolu_7" },
      },
    })}\n`,
  );
  const prompt = await watch.prompt();
  // Whatever the hook closes, it has asked: it is the same card.
  const ended = hook("make", { tool_use_id: "toolu_7" });
  writes(results("toolu_7", "made", false));
  expect(await ended).toBe("{}");
  const [reply] = await replied;
  expect(JSON.parse(reply.toString()).result.content[0].text).toContain("decided elsewhere");
  expect(await record(prompt.id)).toMatchObject({ status: "decided_elsewhere", action: "approve" });
  const { body } = await server.http("GET", `/api/sessions/${prompt.sessionId}/events`);
  const asked = body.events.filter(({ type }: any) => type === "interaction_request");
  expect(asked).toHaveLength(1);
  const { sessions } = (await server.http("GET", "/api/sessions")).body;
  expect(sessions.map(({ title }: any) => title)).toEqual([
    expect.stringContaining("Claude Code in"),
  ]);
});
