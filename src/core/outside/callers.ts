import { DEFAULTS, ProtocolError } from "../../protocol/index.ts";
import type { Clock } from "../ports.ts";
import type { Departure } from "../run/departure.ts";

const RETRY_MS = 5_000;

/**
 * Who waits for calls made outside a turn. When the last one has hung up and nobody is back within
 * a minute, the call is withdrawn: nobody would hear its answer.
 */
export class Callers {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, number>();
  /** Takes back the withdrawal of calls that were left alone. */
  readonly #returned = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does `work` in the name of a caller who may hang up. */
  async wait<Result>(
    key: string,
    gone: Departure | undefined,
    work: () => Promise<Result>,
    withdraw: () => Promise<void>,
  ): Promise<Result> {
    this.#returned.get(key)?.();
    this.#returned.delete(key);
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    let sentAway = false;
    try {
      const result = await work();
      sentAway = gone?.isOver ?? false;
      return result;
    } catch (error) {
      // Who was refused has no call to come back to.
      sentAway = !(error instanceof ProtocolError);
      throw error;
    } finally {
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
      if (left === 0 && sentAway) this.#leave(key, withdraw, DEFAULTS.callerGraceMs);
    }
  }

  /** Whether somebody waits for the call at this moment. */
  hears(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Whether somebody waits for the call, or may still come back to it. */
  knows(key: string): boolean {
    return this.#waiting.has(key) || this.#returned.has(key);
  }

  stop(): void {
    for (const takeBack of this.#returned.values()) takeBack();
  }

  #leave(key: string, withdraw: () => Promise<void>, ms: number): void {
    const takeBack = this.#clock.timer(ms, () => {
      this.#returned.delete(key);
      // The store may be away for a moment; nobody else would try again.
      withdraw().catch(() => this.#leave(key, withdraw, RETRY_MS));
    });
    this.#returned.set(key, takeBack);
  }
}
