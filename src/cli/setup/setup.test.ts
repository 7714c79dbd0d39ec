import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../../test/support/run-command.ts";

let home: string;
let data: string;
let bin: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "beckon setup's "));
  data = join(home, "data");
  bin = join(home, "bin");
  mkdirSync(bin);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function setup(...args: string[]) {
  const env = { HOME: home, PATH: `${bin}:/usr/bin:/bin` };
  const { out, ...rest } = await runCommand(["setup", "--data", data, ...args], { env });
  return { ...rest, out: out.join("\n") };
}

function program(name: string, script = "exit 0"): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const read = (...path: string[]) => readFileSync(join(home, ...path), "utf8");
/** Does what npm does with the SDK, and notes how it was called. */
const NPM = `echo "$@" > "$HOME/npm-was-told"
package="$3/node_modules/@anthropic-ai/claude-agent-sdk"
mkdir -p "$package" && echo '{ "main": "sdk.mjs" }' > "$package/package.json"`;

test("without a terminal and without --yes it says what it would do, and writes nothing", async () => {
  program("claude");
  const { exitCode, out } = await setup("--cwd", home);
  expect(exitCode).toBe(0);
  expect(out).toContain(`claude      Claude is not here: npm install --prefix '`);
  expect(out).toContain("claude-cli  Claude Code is here");
  expect(out).toContain("codex       Codex is not here: npm install -g @openai/codex");
  expect(out).toContain(`into ${join(home, ".claude", "settings.json")}, beside what is there:`);
  expect(out).toContain('"PermissionRequest"');
  expect(out).toContain(`"defaults": {"agent":"claude-cli","cwd":${JSON.stringify(home)}}`);
  expect(out).toContain("Nothing was written.");
  expect(existsSync(data)).toBe(false);
  expect(existsSync(join(home, ".claude"))).toBe(false);
});

test("with --yes all of it is written, and a second run changes nothing", async () => {
  program("claude");
  const first = await setup("--yes", "--cwd", home);
  expect(first.exitCode).toBe(0);
  expect(JSON.parse(read("data", "settings.json"))).toEqual({
    defaults: { agent: "claude-cli", cwd: home },
  });
  expect(read(".claude", "settings.json")).toContain("hook claude");
  expect(first.out).toContain("To undo it: node bin/beckon.js connect claude --remove");
  expect(first.out).toContain(`To undo it: delete ${join(data, "settings.json")}`);

  const files = () =>
    [
      ["data", "settings.json"],
      ["data", "hook-token"],
      [".claude", "settings.json"],
    ].map((path) => read(...path));
  const before = files();
  const second = await setup("--yes");
  expect(second.exitCode).toBe(0);
  expect(second.out).not.toContain("Done:");
  expect(second.out).toContain("As it should be: Claude Code in a terminal asks here");
  expect(second.out).toContain(`As it should be: New sessions are with claude-cli, in ${home}`);
  expect(files()).toEqual(before);
});

test("what Claude Code was connected with stays, and so does the rest of the settings", async () => {
  program("claude");
  await runCommand(["connect", "claude", "--write", "--guard", "Bash", "--data", data], {
    env: { HOME: home },
  });
  const hooks = read(".claude", "settings.json");
  writeFileSync(join(data, "settings.json"), '{ "defaults": { "timeoutMs": 60000 }, "bash": {} }');
  expect((await setup("--yes")).exitCode).toBe(0);
  expect(read(".claude", "settings.json")).toBe(hooks);
  expect(JSON.parse(read("data", "settings.json"))).toEqual({
    defaults: { timeoutMs: 60_000, agent: "claude-cli" },
    bash: {},
  });
  expect(read("data", "settings.json.before-beckon")).toContain('"bash": {} }');
});

test("with --no-hooks the settings of Claude Code are left alone", async () => {
  program("claude");
  expect((await setup("--yes", "--no-hooks")).exitCode).toBe(0);
  expect(existsSync(join(home, ".claude"))).toBe(false);
});

test("the SDK is installed on request, into the data directory, and is the agent then", async () => {
  program("npm", NPM);
  expect((await setup("--yes")).out).not.toContain("Done:");
  expect(existsSync(join(home, "npm-was-told"))).toBe(false);
  const { exitCode, out } = await setup("--yes", "--install", "claude");
  expect(exitCode).toBe(0);
  expect(read("npm-was-told").trim()).toBe(
    `install --prefix ${join(data, "agents")} @anthropic-ai/claude-agent-sdk`,
  );
  expect(out).toContain(
    "Done: Install the Claude Agent SDK, for the agent Claude. To undo it: npm uninstall",
  );
  expect(JSON.parse(read("data", "settings.json"))).toEqual({ defaults: { agent: "claude" } });
  const { out: again } = await setup("--yes", "--install", "claude");
  expect(again).toContain("Claude is here");
  expect(again).not.toContain("Done:");
});

test("an npm that fails is told of, and nothing after it is written", async () => {
  program("npm", "exit 7");
  const { exitCode, err } = await setup("--yes", "--install", "claude");
  expect(exitCode).toBe(1);
  expect(err).toContain("the Claude Agent SDK was not installed; npm says why above.");
  expect(existsSync(join(data, "settings.json"))).toBe(false);
});

test("an agent that is not there, or that nobody knows, is refused with what to do", async () => {
  const missing = await setup("--yes", "--agent", "codex");
  expect(missing).toMatchObject({ exitCode: 1 });
  expect(missing.err).toBe(
    "Codex needs the Codex CLI, which is not installed here. Install it with: npm install -g @openai/codex",
  );
  const unknown = await setup("--yes", "--agent", "hal");
  expect(unknown).toMatchObject({ exitCode: 2 });
  expect(unknown.err).toContain("Choose one of: demo, claude, claude-cli, codex.");
  expect(await setup("--yes", "--cwd", join(home, "none"))).toMatchObject({ exitCode: 2 });
  expect(existsSync(join(data, "settings.json"))).toBe(false);
});

test("--json is one object, with what would be done", async () => {
  program("codex");
  const { exitCode, out } = await setup("--json", "--agent", "codex");
  expect(exitCode).toBe(0);
  const { agents, steps } = JSON.parse(out);
  expect(agents).toContainEqual({ id: "codex", name: "Codex", installed: true });
  expect(agents).toContainEqual({
    id: "claude-cli",
    name: "Claude Code",
    installed: false,
    install: "npm install -g @anthropic-ai/claude-code",
  });
  expect(steps).toMatchObject([{ what: "Set what a new session gets", done: false }]);
});
