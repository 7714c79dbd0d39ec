import type { AgentRuntime } from "../../core/index.ts";
import { needOf } from "../cli/find-command.ts";
import { obeysFolder } from "../claude/options.ts";
import { readState } from "../claude/state.ts";
import { runTurn } from "../claude/run-turn.ts";
import { type ClaudeCliAgentOptions, claudeCommand, toCliSettings } from "./options.ts";

export type { ClaudeCliAgentOptions } from "./options.ts";

/** What its user may tell it so that it asks for no permission. */
const ASKS_NOTHING = /^--dangerously-skip-permissions$|bypassPermissions$/;

/** Claude Code, by the command `claude` that is installed on this machine. */
export function createClaudeCliAgent(options: ClaudeCliAgentOptions = {}): AgentRuntime {
  const settings = toCliSettings(options);
  return {
    id: options.id ?? "claude-cli",
    name: "Claude Code",
    description:
      "The claude command of this machine. What it wants to do and to know, it asks here.",
    capabilities: {
      reenter: "none",
      steer: true,
      nativeCalls: true,
      folderRules: obeysFolder(options),
      unasked: options.args?.some((argument) => ASKS_NOTHING.test(argument)) ?? false,
    },
    need: needOf(claudeCommand(options)),
    offers: () => settings.offered.current(),
    endsOf: (state, nativeIds) => settings.history.endsOf(readState(state), nativeIds),
    run: (turn) => runTurn(settings, turn),
  };
}
