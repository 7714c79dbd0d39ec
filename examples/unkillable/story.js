import { follow } from "./follow.js";
import { styled, tell } from "./say.js";

/**
 * Reads the log of the demo: tells what happens, and knows when a message has been dealt with.
 */
export class Story {
  /** @type {Map<string, string>} */
  #messageOfTurn = new Map();
  #ended = new Set();
  #heard = () => {};
  #aloud;

  /** @param {{ aloud: boolean }} options */
  constructor({ aloud }) {
    this.#aloud = aloud;
  }

  /**
   * @param {import("./api.js").Api} api
   * @param {string} sessionId
   * @param {AbortSignal} signal
   */
  async run(api, sessionId, signal) {
    for await (const events of follow(api, sessionId, { signal })) {
      for (const event of events) this.#see(event);
      this.#heard();
    }
  }

  /** Resolves when the turn that a message started has ended. @param {string} messageId */
  async turnOf(messageId) {
    while (!this.#ended.has(messageId)) {
      await new Promise((resolve) => (this.#heard = () => resolve(undefined)));
    }
  }

  /** @param {any} event */
  #see({ type, turnId, payload }) {
    if (type === "turn_start") this.#messageOfTurn.set(turnId, payload.messageId);
    if (type === "turn_end") this.#ended.add(this.#messageOfTurn.get(turnId));
    if (!this.#aloud) return;
    if (type === "user_message") tell("to agent", payload.text);
    if (type === "interaction_request") tell("asks", question(payload), "cyan");
    if (type === "interaction_response") {
      tell("answer", `${payload.action}, in ${payload.responder.name}`);
    }
    if (type === "tool_result")
      tell("done", JSON.stringify(payload.result ?? payload.error), "green");
  }
}

/** @param {Record<string, any>} request */
function question({ prompt, attempt, error }) {
  return attempt === 1 ? prompt : `${prompt} ${styled("dim", `again: ${error}`)}`;
}
