const MOST = 256;

interface RestingRun {
  /** Gives up what this process holds of it. */
  letGo(): boolean;
}

/**
 * The runs that wait for people and that this process could go on with at once, because it still
 * holds their closures. Those take some eight kilobytes each, and people may take weeks: of many,
 * the ones that have waited longest are let go. They are rows then, as after a restart, and whoever
 * answers has them replayed.
 */
export class RestingRuns {
  readonly #runs = new Set<RestingRun>();
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  add(run: RestingRun): void {
    this.#runs.delete(run);
    this.#runs.add(run);
    for (const oldest of this.#runs) {
      if (this.#runs.size <= this.#most || oldest === run) return;
      if (oldest.letGo()) this.#runs.delete(oldest);
    }
  }

  delete(run: RestingRun): void {
    this.#runs.delete(run);
  }
}
