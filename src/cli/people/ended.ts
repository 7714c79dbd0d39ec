import type {
  ApprovalScope,
  InteractionRecord,
  InteractionRequest,
  InteractionResponse,
} from "../../protocol/index.ts";
import { visible } from "../visible.ts";

const SCOPES: Record<ApprovalScope, string> = {
  once: "once",
  session: "for this session",
  always: "always",
};

type Decided = Pick<
  InteractionResponse,
  "action" | "approvalScope" | "optionId" | "reason" | "stop"
>;

/** What a person did: `allowed it for this session`, `denied it: “Not today”`. */
export function deedOf(response: Decided, request?: InteractionRequest): string {
  const { action, approvalScope, optionId, reason, stop } = response;
  const option = request?.approvalOptions?.find(({ id }) => id === optionId);
  const details = [
    option && `“${visible(option.label)}”`,
    reason ? `“${visible(reason)}”` : undefined,
  ].filter((one) => one !== undefined);
  const more = details.length > 0 ? `: ${details.join(", ")}` : "";
  switch (action) {
    case "approve":
      return option ? `allowed it${more}` : `allowed it ${SCOPES[approvalScope ?? "once"]}${more}`;
    case "deny": {
      const verb = request?.interactionType === "input" ? "declined" : "denied";
      return `${verb} it${stop ? " and stopped the turn" : ""}${more}`;
    }
    case "submit":
      return "answered it";
    case "cancel":
      return "cancelled it";
  }
}

/** The same about oneself. */
export function youDid(response: Decided, request?: InteractionRequest): string {
  return `You ${deedOf(response, request)}.`;
}

/** Who was first, and what they chose. */
export function winnerOf(response: InteractionResponse, request?: InteractionRequest): string {
  const who = visible(response.responder.name ?? response.responder.id);
  return `${who} ${deedOf(response, request)} before you.`;
}

const CLOSED: Record<string, string> = {
  timed_out: "Nobody answered in time; this prompt is closed.",
  cancelled: "This prompt was withdrawn before anybody answered.",
  failed: "The call that asked has ended; this prompt is closed.",
  superseded: "This prompt was replaced by a newer one. See: beckon inbox",
};

/** How a prompt ended that somebody wanted to answer. */
export function endOf({ status, response, request }: InteractionRecord): string {
  if (response) return winnerOf(response, request);
  return closedBecause(status);
}

export function closedBecause(reason: string): string {
  return CLOSED[reason] ?? "This prompt is closed.";
}
