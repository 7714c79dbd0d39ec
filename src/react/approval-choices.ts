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
      covers: option.covers ?? (option.scope ? [covers(option.scope, request.toolName)] : []),
      optionId: option.id,
    }));
  if (!request.approvalScopes?.length)
    return [{ key: "approve", label: "Approve", decision: "approve", covers: [] }];
  return request.approvalScopes.map((scope) => ({
    key: scope,
    label: LABELS[scope],
    decision: "approve",
    covers: (scope !== "once" && request.approvalCovers?.[scope]) || [
      covers(scope, request.toolName),
    ],
    scope,
  }));
}

const LABELS = {
  once: "Allow once",
  session: "Allow for this session",
  always: "Always allow",
};

function covers(scope: ApprovalScope, toolName: string): string {
  if (scope === "once") return "This call only.";
  const like = `This call, and later ones of ${toolName} that ask for the same,`;
  return scope === "session"
    ? `${like} in this session.`
    : `${like} in every session, until you revoke it.`;
}
