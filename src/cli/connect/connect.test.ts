import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withData } from "../data.ts";
import { runCommand } from "../../../test/support/run-command.ts";

let home: string;
let settings: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "beckon connect's "));
  settings = join(home, ".claude", "settings.json");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function connect(...args: string[]) {
  const line = ["connect", "claude", "--data", join(home, "data"), ...args];
  const { out, ...rest } = await runCommand(line, { env: { HOME: home } });
  return { ...rest, out: out.join("\n") };
}

const read = () => readFileSync(settings, "utf8");
const hooks = () => JSON.parse(read()).hooks;
function have(text: string): void {
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, text);
}

const OTHERS = `{
  // KEEP
  "model": "opus",   "permissions": {"allow": ["Bash(ls:*)"]},
  "hooks": {
    "Stop": [],
    "PermissionRequest": [{ "matcher": "Write", "hooks": [{ "type": "command", "command": "mine" }] }]
  },
  "last": 1
}
`.replace("  // KEEP\n", "");

test("without a wish it shows what to do, and changes nothing", async () => {
  const { exitCode, out } = await connect();
  expect(exitCode).toBe(0);
  expect(out).toContain("--permission-prompt-tool mcp__beckon__approve");
  expect(out).toContain('"PermissionRequest"');
  expect(() => read()).toThrow("ENOENT");
  expect(() => statSync(join(home, "data"))).toThrow("ENOENT");
});

test("the settings are made where there are none, with a token for machines", async () => {
  expect((await connect("--write")).exitCode).toBe(0);
  const [group] = hooks().PermissionRequest;
  expect(group).toMatchObject({ matcher: "*", hooks: [{ type: "command", timeout: 604_800 }] });
  expect(group.hooks[0].command).toContain("bin/beckon.js hook claude --data ");
  const token = join(home, "data", "hook-token");
  expect(statSync(token).mode & 0o777).toBe(0o600);
  const who = await withData({ directory: join(home, "data") }, ({ credentials }) =>
    credentials.authenticate(readFileSync(token, "utf8").trim()),
  );
  expect(who).toMatchObject({ kind: "machine", name: "Claude Code", sessionId: null });
});

test("what others wrote stays, and a second time changes nothing", async () => {
  have(OTHERS);
  await connect("--write", "user", "--guard", "Bash|Write", "--timeout", "never");
  const written = read();
  expect(hooks()).toMatchObject({
    Stop: [],
    PermissionRequest: [{ matcher: "Write" }, { matcher: "*", hooks: [{ timeout: 604_800 }] }],
    PreToolUse: [{ matcher: "Bash|Write", hooks: [{ onFailure: "block" }] }],
  });
  const [start = "", end = ""] = OTHERS.split(/"hooks": \{.*\n {2}\}/s);
  expect(written.startsWith(start)).toBe(true);
  expect(written.endsWith(end)).toBe(true);
  expect(readFileSync(`${settings}.before-beckon`, "utf8")).toBe(OTHERS);
  const token = readFileSync(join(home, "data", "hook-token"), "utf8");
  const again = await connect("--write", "user", "--guard", "Bash|Write", "--timeout", "never");
  expect([again.exitCode, read()]).toEqual([0, written]);
  expect(readFileSync(join(home, "data", "hook-token"), "utf8")).toBe(token);
});

test("other wishes replace those of before", async () => {
  await connect("--write", "--guard", "Bash");
  await connect("--write", "--timeout", "2h");
  expect(hooks()).toEqual({
    PermissionRequest: [{ matcher: "*", hooks: [expect.objectContaining({ timeout: 7_260 })] }],
  });
});

test("it is taken out again, and nothing else", async () => {
  have(OTHERS);
  await connect("--write", "--guard", "Bash");
  expect((await connect("--remove")).exitCode).toBe(0);
  expect(JSON.parse(read())).toEqual(JSON.parse(OTHERS));
  const again = await connect("--remove");
  expect([again.exitCode, again.err]).toEqual([1, `There is nothing of Beckon in ${settings}.`]);
});

test("a hook of others in the same group stays when ours goes", async () => {
  await connect("--write");
  const [group] = hooks().PermissionRequest;
  group.hooks.unshift({ type: "command", command: "mine" });
  have(JSON.stringify({ hooks: { PermissionRequest: [group] } }));
  await connect("--remove");
  expect(hooks()).toEqual({
    PermissionRequest: [{ matcher: "*", hooks: [{ type: "command", command: "mine" }] }],
  });
});

test.each([
  ["{", "it is not JSON"],
  ['{ "a": 1, } // mine', "it is not JSON"],
  ["[]", "it holds no object"],
  ['{"hooks": []}', 'its "hooks" are not as Claude Code has them'],
  ['{"hooks": {"Stop": {}}}', "at Stop"],
])("%j is left as it is, in words", async (text, sentence) => {
  have(text);
  for (const wish of ["--write", "--remove"]) {
    const { exitCode, err } = await connect(wish);
    expect(exitCode).toBe(1);
    expect(err).toContain(`${settings} was left as it is: `);
    expect(err).toContain(sentence);
    expect(read()).toBe(text);
  }
});

test("a link stays a link, and the rights stay", async () => {
  const real = join(home, "dotfiles.json");
  writeFileSync(real, "{}", { mode: 0o640 });
  mkdirSync(dirname(settings));
  symlinkSync(real, settings);
  await connect("--write");
  expect(lstatSync(settings).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(JSON.parse(readFileSync(real, "utf8")).hooks).toBeDefined();
});

test("CLAUDE_CONFIG_DIR is where Claude Code looks", async () => {
  const folder = join(home, "config");
  await runCommand(["connect", "claude", "--write", "--data", join(home, "data")], {
    env: { HOME: home, CLAUDE_CONFIG_DIR: folder },
  });
  expect(readFileSync(join(folder, "settings.json"), "utf8")).toContain("hook claude");
});

test.each([
  [["--write", "elsewhere"], "Allowed choices are user, project, local"],
  [["--write", "--remove"], "cannot be used with"],
  [["--timeout", "soon"], "Give a time such as 90s, 10m, 2h or 7d, or never."],
  [["--timeout", "0s"], "Give a time such as"],
  [["--guard", ""], "--guard needs the name of a tool."],
])("%j is a usage error", async (args, sentence) => {
  const { exitCode, err } = await connect(...args);
  expect(exitCode).toBe(2);
  expect(err).toContain(sentence);
});
