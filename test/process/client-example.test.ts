import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BIN, ServerProcess } from "./server-process.ts";

/* What examples/client/README.md says, done. */

let data: string;
let server: ServerProcess;
let client: ChildProcess;
let heard = "";

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-client-"));
  server = await ServerProcess.start(data);
});
afterAll(async () => {
  client?.kill("SIGKILL");
  await server?.end("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

const say = (line: string) => void client.stdin?.write(`${line}\n`);
const hears = async (text: string) => {
  await expect.poll(() => heard).toContain(text);
};

test("the client goes on after the server was killed, and hears every event once", async () => {
  client = spawn(process.execPath, ["examples/client/main.js"], {
    cwd: dirname(dirname(BIN)),
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, BECKON_URL: server.url, BECKON_TOKEN: server.token },
  });
  client.stdout?.on("data", (piece: Buffer) => (heard += piece.toString()));

  say('/call ask_user {"question":"Which colour?"}');
  await hears("interaction_request Which colour?");
  const port = new URL(server.url).port;
  await server.end("SIGKILL");
  // Nobody is there to take it; it is kept and sent again.
  say("blue");
  server = await ServerProcess.start(data, "--port", port);
  await hears('"answer":"blue"');
  await hears("turn_end");

  say('/call bash {"command":"echo hello"}');
  await hears('interaction_request Allow bash? (y) {"command":"echo hello"');
  say("y");
  await hears("hello\\n");

  client.stdin?.end();
  expect(await once(client, "exit")).toEqual([0, null]);
  const seqs = Array.from(heard.matchAll(/^(\d+) [a-z_]+/gm), ([, seq]) => Number(seq));
  expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
  expect(seqs.length).toBeGreaterThan(15);
});

test("without a server the client says what to do", async () => {
  // Nothing listens on port 1.
  const alone = spawn(process.execPath, ["examples/client/main.js"], {
    cwd: dirname(dirname(BIN)),
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, BECKON_URL: "http://127.0.0.1:1", BECKON_TOKEN: "any" },
  });
  const words = text(alone.stderr);
  expect(await once(alone, "exit")).toEqual([1, null]);
  expect(await words).toContain("Start one in another terminal: npm start");
});
