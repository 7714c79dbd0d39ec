import type { ToolDefinition } from "./tool.ts";

export type Verdict = { decision: "run"; authorizedBy: string };

/**
 * Every call passes here before its handler. A tool with its own approval logic runs and asks by
 * itself; what else may authorise, or refuse, a call is decided in this one place.
 */
export function gate(_tool: ToolDefinition): Verdict {
  return { decision: "run", authorizedBy: "tool" };
}
