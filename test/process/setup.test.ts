import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Terminal } from "../support/terminal.ts";
import { BIN, ServerProcess } from "./server-process.ts";

let home: string;
let data: string;
let terminal: Terminal | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "beckon-setup-"));
  data = join(home, ".beckon");
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin", "claude"), "#!/bin/sh\n", { mode: 0o755 });
});
afterEach(() => {
  terminal?.kill();
  rmSync(home, { recursive: true, force: true });
});

function setup(): Terminal {
  const path = `${join(home, "bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
  const env = { HOME: home, PATH: path, BECKON_DATA: data };
  const command = `cd ${home} && ${process.execPath} ${BIN} setup`;
  return (terminal = new Terminal(command, { columns: 160, rows: 60, env }));
}

test("in a terminal it asks, shows what it would write, and writes nothing after a no", async () => {
  const asked = setup();
  await asked.sees("Install one now? (claude, codex; empty for none)");
  asked.type("\r");
  await asked.sees("Agent of new sessions: [claude-cli]");
  asked.type("\r");
  await asked.sees(`Folder in which they work (empty: where the server is started): [${home}]`);
  asked.type("\r");
  await asked.sees("Do all of this? [y/N]");
  expect(asked.screen).toContain("Let Claude Code in a terminal ask here:");
  asked.type("\r");
  expect(await asked.end()).toBe(5);
  expect(asked.screen).toContain("Nothing was written.");
  expect(existsSync(data) || existsSync(join(home, ".claude"))).toBe(false);
});

test("after a yes it is written, and the address of the server that runs is printed", async () => {
  const server = await ServerProcess.start(data);
  try {
    const asked = setup();
    await asked.sees("empty for none");
    asked.type("\r");
    await asked.sees("Agent of new sessions:");
    asked.type("\r");
    await asked.sees("Folder in which");
    asked.type("\r");
    await asked.sees("[y/N]");
    asked.type("y\r");
    expect(await asked.end()).toBe(0);
    expect(asked.screen).toContain("Done: Let Claude Code in a terminal ask here.");
    expect(asked.screen).toMatch(/Beckon listens on http:\/\/127\.0\.0\.1:\d+\/#code=bk_/);
    expect(asked.screen).toContain("What was set counts from the server's next start.");
    expect(JSON.parse(readFileSync(join(data, "settings.json"), "utf8"))).toEqual({
      defaults: { agent: "claude-cli", cwd: home },
    });
  } finally {
    await server.end("SIGTERM");
  }
  const again = await ServerProcess.start(data);
  try {
    const { body } = await again.http("POST", "/api/sessions", {});
    expect(body.agent).toBe("claude-cli");
    expect((await again.http("GET", "/api/agents")).body.agents[0].id).toBe("claude-cli");
  } finally {
    await again.end("SIGTERM");
  }
});

test("Ctrl+C in the middle of its questions writes nothing, and ends as interrupted", async () => {
  const asked = setup();
  await asked.sees("empty for none");
  asked.type("\u0003");
  expect(await asked.end()).toBe(130);
  expect(existsSync(data)).toBe(false);
});
