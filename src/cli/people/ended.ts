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
  "action" | "approvalScope" | "optionId" | "reason" | "stop" | "updatedInput"
>;

/**
 * What a person did: `approved it for this session`, `denied it: “Not today”`.
 *
 * @param when stands before what they said: `denied it before you: “Not today”`
 */
export function deedOf(response: Decided, request?: InteractionRequest, when = ""): string {
  const option = request?.approvalOptions?.find(({ id }) => id === response.optionId);
  const said = [option?.label, response.reason].filter((text) => text);
  const details = said.map((text) => `“${visible(text ?? "")}”`).join(", ");
  const deed = `${verbOf(response, request)}${when}`;
  return details === "" ? deed : `${deed}: ${details}`;
}

function verbOf(response: Decided, request?: InteractionRequest): string {
  const { action, approvalScope = "once", optionId, stop } = response;
  switch (action) {
    case "approve": {
      const verb = optionId === undefined ? `approved it ${SCOPES[approvalScope]}` : "approved it";
      return response.updatedInput === undefined ? verb : `${verb}, as edited`;
    }
    case "deny": {
      const verb = request?.interactionType === "input" ? "refused" : "denied";
      return stop ? `${verb} it and stopped the turn` : `${verb} it`;
    }
    case "submit":
      return "answered it";
    case "cancel":
      return "skipped it";
  }
}

/** The same about oneself. */
export function youDid(response: Decided, request?: InteractionRequest): string {
  return `You ${deedOf(response, request)}.`;
}

/** Who was first, and what they chose. */
export function winnerOf(response: InteractionResponse, request?: InteractionRequest): string {
  const who = visible(response.responder.name ?? response.responder.id);
  return `${who} ${deedOf(response, request, " before you")}.`;
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
