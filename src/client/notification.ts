import type { InteractionRequest } from "../protocol/index.ts";
import { approvalTitle } from "./approval-title.ts";
import { whoAsks } from "./asker-says.ts";
import { firstLine, gistOfApproval, hasWordsAlone } from "./tool-input-parts.ts";
import { visibleText } from "./visible-text.ts";

/**
 * What a call for a person's attention says of a prompt: what would run, or what is asked. A
 * question is not a permission: the two read differently at a glance. An asker's words name the asker.
 */
export function toNotification(request: InteractionRequest): { title: string; about: string } {
  const { interactionType, prompt, questions, inputSchema } = request;
  if (interactionType === "approval") {
    const gist = gistOfApproval(request);
    const about = hasWordsAlone(request) ? `${whoAsks(request)} says: ${gist}` : gist;
    return { title: visibleText(approvalTitle(request)), about: visibleText(about) };
  }
  const [field] = inputSchema?.fields ?? [];
  const asked = prompt ?? questions?.[0]?.question ?? inputSchema?.title ?? field?.label ?? "";
  const about = `${whoAsks(request)} asks${asked === "" ? "" : `: ${firstLine(asked)}`}`;
  return { title: "A question for you", about: visibleText(about) };
}
