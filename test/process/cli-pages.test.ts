import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { InteractionRecord } from "../../src/protocol/index.ts";
import { InboxPerson } from "../support/inbox-person.ts";
import { examplesIn, type PageExample, toPattern } from "../support/page-examples.ts";
import { BIN, killAll, ServerProcess } from "./server-process.ts";

/* Every block of shell in these pages is run, and people answer it. CONTRIBUTING says how. */

const PAGES = [
  "docs/guide/asking-from-outside.md",
  "docs/guide/audit.md",
  "docs/guide/claude-code.md",
  "docs/guide/cli.md",
  "docs/reference/cli.md",
];

const ROOT = dirname(dirname(BIN));
const PATH = [process.env["PATH"], join(ROOT, "bin", "path")].join(delimiter);
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

let folder: string;
let server: ServerProcess;
let person: InboxPerson;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-pages-"));
  copyFileSync(join(ROOT, "examples/shell/deploy.sh"), join(folder, "deploy.sh"));
  symlinkSync(join(ROOT, "examples"), join(folder, "examples"));
  server = await ServerProcess.start(
    join(folder, ".beckon"),
    "--plugins",
    join(ROOT, "examples", "plugins"),
  );
});
afterAll(async () => {
  await server.end("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  person = await InboxPerson.connect(server.url, server.token);
});
afterEach(async () => {
  killAll(child);
  await person.client.close();
  const { interactions } = (await server.http("GET", "/api/interactions")).body;
  for (const { id } of interactions as InteractionRecord[]) {
    await server.http("POST", `/api/interactions/${id}/cancel`, {});
  }
});

/** Runs a piece of shell to its end, and has the person answer meanwhile. */
async function run(script: string, answers: PageExample["answers"]) {
  const { BECKON_DATA: _data, CLAUDE_CONFIG_DIR: _config, ...env } = process.env;
  const here = script.replaceAll("http://127.0.0.1:4780", server.url);
  const shell = spawn("sh", ["-eu", "-c", here], {
    cwd: folder,
    // In a group of its own, so that what an example leaves behind ends with it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, PATH, HOME: folder },
  });
  child = shell;
  const said = { stdout: "", stderr: "" };
  shell.stdout.on("data", (piece: Buffer) => (said.stdout += piece.toString()));
  shell.stderr.on("data", (piece: Buffer) => (said.stderr += piece.toString()));
  const ended = once(shell, "close") as Promise<[number | null]>;
  for (const answer of answers) {
    const prompt = await Promise.race([person.next(), ended.then(() => undefined)]);
    if (!prompt) throw new Error(`It ended before it had asked that much: ${said.stderr}`);
    await person.answer(prompt, answer);
  }
  const [code] = await ended;
  return { code, ...said };
}

describe.each(PAGES)("%s", (page) => {
  const examples = examplesIn(read(page)).map((one): [number, PageExample] => [one.line, one]);

  test.each(examples)(
    "the example in line %i does what the page says",
    async (_line, { script, answers, exitCode, prints }) => {
      const { code, stdout, stderr } = await run(script, answers);
      expect(code, stderr).toBe(exitCode);
      if (prints !== undefined) expect(stdout).toMatch(toPattern(prints));
    },
  );
});

test("a deployment that was denied ends with 3 and deploys nothing", async () => {
  const submit = { action: "submit", input: { answer: "production" } };
  const { code, stdout } = await run("./deploy.sh 2.0.0", [submit, { action: "deny" }]);
  expect([code, stdout]).toEqual([3, ""]);
});
