/**
 * Answers that are on their way to the programs that asked. A program that asks the same again in
 * that moment is told the same again only if the first reply did not arrive: so it waits here.
 */
export class Unheard {
  readonly #onTheirWay = new Map<string, Promise<void>>();

  async settled(question: string): Promise<void> {
    await this.#onTheirWay.get(question);
  }

  /** @param arrived settles when it is known, and written down, whether the answer has arrived */
  add(question: string, arrived: Promise<void>): void {
    const done = arrived.finally(() => {
      if (this.#onTheirWay.get(question) === done) this.#onTheirWay.delete(question);
    });
    this.#onTheirWay.set(question, done);
  }
}
