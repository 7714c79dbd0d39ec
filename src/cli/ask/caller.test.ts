import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { run } from "../program.ts";

interface Heard {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Stands for a server of Beckon, and keeps what it was sent. */
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
  request.on("end", () => {
    heard.push({ headers: request.headers, body: JSON.parse(body) });
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"id":"i","sessionId":"s","status":"pending","ok":true,"result":1}');
  });
});
let heard: Heard[];
let url: string;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  heard = [];
});
afterAll(() => server.close());

function beckon(args: string[], env: Record<string, string> = {}) {
  return run(args, {
    out: () => {},
    err: () => {},
    env: { BECKON_URL: url, BECKON_TOKEN: "t", ...env },
    stopSignal: () => new AbortController().signal,
  });
}

const AGENT = { BECKON_SESSION_ID: "s1", BECKON_TOOL_CALL_ID: "call_1" };

test("in an agent's shell the server is told which call runs this, and by which words", async () => {
  await beckon(["ask", 'Which "colour"?', "--no-wait"], AGENT);
  await beckon(["call", "a", "b", '{"x":"ü"}'], AGENT);
  expect(heard[0]?.body).toMatchObject({
    sessionId: "s1",
    caller: { toolCallId: "call_1", command: String.raw`beckon ask "Which \"colour\"?" --no-wait` },
  });
  const { headers } = heard[1] as Heard;
  expect(headers).toMatchObject({ "x-session-id": "s1", "x-caller-tool-call-id": "call_1" });
  expect(decodeURIComponent(String(headers["x-caller-command"]))).toBe(
    String.raw`beckon call a b "{\"x\":\"ü\"}"`,
  );
});

test("in a shell of Codex the call is known by Codex's own name for it", async () => {
  const env = { BECKON_SESSION_ID: "s1", CODEX_TOOL_CALL_ID: "call_2" };
  await beckon(["ask", "Which?", "--no-wait"], env);
  await beckon(["ask", "Which?", "--no-wait"], { ...env, ...AGENT });
  expect(heard.map(({ body }) => body)).toMatchObject([
    { caller: { toolCallId: "call_2" } },
    { caller: { toolCallId: "call_1" } },
  ]);
});

test("a long command is cut, and its emoji are not", async () => {
  await beckon(["call", "a", "b", JSON.stringify({ text: "😀".repeat(3_000) })], AGENT);
  const command = decodeURIComponent(String(heard[0]?.headers["x-caller-command"]));
  expect(Array.from(command)).toHaveLength(1_000);
  expect(command.endsWith("😀")).toBe(true);
});

test("a call whose id no header can carry is found by the words alone", async () => {
  const env = { ...AGENT, BECKON_TOOL_CALL_ID: "Ruf\n✓" };
  expect(await beckon(["call", "a", "b"], env)).toBe(0);
  expect(heard[0]?.headers).not.toHaveProperty("x-caller-tool-call-id");
  expect(heard[0]?.headers).toHaveProperty("x-caller-command");
});

test("elsewhere nobody is told what was typed", async () => {
  await beckon(["ask", "Which?", "--no-wait"]);
  await beckon(["call", "a", "b"]);
  expect(heard[0]?.body).not.toHaveProperty("caller");
  expect(Object.keys(heard[1]?.headers ?? {}).join()).not.toContain("caller");
  expect(heard[1]?.headers["x-session-id"]).toBe("own");
});
