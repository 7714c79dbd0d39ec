import { coveredBy } from "../client/index.ts";
import type { ApprovalScope, InteractionRequest } from "../protocol/index.ts";

/** One way to decide, as one button. */
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
      optionId: option.id,
    }));
  if (!request.approvalScopes?.length)
    return [{ key: "approve", label: "Approve", decision: "approve", covers: [] }];
  return request.approvalScopes.map((scope) => ({
    key: scope,
    label: LABELS[scope],
    decision: "approve",
    covers: (scope !== "once" && request.approvalCovers?.[scope]) || [coveredBy(request, scope)],
    scope,
  }));
}

const LABELS = {
  once: "Allow once",
  session: "Allow for this session",
  always: "Always allow",
};
