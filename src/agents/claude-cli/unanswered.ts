/**
 * Which of the messages that went in are still to be answered. Until they are, the way in stays
 * open: the answers to what Claude Code asks go by it too. A Claude Code that does not tell what
 * becomes of a message gets its way in closed as soon as no more will come.
 */
export class Unanswered {
  readonly #ids = new Set<unknown>();
  readonly #whenDone: () => void;
  #more = true;

  constructor(whenDone: () => void) {
    this.#whenDone = whenDone;
  }

  /** No more messages will go in. */
  noMore(): void {
    this.#more = false;
    this.#look();
  }

  take({ type, command_uuid: id, state }: Record<string, unknown>): void {
    if (type !== "command_lifecycle") return;
    if (state === "queued" || state === "started") this.#ids.add(id);
    else this.#ids.delete(id);
    this.#look();
  }

  #look(): void {
    if (!this.#more && this.#ids.size === 0) this.#whenDone();
  }
}
