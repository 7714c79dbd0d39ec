import { LIMITS } from "../../protocol/index.ts";

/** How a plan is shown. One that is too long for a prompt is still there as the tool's input. */
export function planReview({ plan }: Record<string, unknown>): { kind: "plan"; prompt: string } {
  const fits = typeof plan === "string" && Array.from(plan).length <= LIMITS.promptCharacters;
  return { kind: "plan", prompt: fits ? plan : "Go on with this plan?" };
}
