import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { codeIn, readHere } from "../support/guide-folder.ts";
import { Terminal } from "../support/terminal.ts";
import { BIN, ServerProcess } from "./server-process.ts";

const execute = promisify(execFile);
const guide = await readHere("docs/guide/terminal.md");

let data: string;
let server: ServerProcess;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-guide-"));
  server = await ServerProcess.start(data);
});
afterAll(async () => {
  await server.end("SIGTERM");
  rmSync(data, { recursive: true, force: true });
});

const ask = async (body: object) =>
  (await server.http("POST", "/api/interactions", body)).body.id as string;

const option = (label: string) => ({ label });

/** A tool's approval, which may be for longer than once. */
async function askToRun(command: string): Promise<string> {
  const session = (await server.http("POST", "/api/sessions", {})).body;
  const content = `/call bash ${JSON.stringify({ command })}`;
  await server.http("POST", `/api/sessions/${session.id}/messages`, { content });
  const waiting = `/api/interactions?status=pending&sessionId=${session.id}`;
  const first = async () => (await server.http("GET", waiting)).body.interactions[0]?.id;
  await expect.poll(first).toBeDefined();
  return first();
}

/** A prompt that the line of the guide can answer. */
function askFor(line: string): Promise<string> {
  if (line.includes("--scope")) return askToRun("true");
  if (/--approve|--deny/.test(line)) return ask({ type: "approval" });
  if (line.includes("0=")) {
    const question = { header: "Q", question: "Which?", options: [option("Blue"), option("Red")] };
    return ask({ type: "input", questions: [question, { ...question, multiSelect: true }] });
  }
  const fields = [
    { id: "host", type: "text", label: "Host" },
    { id: "copies", type: "number", label: "Copies" },
  ];
  return ask({ type: "input", inputSchema: { type: "form", fields } });
}

test("every line of the guide runs as it stands", async () => {
  const { id: session } = (await server.http("POST", "/api/sessions", {})).body;
  const lines = codeIn(guide, "sh").flatMap((block) => block.trim().split("\n"));
  expect(lines.length).toBeGreaterThan(10);
  const path = `${dirname(BIN)}/path:${process.env["PATH"]}`;
  const runLine = async (line: string) => {
    const id = / ID\b/.test(line) ? await askFor(line) : undefined;
    const command = line.replace(/\bID\b/, id ?? "").replace(/\bSESSION\b/, session);
    await execute("bash", ["-euo", "pipefail", "-c", command], {
      env: { ...process.env, BECKON_DATA: data, PATH: path },
    });
    if (id === undefined) return;
    const record = (await server.http("GET", `/api/interactions/${id}`)).body;
    expect([line, record.status]).toEqual([line, "answered"]);
  };
  await Promise.all(lines.map(runLine));
});

test("the screen of the guide is the one that is seen", async () => {
  const id = await ask({
    type: "approval",
    toolName: "release",
    prompt: "Publish shop 2.4.0?",
    toolInput: { command: "npm publish", tag: "latest" },
    timeoutMs: 3_600_000,
  });
  const command = `${process.execPath} ${BIN} answer ${id} --data ${data}`;
  const terminal = new Terminal(command, { columns: 71 });
  onTestFinished(() => terminal.kill());
  await terminal.sees("Nothing is decided.");
  const screen = terminal.screen.trim().replace(/\d+ min \d+ s/, "59 min 59 s");
  expect(`${screen}\n`).toBe(codeIn(guide, "text")[0]);
  terminal.type("\u0003");
  expect(await terminal.end()).toBe(130);
});
