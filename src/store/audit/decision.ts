import type { DecisionAudit } from "../../core/ports.ts";
import type { InteractionRequest, InteractionResponse } from "../../protocol/index.ts";

/** One decision: who, with what, about what, and what. */
export interface Decision {
  at: number;
  sessionId: string;
  seq: number;
  interactionId: string;
  tool: string | null;
  prompt: string | null;
  /** Null in logs from before the audit. */
  audit: DecisionAudit | null;
  /** What kind of token it was made with; null if there is no such token any more. */
  tokenKind: string | null;
  /** Without the values of secret fields: the log never had them. */
  response: InteractionResponse;
}

/** @param row of the log, with the columns of what was asked and what the answer was given with */
export function toDecision(row: Record<string, unknown>): Decision {
  const { tool_name: tool, request: asked, audit, token_kind: tokenKind } = row;
  const request = typeof asked === "string" && (JSON.parse(asked) as InteractionRequest);
  return {
    at: Number(row["at"]),
    sessionId: row["session_id"] as string,
    seq: Number(row["seq"]),
    interactionId: row["interaction_id"] as string,
    tool: typeof tool === "string" ? tool : null,
    prompt: (request && request.prompt) || null,
    audit: typeof audit === "string" ? (JSON.parse(audit) as DecisionAudit) : null,
    tokenKind: typeof tokenKind === "string" ? tokenKind : null,
    response: JSON.parse(row["payload"] as string) as InteractionResponse,
  };
}
