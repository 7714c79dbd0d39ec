import type { Clock } from "../../src/core/index.ts";

/** A clock that a race moves between two turns of the loop; nothing waits until all is settled. */
export interface TurnClock extends Clock {
  /** Lets time pass and fires what falls due, in order. */
  pass(ms: number): void;
  /** Lets time pass and fires nothing yet: a busy loop comes to its timers late. */
  oversleep(ms: number): void;
}

const START = Date.UTC(2026, 0, 1);

export function createTurnClock(): TurnClock {
  let now = START;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now,
    timer(ms, callback) {
      const timer = { at: now + Math.max(0, ms), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    turn: () => new Promise((resolve) => void setImmediate(resolve)),
    pass(ms) {
      now += ms;
      const due = [...timers].filter((timer) => timer.at <= now).sort((a, b) => a.at - b.at);
      for (const timer of due) if (timers.delete(timer)) timer.callback();
    },
    oversleep(ms) {
      now += ms;
    },
  };
}
