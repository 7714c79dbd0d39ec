import { findCommand } from "../cli/find-command.ts";
import { type ClaudeSettings, toSettings } from "../claude/options.ts";
import { createNativeHistory } from "./history.ts";
import { startQuery } from "./query.ts";

export interface ClaudeCliAgentOptions {
  /** @default 'claude-cli' */
  id?: string;
  /** The command that is Claude Code: a name on the PATH, or a path. @default 'claude' */
  command?: string;
  /** More options for its command line. */
  args?: string[];
  /** The environment of its process. @default that of this one */
  env?: Record<string, string | undefined>;
  /** Where a session without a folder works. @default the folder of this process */
  cwd?: string;
  model?: string;
  /** Which settings of Claude Code count. @default all: the user's, the project's, the local ones */
  settingSources?: ("user" | "project" | "local")[];
  /** Rules for what is asked about though Claude Code would not, such as `Bash(git push:*)`. */
  ask?: string[];
  /** How long a prompt waits; `null` waits for ever. @default ten minutes */
  timeoutMs?: number | null;
}

/** The turns are those of the SDK's agent; only who is spoken to is another. */
export function toCliSettings(options: ClaudeCliAgentOptions): ClaudeSettings {
  const { id: _id, command = "claude", args = [], ...shared } = options;
  const settings = toSettings(shared);
  return {
    ...settings,
    async loadSdk() {
      const path = await findCommand({
        command,
        path: settings.env["PATH"],
        agent: "claude-cli",
        needs: "Claude Code",
        install: "npm install -g @anthropic-ai/claude-code",
      });
      return { query: (parameters) => startQuery(path, args, parameters) };
    },
    history: createNativeHistory(settings.env),
  };
}
