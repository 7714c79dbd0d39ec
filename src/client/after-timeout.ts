import type { InteractionRequest } from "../protocol/index.ts";

const TOLD = { agent: "the agent", machine: "the program", person: "whoever called" } as const;

/** What happens when nobody answers in time; undefined for a prompt without a deadline. */
export function afterTimeout(request: InteractionRequest): string | undefined {
  const { expiresAt, afterTimeout: end, asker, interactionType } = request;
  if (expiresAt === undefined) return undefined;
  if (end === "tool") return "Then the tool goes on without your answer.";
  const told = `${TOLD[asker?.kind ?? "agent"]} is told that nobody answered.`;
  return interactionType === "approval" ? `Then it does not run, and ${told}` : `Then ${told}`;
}
