import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endOfEntry } from "./call-end.ts";
import { Rollout } from "./rollout.ts";

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "beckon-rollout-"));
  const day = join(home, "sessions", "2026", "11", "16");
  mkdirSync(day, { recursive: true });
  mkdirSync(join(home, "sessions", "2026", "12"));
  writeFileSync(join(home, "sessions", "9999"), "no folder");
  file = join(day, "rollout-2026-11-16T10-00-00-thread-1.jsonl");
});
afterEach(() => rmSync(home, { recursive: true }));

const line = (payload: unknown) => `${JSON.stringify({ type: "any", payload })}\n`;
const message = (type: string, text: string) =>
  line({ type: "item_completed", item: { type, content: [{ type: "Text", text }] } });
const call = (id: string, name: string, given: unknown) =>
  line({ type: "function_call", call_id: id, name, arguments: JSON.stringify(given) });
const output = (id: string, text: unknown) =>
  line({ type: "function_call_output", call_id: id, output: text });

test("words and calls are read as they come, a half line when it is whole", async () => {
  const rollout = new Rollout(home, "thread-1", 0);
  await rollout.read();
  expect(rollout).toMatchObject({ isRead: false, position: 0, entries: [] });
  const said = message("AgentMessage", "Grüße");
  writeFileSync(file, `${message("UserMessage", "Hi")}nonsense\nnull\n${said.slice(0, 20)}`);
  await rollout.read();
  expect(rollout.entries.map(({ kind, text }) => [kind, text])).toEqual([["user", "Hi"]]);
  appendFileSync(file, said.slice(20) + call("c1", "exec_command", { cmd: "ls" }));
  await rollout.read();
  expect(rollout.entries.slice(1)).toMatchObject([
    { kind: "text", text: "Grüße" },
    { kind: "call", callId: "c1", use: { toolName: "shell", input: { command: "ls" } } },
  ]);
  expect(rollout.entries[2]?.doneAt).toBeUndefined();
  appendFileSync(file, output("c1", "Process exited with code 2\nOutput:\nnone\n"));
  await rollout.read();
  const [, , ran] = rollout.entries;
  expect(ran && endOfEntry(ran)).toEqual({ ok: true, result: { output: "none\n", exitCode: 2 } });

  const later = new Rollout(home, "thread-1", rollout.position);
  await later.read();
  expect(later).toMatchObject({ isRead: true, entries: [] });
});

test("what is not for people to see, or not as expected, is passed over", async () => {
  writeFileSync(
    file,
    [
      call("c1", "write_stdin", { chars: "" }),
      call("c2", "exec_command", ["odd"]),
      line({ type: "function_call", call_id: 7, name: "exec_command", arguments: "{" }),
      line({ type: "item_completed", item: { type: "AgentMessage", content: [null, 7, {}] } }),
      output("c9", [{ text: "of nothing" }]),
      line(null),
      call("c3", "shell", { command: ["bash", "-lc", "pwd"] }),
      output("c3", "aborted by user"),
    ].join(""),
  );
  const rollout = new Rollout(home, "thread-1", 0);
  await rollout.read();
  expect(rollout.entries.map(({ use }) => use?.input["command"])).toEqual(["pwd"]);
  expect(endOfEntry(rollout.entries[0]!)).toMatchObject({
    ok: false,
    error: { message: "aborted by user" },
  });
});

test("no history is no error", async () => {
  for (const from of [home, "/does/not/exist", file]) {
    const rollout = new Rollout(from, "thread-2", 0);
    await rollout.read();
    expect(rollout.isRead).toBe(false);
  }
});
