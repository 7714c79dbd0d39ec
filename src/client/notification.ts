import type { InteractionRequest } from "../protocol/index.ts";
import { approvalTitle } from "./approval-title.ts";
import { firstLine, gistOfApproval } from "./tool-input-parts.ts";
import { visibleText } from "./visible-text.ts";

/**
 * What a call for a person's attention says of a prompt: what would run, or what is asked. A
 * question is not a permission: the two read differently at a glance.
 */
export function toNotification(request: InteractionRequest): { title: string; about: string } {
  const { interactionType, prompt, questions, inputSchema } = request;
  if (interactionType === "approval") {
    const about = visibleText(gistOfApproval(request));
    return { title: visibleText(approvalTitle(request)), about };
  }
  const [field] = inputSchema?.fields ?? [];
  const asked = prompt ?? questions?.[0]?.question ?? inputSchema?.title ?? field?.label ?? "";
  return { title: "A question for you", about: visibleText(firstLine(asked)) };
}
