import type { InteractionRequest } from "../protocol/index.ts";
import { runsCommand } from "./approval-title.ts";
import { toInputParts } from "./tool-input-parts.ts";

/**
 * What whoever calls a command wrote into its input for the people who approve it. Nothing of what
 * runs depends on it: these are words, and are shown as such.
 */
export function toldIn({ toolName, toolInput }: InteractionRequest): string | undefined {
  if (!runsCommand(toolName)) return undefined;
  const part = toInputParts(toolInput).find(({ label }) => label === "Description");
  return part && "text" in part ? part.text : undefined;
}
