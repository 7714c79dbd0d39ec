import type { Clock } from "../ports.ts";
import { LEASE_MS } from "./lease.ts";

type Time = Pick<Clock, "now">;

/**
 * Until when the leases of this process last for certain, by its latest renewal. By the store's time,
 * which is counted on here between its answers, and by the clock of this machine: the first stands
 * still while the machine sleeps or is moved, the second may be set.
 */
export class NodeLease {
  readonly #clocks: readonly Time[];
  #until: number[];

  constructor(...clocks: readonly Time[]) {
    this.#clocks = clocks;
    this.#until = clocks.map(() => Number.POSITIVE_INFINITY);
  }

  /** A renewal is asked for now; to be called when it is done. */
  renewing(): () => void {
    const until = this.#clocks.map((clock) => clock.now() + LEASE_MS);
    return () => void (this.#until = until);
  }

  isCertain(): boolean {
    return this.#clocks.every((clock, index) => clock.now() < (this.#until[index] ?? 0));
  }
}
