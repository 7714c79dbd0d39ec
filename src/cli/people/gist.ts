import { gistOfApproval } from "../../client/index.ts";
import { titleOf } from "./title.ts";
import type { InteractionRequest } from "../../protocol/index.ts";

/** What a prompt is about, in one line beside its title; as it came. Empty where that says it all. */
export function gistOf(request: InteractionRequest): string {
  if (request.interactionType !== "approval") return request.toolName;
  const gist = gistOfApproval(request);
  return gist === titleOf(request) ? "" : gist;
}
