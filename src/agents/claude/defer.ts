import { isOurTool } from "../cli/our-tools.ts";
import type { PreToolUse, PreToolUseReply } from "./sdk.ts";
import type { ClaudeState } from "./state.ts";
import type { Transcript } from "./transcript.ts";

/** Tools of which each use is asked about, where asking must not hold a process. */
const CAN_CHANGE = /^(Bash|Write|Edit|MultiEdit|NotebookEdit|WebFetch|mcp__.*)$/;
const ALWAYS_ASK = /^(AskUserQuestion|ExitPlanMode)$/;

/**
 * Decides before each use of a tool whether Claude Code ends there, to go on when a person has
 * answered. Of several uses in one message it would keep only the last, so those are asked about
 * live; so are those of sub-agents, which would end with it.
 */
export function createPreToolUse(
  turnId: string,
  state: () => ClaudeState,
  transcript: Transcript,
): (use: PreToolUse) => Promise<PreToolUseReply> {
  return async ({ tool_name, tool_use_id, permission_mode = "default", agent_id }) => {
    if (wasStopped(state(), turnId, tool_use_id)) return decide("deny", STOPPED);
    if (state().deferred?.id === tool_use_id) return decide("ask");
    // Ours ask by themselves, while the process waits.
    if (isOurTool(tool_name)) return {};
    const asks =
      ALWAYS_ASK.test(tool_name) || (permission_mode === "default" && CAN_CHANGE.test(tool_name));
    if (!asks || agent_id !== undefined) return {};
    const together = await transcript.usesTogether();
    return together.length === 1 ? decide("defer") : {};
  };
}

/** What the model reads about a call that was deferred in a turn that has ended since. */
export const STOPPED = "The user stopped this before it ran.";

/** Whether a call was deferred in an earlier turn: a process that resumes comes back to it. */
export function wasStopped({ deferred }: ClaudeState, turnId: string, useId: string): boolean {
  return deferred?.id === useId && deferred.turnId !== turnId;
}

function decide(
  permissionDecision: "ask" | "deny" | "defer",
  permissionDecisionReason?: string,
): PreToolUseReply {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      ...(permissionDecisionReason === undefined ? {} : { permissionDecisionReason }),
    },
  };
}
