const ENDS: Record<string, string | undefined> = {
  tool_denied: "Denied",
  tool_cancelled: "Stopped",
  tool_interrupted: "Interrupted",
  interaction_timeout: "Nobody answered in time",
  interaction_cancelled: "Withdrawn before anybody answered",
  interaction_unavailable: "Nobody was there to ask",
};

/** What an error's code says of a call in few words; nothing where it is only an error. */
export function endWords(code: string): string | undefined {
  return Object.hasOwn(ENDS, code) ? ENDS[code] : undefined;
}
