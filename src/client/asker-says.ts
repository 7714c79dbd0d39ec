import type { InteractionRequest } from "../protocol/index.ts";
import { promptTitle } from "./prompt-title.ts";

/**
 * What whoever asks says of itself, and who that is; as it came, so `visibleText` is still to be
 * done. Nothing where it only repeats the title.
 */
export function askerSays(request: InteractionRequest): { who: string; words: string } | undefined {
  const { prompt } = request;
  if (prompt === undefined || prompt === "" || prompt === promptTitle(request)) return undefined;
  return { who: `${whoAsks(request)} says`, words: prompt };
}

/** Whose words a prompt has. */
export function whoAsks({ asker, context }: InteractionRequest): string {
  if (asker) return asker.kind === "agent" ? "The agent" : asker.name;
  // Prompts that were asked before servers named the asker.
  return context?.askedBy ?? "The agent";
}
