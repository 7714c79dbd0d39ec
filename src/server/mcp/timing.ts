/** How long MCP clients are kept waiting. Clients give up after 60 seconds, some after 300. */
export const MCP = {
  /** How long one call waits for people before it says `pending`, unless its client says. */
  waitMs: 45_000,
  /** The same where the client wants to hear that its call goes on. */
  waitWithProgressMs: 240_000,
  /** How often it hears that. */
  progressMs: 10_000,
  /** How often a client of 2026-07-28 is told to call again before it hears `pending`; ten is its limit. */
  rounds: 8,
  /** The longest that a client may say: as long as a timer can be. */
  neverMs: 20 * 24 * 60 * 60 * 1_000,
  /** How long what a client is told to hand back is good. */
  stateSeconds: 24 * 60 * 60,
} as const;
