import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CallEnd, NativeUse, Turn } from "../../core/index.ts";
import { createCodexAgent } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-run-codex-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A turn that writes down what it is told. */
function createTurn(change: Partial<Turn> = {}) {
  const told: unknown[] = [];
  const turn = {
    sessionId: "s1",
    turnId: "t1",
    message: { text: "-hello", messageId: "m1" },
    cwd: folder,
    signal: new AbortController().signal,
    state: null,
    told: async () => ({ texts: [], nativeIds: [] }),
    text: async (text: string) => void told.push(text),
    thinking: async (text: string) => void told.push(`(${text})`),
    async startCall(use: NativeUse) {
      told.push([use.nativeId, use.toolName, use.input]);
      if (use.changes) told.push(use.changes);
      return { end: async (end: CallEnd) => void told.push([use.nativeId, end]) };
    },
    keepState: async (state: unknown) => void (kept.state = state),
    environment: async (base: object) => base,
    status: (status: unknown) => told.push(status),
    usage: async (used: unknown) => void told.push(["used", used]),
    ...change,
  } as unknown as Turn;
  const kept: { state: unknown } = { state: null };
  return { turn, told, kept };
}

/** Runs a turn with a program that behaves like Codex for as long as the script says. */
async function run(script: string, change: Partial<Turn> = {}) {
  const command = join(folder, "codex");
  writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const { turn, told, kept } = createTurn(change);
  const agent = createCodexAgent({
    command,
    env: { PATH: process.env["PATH"], CODEX_HOME: folder },
  });
  const end = await agent.run(turn);
  return { end, told, state: kept.state };
}

const print = (...events: object[]) =>
  events.map((event) => `printf '%s\\n' '${JSON.stringify(event)}'`).join("\n");
const item = (type: string, id: string, more: object) => ({
  type,
  item: { id, status: type === "item.started" ? "in_progress" : "completed", ...more },
});

const IMAGE = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };

test("every kind of thing that Codex does is told", async () => {
  const mcp = { type: "mcp_tool_call", server: "db", tool: "query", arguments: { sql: "1" } };
  const search = { type: "web_search", query: "colours" };
  const { end, told } = await run(
    print(
      { type: "thread.started", thread_id: "thread" },
      item("item.started", "item_0", mcp),
      item("item.completed", "item_0", { ...mcp, result: { content: [{ text: "one" }] } }),
      item("item.completed", "item_1", { ...mcp, status: "failed", error: { message: "No." } }),
      item("item.completed", "item_5", { ...mcp, result: { content: [IMAGE] } }),
      item("item.completed", "item_2", search),
      item("item.completed", "item_3", { type: "error", message: "Old model." }),
      { type: "error", message: "Reconnecting… 1/5" },
      { type: "of.tomorrow" },
      { type: "turn.completed", usage: { input_tokens: 1 } },
    ) + "\necho no JSON",
  );
  expect(end).toEqual({ status: "completed" });
  expect(told).toEqual([
    ["t1-item_0", "mcp__db__query", { sql: "1" }],
    ["t1-item_0", { ok: true, result: "one" }],
    ["t1-item_1", "mcp__db__query", { sql: "1" }],
    ["t1-item_1", { ok: false, error: { code: "tool_error", message: "No." } }],
    ["t1-item_5", "mcp__db__query", { sql: "1" }],
    ["t1-item_5", { ok: true, result: { content: [IMAGE] } }],
    ["t1-item_2", "web_search", { query: "colours" }],
    ["t1-item_2", { ok: true, result: null }],
    "Codex says: Old model.",
    { usage: { input_tokens: 1 } },
    ["used", { input: 1, output: 0 }],
  ]);
});

test("a plan is told each time that it changes, and what a patch does to files with its call", async () => {
  const plan = (type: string, completed: boolean) =>
    item(type, "item_0", { type: "todo_list", items: [{ text: "Look", completed }] });
  const change = { type: "file_change", changes: [{ path: "a", kind: "update" }] };
  const { told } = await run(
    print(
      plan("item.started", false),
      plan("item.updated", true),
      plan("item.completed", true),
      item("item.completed", "item_1", change),
    ),
  );
  const ended = { ok: true, result: null };
  expect(told).toEqual([
    ["t1-item_0-1", "todo_list", { items: [{ text: "Look", completed: false }] }],
    ["t1-item_0-1", ended],
    ["t1-item_0-2", "todo_list", { items: [{ text: "Look", completed: true }] }],
    ["t1-item_0-2", ended],
    ["t1-item_1", "apply_patch", { path: "a", changes: change.changes }],
    [{ path: "a", kind: "edit" }],
    ["t1-item_1", ended],
  ]);
});

test("the conversation is kept as soon as Codex names it, and what was said is kept as told", async () => {
  const { told, state } = await run(
    `${print({ type: "thread.started", thread_id: "thread" })}\ncat > said\nexit 1`,
  );
  expect(state).toMatchObject({ v: 1, threadId: "thread", told: [expect.any(String)] });
  expect(told).toEqual([]);
  expect(readFileSync(join(folder, "said"), "utf8")).toBe("-hello");
});

/** Writes Codex's own history of the conversation `thread`. */
function writeHistory(...payloads: object[]): void {
  const day = join(folder, "sessions", "2026", "11", "16");
  mkdirSync(day, { recursive: true });
  const lines = payloads.map((payload) => `${JSON.stringify({ payload })}\n`);
  writeFileSync(join(day, "rollout-any-thread.jsonl"), lines.join(""));
}

const called = (id: string, cmd: string) => ({
  type: "function_call",
  call_id: id,
  name: "exec_command",
  arguments: JSON.stringify({ cmd }),
});
const output = (id: string) => ({
  type: "function_call_output",
  call_id: id,
  output: "Process exited with code 0\nOutput:\n",
});
const said = (type: string, text: string) => ({
  type: "item_completed",
  item: { type, content: [{ text }] },
});
const ran = (type: string, id: string, cmd: string) =>
  item(type, id, { type: "command_execution", command: `/bin/bash -c "${cmd}"`, exit_code: 0 });

test("a call has the model's own id, unless two are alike at once; and none is told twice", async () => {
  writeHistory(
    said("UserMessage", "-hello"),
    ...["c1", "c2"].map((id) => called(id, "ask me")),
    called("c3", "ls"),
    ...["c2", "c1", "c3"].map(output),
    said("AgentMessage", "Done."),
  );
  const { told, state } = await run(
    print(
      { type: "thread.started", thread_id: "thread" },
      ran("item.started", "item_0", "ask me"),
      ran("item.started", "item_1", "ask me"),
      ran("item.started", "item_2", "ls"),
      ran("item.completed", "item_1", "ask me"),
      ran("item.completed", "item_0", "ask me"),
      ran("item.completed", "item_2", "ls"),
      item("item.completed", "item_3", { type: "agent_message", text: "Done." }),
    ),
  );
  const ids = told.map((one) => (Array.isArray(one) ? one[0] : one));
  const starts = ["t1-item_0", "t1-item_1", "c3"];
  expect(ids).toEqual([...starts, "t1-item_1", "t1-item_0", "c3", "Done."]);
  expect(state).toMatchObject({ threadId: "thread", told: [] });
  expect((state as { readTo: number }).readTo).toBeGreaterThan(0);
});

test("what a turn that was cut off had told is not told again, and what it had not is", async () => {
  const first = await run(
    `${print(
      { type: "thread.started", thread_id: "thread" },
      ran("item.started", "item_0", "ls"),
    )}\nexit 1`,
  );
  writeHistory(
    said("UserMessage", "-hello"),
    called("c1", "ls"),
    output("c1"),
    called("c2", "never ended"),
    said("AgentMessage", "All is well."),
  );
  const told = async () => ({ texts: [], nativeIds: ["t1-item_0"] });
  const again = await run("exit 0", { state: first.state, told });
  expect(again.told).toEqual([expect.stringContaining("own history"), "All is well."]);
  expect((await run("exit 0", { state: again.state })).told).toEqual([]);
});

test("what the log tells is not told again", async () => {
  const done = [called("c1", "ls"), output("c1"), said("AgentMessage", "Yes.")];
  writeHistory(...done, said("AgentMessage", "Yes."), called("c2", "ls"), output("c2"));
  const told = async () => ({ texts: ["Yes."], nativeIds: ["c1"] });
  const state = { v: 1, threadId: "thread", readTo: 0, told: [] };
  const again = await run("exit 0", { state, told });
  const [, ...rest] = again.told;
  const use = ["c2", "shell", { command: "ls" }];
  expect(rest).toEqual(["Yes.", use, ["c2", { ok: true, result: { output: "", exitCode: 0 } }]]);
});

test.each([
  ["echo oops >&2; exit 3", "Codex ended with exit code 3: oops"],
  ["exit 3", "Codex ended with exit code 3 and gave no reason."],
  ["kill -KILL $$", "Codex ended by SIGKILL and gave no reason."],
  [`${print({ type: "error", message: "Lost." })}; exit 1`, "Codex ended with exit code 1: Lost."],
  [print({ type: "turn.failed", error: { message: "Busy." } }), "Codex could not finish: Busy."],
  [
    "echo 'Error: no rollout found for thread id x' >&2; exit 1",
    "Codex no longer has the conversation of this session. Start another session.",
  ],
])("after %j the turn says why it failed", async (script, message) => {
  const { end } = await run(script);
  expect(end).toEqual({ status: "failed", error: { code: "agent_failed", message } });
});

test("a long output is kept at both of its ends", async () => {
  const output = `begin${"€".repeat(100_000)}end`;
  const done = { type: "command_execution", command: "x", aggregated_output: output, exit_code: 0 };
  writeFileSync(join(folder, "event"), `${JSON.stringify(item("item.completed", "i", done))}\n`);
  const { told } = await run("cat event");
  const [, [, { result }]] = told as [unknown, [string, { result: { output: string } }]];
  expect(result.output).toMatch(/^begin€+\n\[34472 characters left out\]\n€+end$/);
});

test("a folder that is not there is said to be so", async () => {
  const running = run("exit 0", { cwd: "/does/not/exist" });
  await expect(running).rejects.toThrow("The folder /does/not/exist does not exist.");
});

test("Codex does not go on when the log cannot take what it says", async () => {
  const text = async () => {
    throw new Error("The disk is full.");
  };
  const said = item("item.completed", "i", { type: "agent_message", text: "Hello." });
  const running = run(`echo $$ > pid\n${print(said)}\nsleep 1000; sleep 1000`, { text });
  await expect(running).rejects.toThrow("The disk is full.");
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  const isThere = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere).toBe(false);
});
