import {
  type ChatEvent,
  createStreamProjection,
  type StreamEvent,
  type TransientEvent,
} from "../protocol/index.ts";

/** Picks one turn out of a session's log and tells it in the gateway's vocabulary. */
export class TurnFollower {
  readonly #messageId: string;
  readonly #projection = createStreamProjection();
  #turnId: string | undefined;

  /** @param turnId where the message has joined a turn that was running already */
  constructor(messageId: string, turnId?: string) {
    this.#messageId = messageId;
    this.#turnId = turnId;
  }

  next(event: ChatEvent | TransientEvent): StreamEvent[] {
    if (event.type === "turn_start" && event.payload.messageId === this.#messageId) {
      this.#turnId = event.turnId;
    }
    if (this.#turnId === undefined || event.turnId !== this.#turnId) return [];
    return this.#projection.next(event);
  }
}
