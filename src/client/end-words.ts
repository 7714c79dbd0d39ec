import type { ClosedReason } from "../protocol/index.ts";

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

const PROMPT_ENDS: Partial<Record<ClosedReason, string>> = {
  timed_out: TIMED_OUT,
  cancelled: WITHDRAWN,
  failed: "The call failed before anybody answered",
  superseded: "Asked again by the same call made anew",
};

/** What an error's code says of a call in few words; nothing where it is only an error. */
export function endWords(code: string): string | undefined {
  return Object.hasOwn(CALL_ENDS, code) ? CALL_ENDS[code] : undefined;
}

/**
 * How a prompt ended that nobody answered. A clock is never worded as a person; nothing for what
 * somebody decided elsewhere.
 */
export function closedWords(reason: ClosedReason): string | undefined {
  return PROMPT_ENDS[reason];
}
