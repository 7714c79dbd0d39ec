import { randomUUID } from "node:crypto";

/** Claude Code keeps a message under the id that it came with, so ours can be told from others. */
const OURS = "bec0bec0";

export function newPromptId(): string {
  return `${OURS}${randomUUID().slice(OURS.length)}`;
}

export function isOurPrompt(id: unknown): boolean {
  return typeof id === "string" && id.startsWith(OURS);
}
