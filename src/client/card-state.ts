import type { InteractionView } from "./view.ts";

/** How a card stands. */
export type CardState =
  | "pending"
  | "submitting"
  /** Open, and its call has ended on purpose: the answer arrives as a message. */
  | "queued"
  /** Open, and the run that asked is gone: the answer arrives as a message. */
  | "orphaned"
  /** Open, and interactive mode is off. */
  | "read_only"
  | "completed"
  | "completed_elsewhere"
  | "timed_out"
  | "cancelled"
  | "failed"
  /** In the agent's own terminal. */
  | "decided_elsewhere"
  /** Its call has a newer prompt, or an identical call asks anew. */
  | "replaced";

export interface CardFacts {
  /** Whether this client may answer. */
  interactive: boolean;
  /** An answer of this card is on its way. */
  submitting: boolean;
  /** Names this client in what it answers. */
  clientId: string;
}

/** One of the states that a card can be in. Ended is ended, whatever is on its way. */
export function cardState(
  { state, reason, response, late }: InteractionView,
  { interactive, submitting, clientId }: CardFacts,
): CardState {
  if (state === "replaced" || reason === "superseded") return "replaced";
  if (state === "answered") {
    return response?.responder.clientId === clientId ? "completed" : "completed_elsewhere";
  }
  if (state === "closed") return reason ?? "failed";
  if (submitting) return "submitting";
  if (!interactive) return "read_only";
  return late ?? "pending";
}

/**
 * Milliseconds until an open prompt ends by itself, by the server's clock, so that a reload does not
 * begin anew; undefined if it waits for ever. `serverNow`: see `Transport`.
 */
export function timeLeft(
  { state, late, request }: InteractionView,
  serverNow: number,
): number | undefined {
  // A prompt that outlives its call has no deadline, though its request still names one.
  if (state !== "open" || late !== undefined || request.expiresAt === undefined) return undefined;
  const expiresAt = Date.parse(request.expiresAt);
  return Number.isNaN(expiresAt) ? undefined : Math.max(0, expiresAt - serverNow);
}
