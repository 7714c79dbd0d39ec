import type { NativeApproval } from "../../core/index.ts";
import { LIMITS, type PermissionMode } from "../../protocol/index.ts";

/**
 * How a plan is shown: as the agent's words. One that is too long for a prompt, and one that comes
 * with more than itself, is there as the tool's input.
 */
export function planReview(input: Record<string, unknown>): { kind?: "plan"; prompt: string } {
  const { plan, planFilePath: _path, ...rest } = input;
  const fits = typeof plan === "string" && Array.from(plan).length <= LIMITS.promptCharacters;
  if (!fits || Object.keys(rest).length > 0) return { prompt: "Go on with this plan?" };
  return { kind: "plan", prompt: plan };
}

/** In which mode a plan is carried out, by the choice that a person made. */
const MODES: Record<string, PermissionMode> = { ask: "default", edits: "acceptEdits" };

/** What a person may say to a plan. With a no, the reason says what to plan instead. */
export const PLAN_OPTIONS: NativeApproval["options"] = [
  { id: "ask", label: "Go, ask before edits", decision: "approve", covers: [] },
  {
    id: "edits",
    label: "Go, accept edits",
    decision: "approve",
    covers: ["Claude edits files in its folder without asking, in this session."],
  },
  { id: "keep", label: "Keep planning", decision: "deny" },
];

/** The plan is accepted: planning is over. */
export function modeAfterPlan(optionId = "ask"): PermissionMode {
  return MODES[optionId] ?? "default";
}
