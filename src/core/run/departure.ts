/**
 * The moment from which nobody here goes on with something. Many wait for that and for something
 * else, whichever comes first: unlike with a promise, they leave nothing behind when the other
 * came first.
 */
export class Departure {
  #isOver = false;
  #listeners: Set<() => void> | undefined;

  get isOver(): boolean {
    return this.#isOver;
  }

  leave(): void {
    this.#isOver = true;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const hear of listeners ?? []) hear();
  }

  /** Calls `listener` once, at once if it is too late already; not any more after what it gives is called. */
  hear(listener: () => void): () => void {
    if (this.#isOver) {
      listener();
      return () => {};
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => {
      this.#listeners?.delete(listener);
      if (this.#listeners?.size === 0) this.#listeners = undefined;
    };
  }

  /** Settles as `work` does, or resolves when nobody goes on with it. */
  until<Result>(work: Promise<Result>): Promise<Result | void> {
    return new Promise((resolve, reject) => {
      const stop = this.hear(() => resolve());
      void work.then(resolve, reject).finally(stop);
    });
  }
}
