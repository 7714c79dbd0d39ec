import type { ApprovalScope, InteractionRequest } from "../protocol/index.ts";
import { runsCommand } from "./approval-title.ts";

/** What an approval of this scope covers, in one sentence. */
export function coveredBy(request: InteractionRequest, scope: ApprovalScope): string {
  if (scope === "once") return "Only this time.";
  const how = scope === "session" ? "in this session" : "in every session, until you revoke it";
  return `${sameAgain(request)}, ${how}.`;
}

function sameAgain({ toolName, toolInput, rememberedBy }: InteractionRequest): string {
  // What the tool makes of it is not ours to promise.
  if (rememberedBy === "agent") return "The agent itself remembers this";
  if (rememberedBy) return `${toolName} decides what it remembers of this`;
  if (!runsCommand(toolName)) return `Whenever ${toolName} asks for the same again`;
  // Only where the folder is part of the input is it part of what is remembered.
  const hasFolder = typeof toolInput === "object" && toolInput !== null && "cwd" in toolInput;
  return hasFolder ? "This exact command, in this folder" : "This exact command";
}
