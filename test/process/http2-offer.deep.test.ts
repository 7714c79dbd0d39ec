import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "./server-process.ts";

/* The real curl, which offers to go on in HTTP/2 (`Upgrade: h2c`), gets what it asks for in HTTP/1.1. */

const run = promisify(execFile);
let data: string;
let server: ServerProcess;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-http2-"));
  server = await ServerProcess.start(data);
});
afterAll(async () => {
  await server.end("SIGTERM");
  rmSync(data, { recursive: true, force: true });
});

/** What came back, and what went over the line before it. */
async function curl(path: string, ...more: string[]) {
  const format = "\n%{http_code} %{http_version}";
  const args = ["--silent", "--verbose", "--http2", "--max-time", "60", "--write-out", format];
  const bearer = ["--header", `Authorization: Bearer ${server.token}`];
  const { stdout, stderr } = await run("curl", [...args, ...bearer, ...more, server.url + path]);
  const [body = "", end = ""] = stdout.split(/\n(?=[^\n]*$)/);
  return { body: JSON.parse(body) as Record<string, unknown>, end, stderr };
}

test("curl --http2 gets a normal answer", async () => {
  const { body, end, stderr } = await curl("/api/health");
  expect(stderr).toContain("Upgrade: h2c");
  expect(end).toBe("200 1.1");
  expect(body).toMatchObject({ ok: true });
});

test("curl --http2 with a body does what it asks for, once", async () => {
  const json = ["--header", "Content-Type: application/json"];
  const made = await curl("/api/sessions", ...json, "--data", '{"title":"By curl"}');
  expect(made.end).toBe("201 1.1");
  expect(made.body).toMatchObject({ title: "By curl" });
  const { body } = await curl("/api/sessions");
  expect(body["sessions"]).toEqual([expect.objectContaining({ id: made.body["id"] })]);
});

test("curl --http2 is refused as others are", async () => {
  expect((await curl("/api/nowhere")).end).toBe("404 1.1");
  const { end } = await curl("/api/sessions", "--header", "Origin: http://evil.example");
  expect(end).toBe("403 1.1");
});
