import type { CodexSettings } from "./options.ts";
import { ourServer, PATIENCE_MS, SERVER } from "../cli/our-tools.ts";
import { toToml } from "./to-toml.ts";

interface Wanted {
  settings: CodexSettings;
  model?: string;
  systemPrompt?: string;
  /** The conversation to go on with. */
  threadId?: string;
  /** The environment of Codex. */
  env: Record<string, string | undefined>;
}

/** How Codex is called. What is said to it comes by its standard input, whatever that begins with. */
export function toArguments({ settings, model, systemPrompt, threadId, env }: Wanted): string[] {
  const { sandbox, network, config } = settings;
  const values: Record<string, unknown> = {
    ...forCommands(env),
    ...forOurTools(env),
    ...(network === undefined ? {} : { "sandbox_workspace_write.network_access": network }),
    ...(systemPrompt === undefined ? {} : { developer_instructions: systemPrompt }),
    ...config,
  };
  const chosen = model ?? settings.model;
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    sandbox,
    ...(chosen === undefined ? [] : ["--model", chosen]),
    ...Object.entries(values).flatMap(([key, value]) => ["-c", `${key}=${toToml(value)}`]),
    ...(threadId === undefined ? [] : ["resume", threadId]),
    "-",
  ];
}

/** Our tools ask by themselves, and for as long as people take; the token is in the environment. */
function forOurTools(env: Record<string, string | undefined>): Record<string, unknown> {
  const server = ourServer(env);
  if (!server) return {};
  const settings = {
    url: server.url,
    http_headers: server.headers,
    bearer_token_env_var: "BECKON_TOKEN",
    tool_timeout_sec: PATIENCE_MS / 1_000,
    default_tools_approval_mode: "approve",
  };
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [`mcp_servers.${SERVER}.${key}`, value]),
  );
}

/**
 * A login shell, in which Codex runs commands by itself, makes a PATH of its own, without `beckon`.
 * And Codex may be set up to keep most variables from commands, but not those that it is told to
 * set. The token is not among these: everybody on the machine can read a command line.
 */
function forCommands(env: Record<string, string | undefined>): Record<string, unknown> {
  if (env["BECKON_URL"] === undefined) return {};
  const names = ["PATH", "BECKON_URL", "BECKON_SESSION_ID"];
  const set = names.map((name) => [`shell_environment_policy.set.${name}`, env[name] ?? ""]);
  return { allow_login_shell: false, ...Object.fromEntries(set) };
}
