import { decisionWords } from "../../client/decision-words.ts";
import { endedWords } from "../../client/elsewhere-words.ts";
import type {
  Action,
  ClosedReason,
  InteractionRecord,
  InteractionRequest,
  InteractionResponse,
  ResponseBody,
} from "../../protocol/index.ts";

/** What the person at this terminal did. */
export function yourDecision(body: ResponseBody, request: InteractionRequest): string {
  return `${decisionWords(body, "you", request)}.`;
}

/**
 * Who was first, and what they chose. It may have been at this very terminal: commands have no
 * device of their own.
 */
export function winnerOf(response: InteractionResponse, request?: InteractionRequest): string {
  const [first = "", ...rest] = decisionWords(response, "name", request);
  return `Already ${first.toLowerCase()}${rest.join("")}.`;
}

/** How a prompt ended that somebody wanted to answer. */
export function endOf({ status, response, request, action }: InteractionRecord): string {
  return response ? winnerOf(response, request) : closedBecause(status, action);
}

export function closedBecause(reason: string, action?: Action): string {
  const words = endedWords(reason as ClosedReason, action) ?? "This prompt is closed";
  return reason === "superseded" ? `${words}. See: beckon inbox` : `${words}.`;
}
