import type { AgentRuntime } from "../../core/index.ts";
import { MODES } from "../claude/index.ts";
import { runTurn } from "../claude/run-turn.ts";
import { type ClaudeCliAgentOptions, toCliSettings } from "./options.ts";

export type { ClaudeCliAgentOptions } from "./options.ts";

/** Claude Code, by the command `claude` that is installed on this machine. */
export function createClaudeCliAgent(options: ClaudeCliAgentOptions = {}): AgentRuntime {
  const settings = toCliSettings(options);
  return {
    id: options.id ?? "claude-cli",
    name: "Claude Code",
    description:
      "The claude command of this machine. What it wants to do and to know, it asks here.",
    capabilities: { reenter: "none", steer: true, nativeCalls: true, modes: MODES },
    run: (turn) => runTurn(settings, turn),
  };
}
