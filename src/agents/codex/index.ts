import type { AgentRuntime } from "../../core/index.ts";
import { needOf } from "../cli/find-command.ts";
import { type CodexAgentOptions, codexCommand, toSettings } from "./options.ts";
import { runTurn } from "./run-turn.ts";

export type { CodexAgentOptions, CodexSandbox } from "./options.ts";

/** Codex, by the command `codex`, which has to be installed on the machine. */
export function createCodexAgent(options: CodexAgentOptions = {}): AgentRuntime {
  const settings = toSettings(options);
  return {
    id: options.id ?? "codex",
    name: "Codex",
    description: "OpenAI's Codex. Its commands can ask here; Codex itself asks nothing.",
    // A process that died has said what it had to say; its conversation goes on in the next turn.
    capabilities: { reenter: "none", steer: false, unasked: true, nativeCalls: true },
    need: needOf(codexCommand(settings)),
    run: (turn) => runTurn(settings, turn),
  };
}
