import type { InteractionRecord } from "../protocol/index.ts";
import { backoffMs, type Timers } from "./timers.ts";
import type { InboxListener } from "./transport.ts";

const REF = "inbox";

/** The list of what is open, as frames bring it: whole after each new line, then by changes. */
export class InboxFeed {
  /** Each with whether it has had the list, without which a change means nothing. */
  readonly #listeners = new Map<InboxListener, boolean>();
  readonly #send: (frame: object) => boolean;
  readonly #timers: Timers;
  #tries = 0;
  #stopRetry = () => {};

  constructor(send: (frame: object) => boolean, timers: Timers) {
    this.#send = send;
    this.#timers = timers;
  }

  watch(listener: InboxListener): () => void {
    this.#listeners.set(listener, false);
    this.askAgain();
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.#stopRetry();
      this.#send({ type: "unsubscribe", inbox: true });
    };
  }

  askAgain(): void {
    this.#stopRetry();
    if (this.#listeners.size > 0) this.#send({ type: "subscribe", inbox: true, ref: REF });
  }

  list(interactions: InteractionRecord[]): void {
    this.#tries = 0;
    for (const listener of [...this.#listeners.keys()]) {
      this.#listeners.set(listener, true);
      listener.list(interactions);
    }
  }

  updated(interaction: InteractionRecord): void {
    for (const [listener, isListed] of [...this.#listeners]) {
      if (isListed) listener.updated(interaction);
    }
  }

  /** Whether the error was about the inbox. */
  error(ref: unknown): boolean {
    if (ref !== REF) return false;
    this.#stopRetry();
    const wait = backoffMs(this.#tries++, this.#timers);
    this.#stopRetry = this.#timers.timer(wait, () => this.askAgain());
    return true;
  }

  close(): void {
    this.#stopRetry();
    this.#listeners.clear();
  }
}
