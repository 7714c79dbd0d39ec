import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BIN, ServerProcess } from "./server-process.ts";

const execute = promisify(execFile);
let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "beckon-audit-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Runs it as a user would, and gives what it prints; throws if it finds a problem. */
async function audit(...args: string[]): Promise<string> {
  const { stdout } = await execute(process.execPath, [BIN, "audit", ...args, "--data", data]);
  return stdout.trim();
}

/** People in five sessions who ask and answer as fast as the server can. */
async function load(server: ServerProcess): Promise<{ answered: () => number }> {
  let answered = 0;
  for (let person = 0; person < 5; person++) {
    const client = await server.person();
    const session = (await server.http("POST", "/api/sessions", {})).body;
    await client.subscribe(session.id);
    const converse = async () => {
      for (let turn = 1; ; turn++) {
        await client.say(session.id, '/call ask_user {"question":"Which?"}');
        const request = await client.event("interaction_request", turn);
        await client.answer(request, { action: "submit", input: { answer: `${turn}` } });
        answered++;
      }
    };
    // Ends when the server does.
    converse().catch(() => {});
  }
  return { answered: () => answered };
}

test("killed under load three times, the record is whole, with the server running and without", async () => {
  let listed = 0;
  for (let round = 1; round <= 3; round++) {
    const server = await ServerProcess.start(data);
    const { answered } = await load(server);
    const beside = await audit("verify");
    expect(beside).toMatch(/whole$/);
    await expect.poll(answered).toBeGreaterThan(20);
    await server.end("SIGKILL");
    expect(await audit("verify")).toMatch(/^\d+ sessions, \d+ events.*, whole$/);
    const decisions = (await audit("list")).split("\n").length;
    // Every answer that was acknowledged is there.
    expect(decisions).toBeGreaterThanOrEqual(listed + answered());
    listed = decisions;
  }
  const again = await ServerProcess.start(data);
  expect(await again.end("SIGTERM")).toBe(0);
  expect(await audit("verify")).toMatch(/^15 sessions, \d+ events, whole$/);
});
