import { expect, test } from "vitest";
import { toArguments } from "./arguments.ts";
import { toSettings } from "./options.ts";
import { toToml } from "./to-toml.ts";

const env = { PATH: "/bin:/beckon", BECKON_TOKEN: "secret", BECKON_URL: "http://here" };

/** What is said with `-c`, by its name. */
function configOf(args: string[]): Record<string, string> {
  const pairs = args.filter((_one, at) => args[at - 1] === "-c");
  return Object.fromEntries(pairs.map((pair) => [pair.split("=")[0], pair.replace(/^[^=]*=/, "")]));
}

test("a first turn begins a conversation, a later one goes on with it", () => {
  const settings = toSettings({ env: {} });
  const first = toArguments({ settings, env: {} });
  expect(first).toEqual([
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    "workspace-write",
    "-",
  ]);
  const later = toArguments({ settings, env: {}, threadId: "t1" });
  expect(later).toEqual([...first.slice(0, -1), "resume", "t1", "-"]);
});

test("commands get what they need to ask, and no token stands on a command line", () => {
  const args = toArguments({ settings: toSettings({ env: {} }), env });
  expect(configOf(args)).toEqual({
    allow_login_shell: "false",
    "shell_environment_policy.set.PATH": '"/bin:/beckon"',
    "shell_environment_policy.set.BECKON_URL": '"http://here"',
    "shell_environment_policy.set.BECKON_SESSION_ID": '""',
    "mcp_servers.beckon.url": '"http://here/mcp"',
    "mcp_servers.beckon.http_headers": '{ "x-beckon-caller" = "runtime", "x-wait-ms" = "never" }',
    "mcp_servers.beckon.bearer_token_env_var": '"BECKON_TOKEN"',
    "mcp_servers.beckon.tool_timeout_sec": "1728000",
    "mcp_servers.beckon.default_tools_approval_mode": '"approve"',
  });
  expect(args.join(" ")).not.toContain("secret");
});

test("settings are given as Codex takes them, and the session's model comes first", () => {
  const settings = toSettings({
    env: {},
    model: "a",
    sandbox: "read-only",
    network: false,
    config: { model_reasoning_effort: "high", "tools.web_search": true },
  });
  const args = toArguments({ settings, env: {}, model: "b", systemPrompt: 'Say "so".\n' });
  expect(args.slice(3, 7)).toEqual(["--sandbox", "read-only", "--model", "b"]);
  expect(configOf(args)).toEqual({
    "sandbox_workspace_write.network_access": "false",
    developer_instructions: '"Say \\"so\\".\\n"',
    model_reasoning_effort: '"high"',
    "tools.web_search": "true",
  });
});

test.each([
  ["a\u007F\u0001", '"a\\u007F\\u0001"'],
  [[1, "b"], '[1, "b"]'],
  [{ "a b": { c: true } }, '{ "a b" = { "c" = true } }'],
])("%j in TOML", (value, written) => {
  expect(toToml(value)).toBe(written);
});
