import type { AgentRuntime } from "../../core/index.ts";
import { answerHook } from "./hook.ts";
import { sdkNeed } from "./load-sdk.ts";
import { type ClaudeAgentOptions, obeysFolder, toSettings } from "./options.ts";
import { readState } from "./state.ts";
import { runTurn } from "./run-turn.ts";

export type { ClaudeAgentOptions } from "./options.ts";

/** Claude, by the Claude Agent SDK, which has to be installed beside Beckon. */
export function createClaudeAgent(options: ClaudeAgentOptions = {}): AgentRuntime {
  const settings = toSettings(options);
  return {
    id: options.id ?? "claude",
    name: "Claude",
    description: "Claude Code's agent. What it wants to do and to know, it asks here.",
    capabilities: {
      reenter: "native",
      steer: true,
      nativeCalls: true,
      folderRules: obeysFolder(options),
    },
    need: sdkNeed(options),
    offers: () => settings.offered.current(),
    canResume(turnId, state) {
      const { deferred } = readState(state);
      return deferred?.turnId === turnId && deferred.resumed !== true;
    },
    endsOf: (state, nativeIds) => settings.history.endsOf(readState(state), nativeIds),
    run: (turn) => runTurn(settings, turn),
    hook: answerHook,
  };
}
