import type { InteractionRequest } from "../protocol/index.ts";
import { promptTitle } from "./prompt-title.ts";
import { toldIn } from "./told-in-input.ts";

/**
 * What is said about a prompt, and who says it: whoever asks, or the tool that is asked about. Both
 * are as they came, so `visibleText` is still to be done. Words that only repeat the title, or each
 * other, are left out.
 */
export function askerSays(request: InteractionRequest): { who: string; words: string }[] {
  const { prompt } = request;
  const told = toldIn(request);
  const said = [
    { who: whoAsks(request), words: prompt === promptTitle(request) ? "" : prompt },
    { who: whoAsks({ ...request, promptBy: undefined }), words: told === prompt ? "" : told },
  ];
  return said.flatMap(({ who, words }) => (words ? [{ who: `${who} says`, words }] : []));
}

/** Whose words a prompt has. */
export function whoAsks({ promptBy, toolName, asker, context }: InteractionRequest): string {
  if (promptBy) return toolName;
  if (asker) return asker.kind === "agent" ? "The agent" : asker.name;
  // Prompts that were asked before servers named the asker.
  return context?.askedBy ?? "The agent";
}
