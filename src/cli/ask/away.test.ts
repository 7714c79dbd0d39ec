import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { run } from "../program.ts";

/** Somebody is there, and never replies. */
const server = createServer((request) => void request.socket.destroy());
let url: string;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
afterEach(() => void vi.restoreAllMocks());

async function beckon(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await run(args, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    env: { BECKON_URL: url, BECKON_TOKEN: "t" },
    stopSignal: () => new AbortController().signal,
  });
  return { exitCode, out, err: err.at(-1) };
}

test("wait ends in its time also where no server replies", async () => {
  expect(await beckon("wait", "x", "--timeout", "1s")).toEqual({
    exitCode: 8,
    out: [],
    err: "The server is away, and has not said what became of it. Ask later: beckon wait x",
  });
});

test("a question ends in its time also where no server has said that it asks", async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
  const { exitCode, out, err } = await beckon("confirm", "Now?", "--timeout", "1s");
  expect({ exitCode, out }).toEqual({ exitCode: 124, out: [] });
  expect(err).toBe("The time is over, and the server is away: it has not said that it asks.");
});
