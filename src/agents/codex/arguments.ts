import type { CodexSettings } from "./options.ts";
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
