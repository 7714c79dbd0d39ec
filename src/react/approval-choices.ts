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
      ...(option.scope ? { scope: option.scope } : {}),
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

/** What sends a reason is called, on its button and where keys are told. */
export const DENY_WITH_REASON = "Deny and send the reason";

const LABELS = {
  once: "Allow once",
  session: "Allow for this session",
  always: "Always allow",
};

/**
 * One no and one yes stand side by side; what covers more than this call, or needs more words than a
 * button has room for, stands apart: it is not to be pressed before it was read.
 */
export function placeChoices(choices: ApprovalChoice[]) {
  const isShort = ({ label }: ApprovalChoice) => label.length <= SHORT_LABEL;
  const deny = choices.find((one) => one.decision === "deny" && isShort(one));
  const first = choices.find(({ decision }) => decision === "approve");
  const isNarrow = first?.scope === "once" || first?.covers.length === 0;
  const allow = first && isNarrow && isShort(first) ? first : undefined;
  return { deny, allow, more: choices.filter((one) => one !== deny && one !== allow) };
}

const SHORT_LABEL = 24;
