import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Quota, QUOTAS } from "../../protocol/index.ts";
import { run } from "../program.ts";

/** What is replied, one after the other; the last one again and again. */
let replies: [status: number, headers: Record<string, string>, body: object][];
let asked: number[];
let callIds: unknown[];
const server = createServer((request, response: ServerResponse) => {
  request.resume();
  asked.push(performance.now());
  callIds.push(request.headers["x-tool-call-id"]);
  const [status, headers, body] = (replies.length > 1 ? replies.shift() : replies[0])!;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
});
let url: string;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  callIds = [];
});

const answered = {
  id: "p",
  status: "answered",
  request: { interactionType: "approval" },
  response: { action: "approve", responder: { id: "o" } },
};
const tooMany = { error: "The most for one machine is reached.", code: "too_many", limit: 3 };
const tooOften = { ...tooMany, quota: "requestsPerMinute" };
const COUNTS = (Object.keys(QUOTAS) as Quota[]).filter((quota) => !quota.endsWith("PerMinute"));

async function beckon(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await run(args, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    env: { BECKON_URL: url, BECKON_TOKEN: "t" },
    stopSignal: () => new AbortController().signal,
  });
  return { exitCode, out, err };
}

test.each([
  ["429", 429, { ...tooOften, retryAfter: 1 }],
  ["503", 503, { error: "The disk is full.", code: "store_unavailable" }],
])("a command that waits anyway waits out the Retry-After of a %s", async (_name, status, body) => {
  replies = [
    [status, { "retry-after": "1" }, body],
    [200, {}, answered],
  ];
  expect(await beckon("wait", "p")).toMatchObject({ exitCode: 0 });
  expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(990);
});

test("call waits it out too, and makes the same call again", async () => {
  replies = [
    [429, { "retry-after": "1" }, { ...tooOften, quota: "asksPerMinute", retryAfter: 1 }],
    [200, {}, { ok: true, result: 1 }],
  ];
  expect(await beckon("call", "tools", "echo")).toMatchObject({ exitCode: 0, out: ["1"] });
  expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(990);
  expect(callIds).toEqual([expect.stringMatching(/./), callIds[0]]);
});

// The server names a time for these as well: when to look whether somebody has made room.
test.each([undefined, ...COUNTS])(
  "a bound that no time lifts is told at once: %s",
  async (quota) => {
    replies = [[429, { "retry-after": "10" }, { ...tooMany, quota, retryAfter: quota && 10 }]];
    for (const command of [
      ["confirm", "Now?"],
      ["call", "tools", "echo"],
      ["wait", "p"],
    ]) {
      asked = [];
      const { exitCode, err } = await beckon(...command);
      expect([exitCode, err, asked.length]).toEqual([1, [tooMany.error], 1]);
    }
  },
);

test("a time that ends before Retry-After does ends the wait", async () => {
  replies = [[429, { "retry-after": "60" }, { ...tooOften, retryAfter: 60 }]];
  expect((await beckon("wait", "p", "--timeout", "1s")).exitCode).toBe(8);
});
