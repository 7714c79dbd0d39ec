import { randomUUID } from "node:crypto";
import { follow } from "./follow.js";

/**
 * One window that a person answers in: it follows the log, takes the prompts one after another, and
 * sends each answer until there is a reply, always with the same `responseId`. So an answer whose
 * reply was lost with the server is neither lost nor given twice.
 *
 * @typedef {Record<string, any>} Request the payload of an `interaction_request`
 * @typedef {{ action: string, input?: Record<string, unknown> }} Answer
 * @typedef {{ signal: AbortSignal, fieldErrors?: Record<string, string> }} Circumstances
 */
export class Window {
  /** From this window's own count; the report only mentions them. */
  counts = { sent: 0, sentAgain: 0, accepted: 0, tooLate: 0 };
  #options;
  /** @type {Map<string, Request>} */
  #open = new Map();
  /** @type {{ id: string, interrupt: AbortController } | undefined} */
  #current;
  #answering = Promise.resolve();

  /**
   * @param {{
   *   api: import("./api.js").Api, sessionId: string,
   *   decide: (request: Request, circumstances: Circumstances) => Promise<Answer>,
   *   onAccepted?: () => void, onTooLate?: (who: string) => void, onOutage?: () => void,
   * }} options
   */
  constructor(options) {
    this.#options = options;
  }

  /** @param {AbortSignal} signal */
  async run(signal) {
    const { api, sessionId, onOutage } = this.#options;
    for await (const events of follow(api, sessionId, { signal, onOutage })) {
      for (const event of events) this.#see(event);
      this.#next(signal);
    }
    this.#current?.interrupt.abort();
    await this.#answering;
  }

  /** @param {any} event */
  #see({ type, payload }) {
    if (type === "interaction_request") this.#open.set(payload.interactionId, payload);
    if (type !== "interaction_response" && type !== "interaction_closed") return;
    this.#open.delete(payload.interactionId);
    if (this.#current?.id !== payload.interactionId) return;
    this.#current?.interrupt.abort(payload.responder?.name ?? "the server");
  }

  /** @param {AbortSignal} signal */
  #next(signal) {
    const [request] = this.#open.values();
    if (!request || this.#current || signal.aborted) return;
    const current = { id: request["interactionId"], interrupt: new AbortController() };
    this.#current = current;
    this.#answering = this.#answer(request, current.interrupt.signal, signal)
      .catch((error) => {
        if (!current.interrupt.signal.aborted) throw error;
        this.#tooLate(current.interrupt.signal.reason);
      })
      .finally(() => {
        // Its end may not have come in the log yet.
        this.#open.delete(current.id);
        this.#current = undefined;
        this.#next(signal);
      });
  }

  /**
   * @param {Request} request
   * @param {AbortSignal} signal somebody else was first, or all is over
   * @param {AbortSignal} over until then an answer that was begun to be sent is sent
   */
  async #answer(request, signal, over) {
    /** @type {Record<string, string> | undefined} */
    let fieldErrors;
    for (;;) {
      const answer = await this.#options.decide(request, { signal, fieldErrors });
      const { status, body } = await this.#send(request["interactionId"], answer, over);
      if (status === 200) {
        this.counts.accepted++;
        return this.#options.onAccepted?.();
      }
      if (status === 409) return this.#tooLate(body.response?.responder?.name);
      if (status !== 422) throw new Error(`An answer was refused: ${body.error}`);
      fieldErrors = body.fieldErrors ?? { "": body.error };
    }
  }

  /**
   * @param {string} id
   * @param {Answer} answer
   * @param {AbortSignal} signal
   */
  async #send(id, answer, signal) {
    const body = { ...answer, responseId: randomUUID() };
    let outages = 0;
    const onOutage = () => void outages++;
    const path = `/api/interactions/${id}/respond`;
    const reply = await this.#options.api.insist("POST", path, body, { signal, onOutage });
    this.counts.sent++;
    if (outages > 0) this.counts.sentAgain++;
    return reply;
  }

  /** @param {unknown} who */
  #tooLate(who) {
    if (typeof who !== "string") return;
    this.counts.tooLate++;
    this.#options.onTooLate?.(who);
  }
}
