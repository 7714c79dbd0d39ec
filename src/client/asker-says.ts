import type { InteractionRequest } from "../protocol/index.ts";
import { promptTitle } from "./prompt-title.ts";

/**
 * The words of a prompt and who says them: whoever asks, or the tool that is asked about. Both are as
 * they came, so `visibleText` is still to be done. Nothing where the words only repeat the title.
 */
export function askerSays(request: InteractionRequest): { who: string; words: string } | undefined {
  const { prompt } = request;
  if (!prompt || prompt === promptTitle(request)) return undefined;
  return { who: `${whoAsks(request)} says`, words: prompt };
}

/** Whose words a prompt has. */
export function whoAsks({ promptBy, toolName, asker, context }: InteractionRequest): string {
  if (promptBy) return toolName;
  if (asker) return asker.kind === "agent" ? "The agent" : asker.name;
  // Prompts that were asked before servers named the asker.
  return context?.askedBy ?? "The agent";
}
