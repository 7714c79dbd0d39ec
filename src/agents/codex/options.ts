import { homedir } from "node:os";
import { join } from "node:path";
import type { WantedCommand } from "../cli/find-command.ts";

/** What a command of Codex's may do. */
export type CodexSandbox = "read-only" | "workspace-write" | "danger-full-access";

export interface CodexAgentOptions {
  /** @default 'codex' */
  id?: string;
  /** What is run: a name on the PATH, or a path. @default 'codex' */
  command?: string;
  /** The environment of Codex. @default that of this process */
  env?: Record<string, string | undefined>;
  /** Where a session without a folder works. @default the folder of this process */
  cwd?: string;
  model?: string;
  /** @default 'workspace-write' */
  sandbox?: CodexSandbox;
  /**
   * Whether commands in the sandbox `workspace-write` may use the network. Without it they can reach
   * no server, this one neither, so they cannot ask; with it they can reach every server.
   *
   * @default what Codex's own settings say, which is no unless somebody has changed it
   */
  network?: boolean;
  /** Other settings of Codex's, by their dotted name, such as `model_reasoning_effort`. */
  config?: Record<string, unknown>;
}

/** As seen by one turn: every default filled in. */
export interface CodexSettings {
  command: string;
  env: Record<string, string | undefined>;
  cwd: string;
  model?: string;
  sandbox: CodexSandbox;
  network?: boolean;
  config: Record<string, unknown>;
  /** Where Codex keeps its history. */
  home: string;
}

export function toSettings(options: CodexAgentOptions): CodexSettings {
  const { command = "codex", env = process.env, cwd = process.cwd(), ...rest } = options;
  return {
    command,
    env,
    cwd,
    ...(rest.model === undefined ? {} : { model: rest.model }),
    sandbox: rest.sandbox ?? "workspace-write",
    ...(rest.network === undefined ? {} : { network: rest.network }),
    config: rest.config ?? {},
    home: env["CODEX_HOME"] ?? join(env["HOME"] ?? homedir(), ".codex"),
  };
}

/** The command, and how to get it. */
export function codexCommand({ command, env }: CodexSettings): WantedCommand {
  return {
    command,
    path: env["PATH"],
    agent: "codex",
    needs: "the Codex CLI",
    install: "npm install -g @openai/codex",
  };
}
