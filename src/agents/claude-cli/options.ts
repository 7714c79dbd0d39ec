import { findCommand, type WantedCommand } from "../cli/find-command.ts";
import { type ClaudeAgentOptions, type ClaudeSettings, toSettings } from "../claude/options.ts";
import { startQuery } from "./query.ts";

export interface ClaudeCliAgentOptions extends Pick<
  ClaudeAgentOptions,
  "env" | "cwd" | "model" | "settingSources" | "ask" | "timeoutMs"
> {
  /** @default 'claude-cli' */
  id?: string;
  /** The command that is Claude Code: a name on the PATH, or a path. @default 'claude' */
  command?: string;
  /** More options for its command line. */
  args?: string[];
}

/** The command, and how to get it. */
export function claudeCommand({ command = "claude", env }: ClaudeCliAgentOptions): WantedCommand {
  return {
    command,
    path: (env ?? process.env)["PATH"],
    agent: "claude-cli",
    needs: "Claude Code",
    install: "npm install -g @anthropic-ai/claude-code",
  };
}

/** The turns are those of the SDK's agent; only who is spoken to is another. */
export function toCliSettings(options: ClaudeCliAgentOptions): ClaudeSettings {
  const { id: _id, command: _command, args = [], ...shared } = options;
  const settings = toSettings(shared);
  return {
    ...settings,
    async loadSdk() {
      const path = await findCommand(claudeCommand(options));
      return { query: (parameters) => startQuery(path, args, parameters) };
    },
  };
}
