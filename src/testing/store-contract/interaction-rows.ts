import type { GrantRow, InteractionRow, ResponseRow } from "../../core/ports.ts";

export function interaction(id: string, set: Partial<InteractionRow> = {}): InteractionRow {
  return {
    id,
    sessionId: "s1",
    callId: "c1",
    runId: "r1",
    toolName: "deploy",
    turnId: null,
    responseId: null,
    key: "1",
    attempt: 1,
    previousId: null,
    type: "approval",
    status: "open",
    link: "live",
    request: {
      toolCallId: "c1",
      interactionId: id,
      toolName: "deploy",
      interactionType: "approval",
      presentation: "tool",
      attempt: 1,
    },
    requestDigest: "digest",
    actionDigest: null,
    hasTimeoutHook: false,
    createdAt: 1,
    expiresAt: null,
    endedAt: null,
    decidedResponseId: null,
    response: null,
    outcome: null,
    adoptedByCall: null,
    version: 1,
    ...set,
  };
}

export function response(id: string, set: Partial<ResponseRow> = {}): ResponseRow {
  return {
    interactionId: "i1",
    id,
    bodyDigest: "digest",
    principalId: "p1",
    tokenId: "t1",
    via: "http",
    action: "approve",
    scope: null,
    optionId: null,
    input: null,
    sealed: null,
    editedDigest: null,
    reason: null,
    stop: false,
    verdict: "decided",
    late: false,
    createdAt: 1,
    version: 1,
    ...set,
  };
}

export function grant(id: string, set: Partial<GrantRow> = {}): GrantRow {
  return {
    id,
    tool: "deploy",
    key: "*",
    scope: "always",
    sessionId: null,
    grantedBy: "p1",
    interactionId: null,
    createdAt: 1,
    expiresAt: null,
    maxUses: null,
    uses: 0,
    revokedAt: null,
    revokedBy: null,
    version: 1,
    ...set,
  };
}
