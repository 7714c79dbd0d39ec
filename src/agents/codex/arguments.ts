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
 * Codex runs commands in a login shell, which makes a PATH of its own, and may be set up to keep
 * most variables from them. What it is told to set is there in any case. The token is not among
 * that: everybody on the machine can read a command line.
 */
function forCommands(env: Record<string, string | undefined>): Record<string, unknown> {
  const names = env["BECKON_URL"] === undefined ? [] : ["PATH", "BECKON_URL", "BECKON_SESSION_ID"];
  return Object.fromEntries(
    names.map((name) => [`shell_environment_policy.set.${name}`, env[name] ?? ""]),
  );
}
