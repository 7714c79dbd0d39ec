import type { InteractionRecord } from "../../protocol/index.ts";

/** Why calls were not let run, by the SDK's id of them. */
export type Refusals = Map<string, string>;

/** What the model reads about a prompt that nobody answered in time. */
export function nobodyAnswered(timeoutMs: number | null | undefined): string {
  const waited = typeof timeoutMs !== "number" ? "" : ` within ${inWords(timeoutMs)}`;
  return `Nobody answered${waited}, so this did not run. It is not known what the user wants.`;
}

export const WITHDRAWN = "The prompt was withdrawn before anybody answered, so this did not run.";
export const NOT_ANSWERED = "The user did not want to answer these questions.";

/** Why a prompt did not let a call run. Only what a person did is told as something a person did. */
export function refusalOf({ status, response, request }: InteractionRecord): string {
  if (response) {
    const denied = request.interactionType === "approval";
    return response.reason ?? (denied ? "The user denied this tool call." : NOT_ANSWERED);
  }
  return status === "timed_out" ? nobodyAnswered(request.timeoutMs) : WITHDRAWN;
}

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}
