import type { InteractionResponse } from "../../protocol/index.ts";

type Values = Record<string, unknown>;
type Answer = Pick<InteractionResponse, "answerId" | "responder">;

/**
 * Secret values between their response and the hook; nothing else ever holds one. They are kept by
 * answer, not only by interaction: several may arrive before it is decided which of them has won.
 */
export class Secrets {
  readonly #held = new Map<string, Map<string, { values: Values; holders: number }>>();

  /** Holds the values of an answer that may win. Whoever learns that it has not lets go of them. */
  hold(interactionId: string, answer: Answer, values: Values): () => void {
    if (Object.keys(values).length === 0) return () => {};
    const key = keyOf(answer);
    const answers = this.#held.get(interactionId) ?? new Map();
    const held = answers.get(key) ?? { values, holders: 0 };
    held.holders++;
    this.#held.set(interactionId, answers.set(key, held));
    return () => {
      if (--held.holders > 0) return;
      answers.delete(key);
      if (answers.size === 0 && this.#held.get(interactionId) === answers) {
        this.#held.delete(interactionId);
      }
    };
  }

  of(interactionId: string, answer: Answer): Values {
    return this.#held.get(interactionId)?.get(keyOf(answer))?.values ?? {};
  }

  forget(interactionId: string): void {
    this.#held.delete(interactionId);
  }
}

function keyOf({ answerId, responder }: Answer): string {
  return JSON.stringify([answerId, responder.id]);
}
