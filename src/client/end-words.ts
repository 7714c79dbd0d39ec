import type { Action, ClosedReason } from "../protocol/index.ts";

const TIMED_OUT = "Nobody answered in time";
const WITHDRAWN = "Withdrawn before anybody answered";

const CALL_ENDS: Record<string, string | undefined> = {
  tool_denied: "Denied",
  tool_cancelled: "Stopped",
  tool_interrupted: "Interrupted",
  interaction_timeout: TIMED_OUT,
  interaction_cancelled: WITHDRAWN,
  interaction_unavailable: "Nobody was there to ask",
  allowed_elsewhere: "But it ran",
};

const PROMPT_ENDS: Record<Exclude<ClosedReason, "decided_elsewhere">, string> = {
  timed_out: TIMED_OUT,
  cancelled: WITHDRAWN,
  failed: "The call failed before anybody answered",
  superseded: "Asked again by the same call made anew",
};

/** What an error's code says of a call in few words; nothing where it is only an error. */
export function endWords(code: string): string | undefined {
  return Object.hasOwn(CALL_ENDS, code) ? CALL_ENDS[code] : undefined;
}

const IN_TERMINAL: Record<Action, string> = {
  approve: "Allowed in the terminal",
  deny: "Denied in the terminal",
  submit: "Answered in the terminal",
  cancel: "Skipped in the terminal",
};

/** How a prompt ended that nobody answered here. A clock is never worded as a person. */
export function closedWords(reason: ClosedReason, action?: Action): string {
  if (reason !== "decided_elsewhere") return PROMPT_ENDS[reason];
  return action ? IN_TERMINAL[action] : "Decided in the terminal";
}
