import type { InteractionRequest } from "../../protocol/index.ts";

/** What a prompt is about, in one line beside its title; as it came. */
export function gistOf({
  interactionType,
  toolInput,
  prompt,
  toolName,
}: InteractionRequest): string {
  if (interactionType !== "approval") return toolName;
  const command = (toolInput as { command?: unknown } | null | undefined)?.command;
  if (typeof command === "string") return command;
  if (prompt) return prompt;
  return toolInput === undefined ? "" : JSON.stringify(toolInput);
}
