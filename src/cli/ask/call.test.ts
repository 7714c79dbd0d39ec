import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";
import type { InboxPerson } from "../../../test/support/inbox-person.ts";

const operation = (id: string, more: object = {}) => ({
  id,
  summary: id,
  durable: "replay",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  ...more,
});
const MANIFEST = {
  id: "tools",
  version: "1",
  operations: [
    operation("echo"),
    operation("held", { approval: {} }),
    operation("ask"),
    operation("hurry"),
    operation("fail"),
  ],
};
const CODE = `
const asks = (more) => ({ text }, ctx) => ctx.requestInteraction({
  type: "approval", prompt: text, whenUnavailable: "wait", ...more,
  onResponse: (response) => ({ complete: response.action }),
});
export default { operations: {
  echo: ({ text }) => ({ text }),
  held: () => "done",
  ask: asks({ timeoutMs: null }),
  hurry: asks({ timeoutMs: 1000 }),
  fail: () => { throw new Error("It broke\\u001b[2J."); },
} };
`;

let plugin: string;
let at: CommandLine;
let person: InboxPerson;

beforeAll(async () => {
  plugin = mkdtempSync(join(tmpdir(), "beckon-call-"));
  writeFileSync(join(plugin, "manifest.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(plugin, "index.mjs"), CODE);
  at = await CommandLine.start("--plugins", plugin);
  person = await at.person();
});
afterAll(async () => {
  await at[Symbol.asyncDispose]();
  rmSync(plugin, { recursive: true, force: true });
});

const call = (operationId: string, ...args: string[]) =>
  at.beckon(["call", "tools", operationId, ...args]);

test("the result is printed as JSON, for a program and for a person", async () => {
  expect(await call("echo", '{"text":"hi"}')).toEqual({
    exitCode: 0,
    out: ['{"text":"hi"}'],
    err: "",
  });
  expect(await call("echo", '{"text":"hi"}', "--json")).toMatchObject({
    out: ['{"ok":true,"result":{"text":"hi"}}'],
  });
  const args = ["call", "tools", "echo", "-"];
  const shown = await at.beckon(args, { stdin: '{"text":"a\u202e"}', isTerminal: true });
  expect(shown.out).toEqual(['{\n  "text": "a\\u{202E}"\n}']);
});

test("without a session it runs in one of the caller's own, and the log says who called", async () => {
  const env = { BECKON_TOKEN: await at.newToken("machine", "ci") };
  const { exitCode } = await at.beckon(["call", "tools", "echo"], { env });
  expect(exitCode).toBe(0);
  const { sessions } = await at.http("GET", "/api/sessions");
  const own = sessions.find(({ title }: { title: string }) => title === "Asked by ci");
  const { events } = await at.http("GET", `/api/sessions/${own.id}/events`);
  expect(events).toMatchObject([
    { type: "tool_call", payload: { toolName: "tools_echo", origin: "cli" } },
    { type: "tool_result", payload: { ok: true } },
  ]);
  for (const event of events) expect(event).not.toHaveProperty("turnId");
});

test.each([
  ["1: it failed", "fail", undefined, 1, "It broke\\u{1B}[2J."],
  ["3: it was denied", "held", { action: "deny", reason: "No." }, 3, "No."],
  ["0: it was approved", "held", { action: "approve" }, 0, ""],
  ["124: nobody answered it in time", "hurry", undefined, 124, "in time"],
] as const)("%s", async (_what, id, answer, exitCode, words) => {
  const running = at.start(["call", "tools", id]);
  if (answer) await person.say(answer);
  const ended = await running.done;
  expect(ended).toMatchObject({ exitCode, err: expect.stringContaining(words) });
  expect(ended.out).toEqual(exitCode === 0 ? ['"done"'] : []);
  if (id === "hurry") await person.next();
});

test("5: what it asked was withdrawn", async () => {
  const running = at.start(["call", "tools", "ask", "--json"]);
  const { id } = await person.next();
  await at.beckon(["cancel", id]);
  const { exitCode, out } = await running.done;
  expect(exitCode).toBe(5);
  expect(JSON.parse(out.join(""))).toMatchObject({ ok: false, code: "interaction_cancelled" });
});

test("1: there is no such operation, or its arguments do not fit", async () => {
  expect(await call("none")).toEqual({
    exitCode: 1,
    out: [],
    err: "There is no operation tools/none.",
  });
  expect((await call("echo", '{"text":1}')).exitCode).toBe(1);
  // What the server says may hold words of others.
  expect((await call("none\u001b[2J")).err).toBe("There is no operation tools/none\\u{1B}[2J.");
});

test("130: interrupted; the same key goes on with the same call", async () => {
  const args = ["call", "tools", "ask", '{"text":"Go?"}', "--key", "release 1.2"];
  const first = at.start(args);
  const prompt = await person.next();
  first.stop();
  expect(await first.done).toMatchObject({
    exitCode: 130,
    out: [],
    err: expect.stringContaining("the same key"),
  });
  await person.answer(prompt, { action: "approve" });
  expect(await at.beckon(args)).toEqual({ exitCode: 0, out: ['"approve"'], err: "" });
  for (const other of [["ask", '{"text":"No?"}'], ["echo"]]) {
    expect(await call(...(other as [string]), "--key", "release 1.2")).toMatchObject({
      exitCode: 1,
      err: 'Under the key "release 1.2" something else was called before: give another call another key.',
    });
  }
});

test("a call goes on over a server that stops and starts again", async () => {
  const running = at.start(["call", "tools", "ask", '{"text":"Still?"}']);
  const prompt = await person.next();
  await at.stopServer();
  await running.said("away");
  await at.serve();
  person = await at.person();
  await person.answer(prompt, { action: "approve" });
  expect(await running.done).toMatchObject({ exitCode: 0, out: ['"approve"'] });
});
