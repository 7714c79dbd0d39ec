import type { Timers } from "./timers.ts";

/** What time it is for the server, by what it said last: this machine's clock may be wrong. */
export class ServerClock {
  readonly #timers: Timers;
  #lead = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Contract: `time` was read off the server's clock just now. What is no time is not believed. */
  heard(time: string | null | undefined): void {
    const lead = Date.parse(time ?? "") - this.#timers.now();
    if (!Number.isNaN(lead)) this.#lead = lead;
  }

  now = (): number => this.#timers.now() + this.#lead;
}
