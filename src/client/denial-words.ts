/* The other ways to deny, which every approval has. Cards load these words only when they show them. */

export const DENY_WITH_REASON = "Deny with a reason";
export const WHY_NOT = "Why not? What should it do instead?";
export const DENY_AND_STOP = "Deny and stop";
/** What *Deny and stop* does more than *Deny*. */
export const ALSO_STOPS = "Also ends the agent’s turn.";
