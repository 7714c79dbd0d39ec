import { expect, test } from "vitest";
import { type CallEnd, defineTool, type Turn } from "../../core/index.ts";
import { demoAgent } from "./index.ts";
import { createAgentRegistry } from "../registry.ts";

const tool = defineTool({
  name: "now",
  description: "Tells the time",
  parameters: {},
  handler() {},
});

/** Runs one turn of the demo agent and tells what it did, in order. */
async function play(
  text: string,
  { trigger = "user", call }: { trigger?: Turn["trigger"]; call?: Turn["call"] } = {},
) {
  const did: unknown[][] = [];
  const record = (...entry: unknown[]) => Promise.resolve(void did.push(entry));
  const turn: Turn = {
    sessionId: "s",
    turnId: "t",
    trigger,
    message: { text, words: text, messageId: "m" },
    permissionMode: "default",
    signal: new AbortController().signal,
    tools: [tool],
    text: (block) => record("text", block),
    thinking: (block) => record("thinking", block),
    startText() {
      let whole = "";
      return { write: (piece) => void (whole += piece), end: () => record("text", whole) };
    },
    startInput: () => Promise.reject(new Error("The demo agent has no tools of its own.")),
    async call(name, input) {
      did.push(["call", name, input]);
      return (await call?.(name, input)) ?? { ok: true, result: { name } };
    },
    startCall: () => Promise.reject(new Error("The demo agent has no tools of its own.")),
    keepSettings: async () => {},
    state: null,
    keepState: () => record("keepState"),
    told: async () => ({ texts: [], nativeIds: [] }),
    onMessage() {},
    onSettings() {},
    environment: async (base) => ({ ...base }),
    askingLine: () => undefined,
    usage: () => record("usage"),
    status() {},
  };
  const end = await demoAgent.run(turn);
  return { did, end };
}

test("any text gets a short reply", async () => {
  const { did, end } = await play("hello\nyou");
  expect(did).toEqual([["text", expect.stringContaining("> hello\n> you")]]);
  expect(end).toEqual({ status: "completed" });
});

test("a long text is quoted in part", async () => {
  const { did } = await play("😀".repeat(1_000));
  expect(did[0]?.[1]).toContain(`${"😀".repeat(300)}…`);
  expect(did[0]?.[1]).not.toContain("😀".repeat(301));
});

test("/call makes one call and reports its result", async () => {
  const { did } = await play('/call now {"zone":"UTC"}');
  expect(did).toEqual([
    ["call", "now", { zone: "UTC" }],
    ["text", 'now returned:\n\n```json\n{"name":"now"}\n```'],
  ]);
});

test("a failed call is reported with its code", async () => {
  const error = { code: "unknown_tool", message: "There is no such tool." };
  const { did } = await play("/call nope", { call: () => Promise.resolve({ ok: false, error }) });
  expect(did[1]?.[1]).toContain("nope failed (unknown_tool): There is no such tool.");
});

test("a person's no is told as that, with their words, and without a code", async () => {
  const error = { code: "tool_denied", message: "Not on a Friday." };
  const { did } = await play("/call bash", { call: () => Promise.resolve({ ok: false, error }) });
  expect(did[1]?.[1]).toBe("bash was denied:\n\n> Not on a Friday.");
});

test("what nobody answered in time is told as that", async () => {
  const error = { code: "interaction_timeout", message: "Nobody answered in time." };
  const { did } = await play("/call bash", { call: () => Promise.resolve({ ok: false, error }) });
  expect(did[1]?.[1]).toBe("bash did not go on. Nobody answered in time.");
});

test("/parallel starts every call before it awaits one, and reports them in order", async () => {
  const settle: ((end: CallEnd) => void)[] = [];
  const playing = play("/parallel a | b", {
    call: () => new Promise((resolve) => settle.push(resolve)),
  });
  expect(settle).toHaveLength(2);
  settle[1]?.({ ok: true, result: 2 });
  settle[0]?.({ ok: true, result: 1 });
  const { did } = await playing;
  expect(did.map(([what, detail]) => [what, String(detail).split(" ")[0]])).toEqual([
    ["call", "a"],
    ["call", "b"],
    ["text", "a"],
    ["text", "b"],
  ]);
});

test("a result with backticks cannot end its code block", async () => {
  const { did } = await play("/call now", {
    call: () => Promise.resolve({ ok: true, result: "```" }),
  });
  expect(did[1]?.[1]).toContain('````json\n"```"\n````');
});

test("/help lists the tools", async () => {
  const { did } = await play("/help");
  expect(did[0]?.[1]).toContain("- `now`: Tells the time");
});

test("a malformed command is answered and calls nothing", async () => {
  const { did } = await play("/call now {");
  expect(did).toEqual([["text", expect.stringContaining("not JSON")]]);
});

test("a late answer is acknowledged and never read as a command", async () => {
  const { did } = await play("/call now", { trigger: "late_answer" });
  expect(did).toEqual([["text", expect.stringContaining("your answer has arrived")]]);
});

test("a registry refuses two agents with one id", () => {
  expect(() => createAgentRegistry([demoAgent, demoAgent])).toThrow('Two agents are called "demo"');
  expect(createAgentRegistry([demoAgent]).get("demo")).toBe(demoAgent);
});
