import type { LiveRun } from "./live-run.ts";

const MOST = 256;

/**
 * The runs that wait for people and that this process could go on with at once, because it still
 * holds their closures. Those take some twenty kilobytes each, and people may take weeks: of many,
 * the ones that have waited longest are let go. They are rows then, as after a restart, and whoever
 * answers has them replayed.
 */
export class RestingRuns {
  readonly #runs = new Set<LiveRun>();
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  add(run: LiveRun): void {
    this.#runs.delete(run);
    this.#runs.add(run);
    for (const oldest of this.#runs) {
      if (this.#runs.size <= this.#most) return;
      this.#runs.delete(oldest);
      oldest.letGo();
    }
  }

  delete(run: LiveRun): void {
    this.#runs.delete(run);
  }
}
