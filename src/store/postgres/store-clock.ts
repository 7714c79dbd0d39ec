/**
 * What the time of the database is, as exactly as its answers tell: it is not before the time that
 * an answer names, and at most as much later as the answer was on its way. Between answers the
 * process counts on by itself.
 */
export class StoreClock {
  readonly #elapsed: () => number;
  #time = 0;
  #at = 0;
  #isKnown = false;

  /** @param elapsed milliseconds that no correction of a clock changes */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  now(): number {
    return Math.floor(this.#time + this.#elapsed() - this.#at);
  }

  /** @param sentAt when, by `elapsed`, the question was sent */
  sample(time: number, sentAt: number): void {
    const at = this.#elapsed();
    const guess = this.#isKnown ? this.#time + at - this.#at : time;
    this.#time = Math.min(Math.max(guess, time), time + at - sentAt);
    this.#at = at;
    this.#isKnown = true;
  }
}
