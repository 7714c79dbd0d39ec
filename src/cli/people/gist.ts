import { gistOfApproval } from "../../client/index.ts";
import type { InteractionRequest } from "../../protocol/index.ts";

/** What a prompt is about, in one line beside its title; as it came. */
export function gistOf(request: InteractionRequest): string {
  return request.interactionType === "approval" ? gistOfApproval(request) : request.toolName;
}
