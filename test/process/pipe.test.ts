import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BIN, ServerProcess } from "./server-process.ts";

let data: string;
let server: ServerProcess;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-pipe-"));
  server = await ServerProcess.start(data);
});
afterAll(async () => {
  await server.end("SIGTERM");
  rmSync(data, { recursive: true, force: true });
});

/** What a line of shell prints, both on stdout and on stderr. */
async function shell(line: string): Promise<string> {
  const child = spawn("sh", ["-c", `{ ${line}; } 2>&1`], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  return said;
}

/** How many events the session of a question has, which stays open. */
async function quietSession(): Promise<{ id: string; events: number }> {
  const { body } = await server.http("POST", "/api/interactions", { type: "approval" });
  const session = await server.http("GET", `/api/sessions/${body.sessionId}`);
  return { id: body.sessionId, events: session.body.lastSeq };
}

function tail(id: string, from = "--all"): string {
  const command = `${process.execPath} ${BIN} tail ${id} ${from} --json --data ${data}`;
  return `(${command}; echo "ended $?" >&2)`;
}

test("tail ends when its reader has had everything that there is, and leaves", async () => {
  const { id, events } = await quietSession();
  expect(events).toBeGreaterThan(0);
  const said = await shell(`${tail(id)} | head -n ${events}`);
  const lines = said.trim().split("\n");
  expect(lines.slice(0, events).map((line) => JSON.parse(line).seq)).toEqual(
    Array.from({ length: events }, (_, at) => at + 1),
  );
  expect(lines.slice(events)).toEqual(["ended 0"]);
});

test("tail ends when its reader leaves before there is anything to read", async () => {
  const { id } = await quietSession();
  expect(await shell(`${tail(id, "")} | true`)).toBe("ended 0\n");
});
