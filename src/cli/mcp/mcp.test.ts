import { expect, test } from "vitest";
import { run } from "../program.ts";

type Message = Record<string, unknown>;

interface Reply {
  id: number | string | null;
  result?: { tools?: unknown; content?: { type: string; text: string }[] };
  error?: { code: number };
}

/** Hands these lines to `beckon mcp permission` and gives what it wrote. */
async function speak(...lines: (Message | string)[]): Promise<Reply[]> {
  const cancelled = lines.filter((line) => (line as Message)["params"] === CANCELS).length;
  const expected = lines.filter(isRequest).length - cancelled;
  const out: string[] = [];
  const exitCode = await run(["mcp", "permission", "--data", "/nowhere/at/all"], {
    out: (line) => void out.push(line),
    err: (line) => void out.push(line),
    async *stdin() {
      for (const line of lines) {
        yield Buffer.from(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
      }
      // Whoever hangs up before the reply is there gets none.
      while (out.length < expected) await new Promise(setImmediate);
    },
    env: {},
    stopSignal: () => AbortSignal.abort(),
  });
  expect(exitCode).toBe(0);
  return out.map((line) => JSON.parse(line) as Reply);
}

/** Takes back the call with the id 1. */
const CANCELS = { requestId: 1 };

const isRequest = (line: Message | string) =>
  typeof line === "string" ? line.trim() !== "" : !("method" in line) || "id" in line;

const request = (id: number | string, method: string, params?: unknown): Message => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

test.each([
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2024-11-05", "2024-11-05"],
  ["2026-07-28", "2025-11-25"],
  ["1999-01-01", "2025-11-25"],
  [undefined, "2025-11-25"],
])("a client of %s is answered in %s", async (protocolVersion, expected) => {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const [reply] = await speak(request(0, "initialize", params));
  expect(reply).toMatchObject({
    jsonrpc: "2.0",
    id: 0,
    result: {
      protocolVersion: expected,
      capabilities: { tools: {} },
      serverInfo: { name: "beckon", version: expect.any(String) },
    },
  });
});

test("what Claude Code tries first is refused by its code, and the rest is answered", async () => {
  const replies = await speak(
    request("server-discover-probe-1", "server/discover", { _meta: {} }),
    request(0, "initialize", { protocolVersion: "2025-11-25" }),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "gone" } },
    { jsonrpc: "2.0", method: "notifications/cancelled" },
    request(1, "ping"),
    request(2, "tools/list"),
  );
  expect(replies.map(({ id }) => id)).toEqual(["server-discover-probe-1", 0, 1, 2]);
  expect(replies[0]?.error).toMatchObject({ code: -32_601, message: expect.any(String) });
  expect(replies[2]?.result).toEqual({});
  expect(replies[3]?.result?.tools).toMatchObject([
    { name: "approve", inputSchema: { type: "object", required: ["tool_name", "input"] } },
  ]);
});

test("what is no request is told so, and ends nothing", async () => {
  const replies = await speak(
    "{",
    "",
    "7",
    "null",
    "[]",
    { jsonrpc: "2.0", id: 5 },
    request(1, "constructor"),
    request(2, "tools/call", { name: "toString", arguments: {} }),
    request(3, "tools/call"),
    request(4, "ping"),
  );
  const codes = replies.map(({ id, error }) => [id, error?.code]);
  expect(codes).toEqual([
    [null, -32_700],
    [null, -32_600],
    [null, -32_600],
    [null, -32_600],
    [5, -32_600],
    [1, -32_601],
    [2, -32_602],
    [3, -32_602],
    [4, undefined],
  ]);
});

test("with no server to ask, the tool is denied in words", async () => {
  const args = { tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t" };
  const [reply] = await speak(request(1, "tools/call", { name: "approve", arguments: args }));
  const [block] = reply?.result?.content ?? [];
  expect(block?.type).toBe("text");
  expect(JSON.parse(block?.text ?? "")).toEqual({
    behavior: "deny",
    message:
      "Nobody could be asked, so this did not run. No server of Beckon is running on " +
      "/nowhere/at/all. Start one with: beckon serve",
  });
});

test("a call that was cancelled gets no reply, and the next one does", async () => {
  const args = { tool_name: "Bash", input: {} };
  const replies = await speak(
    request(1, "tools/call", { name: "approve", arguments: args }),
    { jsonrpc: "2.0", method: "notifications/cancelled", params: CANCELS },
    request(2, "ping"),
  );
  expect(replies.map(({ id }) => id)).toEqual([2]);
});
