import type { ApprovalScope, InteractionRequest, ResponseBody } from "../protocol/index.ts";
import { coveredBy } from "./approval-scope.ts";

/** One way to decide: one button, or one key. */
export interface ApprovalChoice {
  key: string;
  label: string;
  decision: "approve" | "deny";
  /** What it allows, in words. */
  covers: string[];
  scope?: ApprovalScope;
  optionId?: string;
}

/** The agent's own choices where it offers them, else one for each scope that was offered. */
export function toChoices(request: InteractionRequest): ApprovalChoice[] {
  if (request.approvalOptions?.length)
    return request.approvalOptions.map((option) => ({
      key: option.id,
      label: option.label,
      decision: option.decision,
      covers: option.covers ?? (option.scope ? [coveredBy(request, option.scope)] : []),
      scope: option.scope,
      optionId: option.id,
    }));
  const scopes = request.approvalScopes?.length ? request.approvalScopes : (["once"] as const);
  return scopes.map((scope) => ({
    key: scope,
    label: LABELS[scope],
    decision: "approve",
    covers: (scope !== "once" && request.approvalCovers?.[scope]) || [coveredBy(request, scope)],
    scope,
  }));
}

/** What is sent for a choice. Only a scope that was offered is named, and no option needs one. */
export function toApprovalResponse(
  { approvalScopes }: InteractionRequest,
  { decision, scope, optionId }: ApprovalChoice,
): ResponseBody {
  if (optionId !== undefined) return { action: decision, optionId };
  const isOffered = scope && approvalScopes?.includes(scope);
  return { action: decision, ...(isOffered && { approvalScope: scope }) };
}

/** The plain no, which every approval has. */
export const DENY: ApprovalChoice = { key: "deny", label: "Deny", decision: "deny", covers: [] };

/** What denies is called once a reason is written. */
export const SEND_REASON = "Deny and send the reason";

const LABELS = {
  once: "Allow once",
  session: "Allow for this session",
  always: "Always allow",
};
