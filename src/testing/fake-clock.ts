import type { Clock } from "../core/ports.ts";

export interface FakeClock extends Clock {
  /**
   * Lets time pass: fires what falls due, in order, each at its own moment, and lets promises settle
   * before, between and after.
   */
  advance(ms: number): Promise<void>;
  /**
   * Sets the wall clock forward or back without time passing, as a correction by the system does:
   * `now` changes at once, and a running timer keeps what is left of it.
   */
  jump(ms: number): void;
  /** Lets everything that waits for nothing but the loop run. */
  settle(): Promise<void>;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** Enough for a chain of some twenty durable commits, each of which takes a turn of the loop. */
const SETTLE_TURNS = 25;
const START = Date.UTC(2026, 0, 1);

/**
 * A clock that stands still until a test moves it.
 *
 * @param settle lets run what need not wait for time; by default what waits only for the loop
 */
export function createFakeClock(
  start: number = START,
  settle: () => Promise<void> = settleLoop,
): FakeClock {
  let now = start;
  let elapsed = 0;
  let timers: Timer[] = [];

  function takeNext(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= until && (!next || timer.at < next.at)) next = timer;
    }
    timers = timers.filter((timer) => timer !== next);
    return next;
  }

  function passTo(moment: number): void {
    now += moment - elapsed;
    elapsed = moment;
  }

  return {
    now: () => now,
    timer(ms, callback) {
      const timer = { at: elapsed + Math.max(0, ms), callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    turn,
    async advance(ms) {
      const end = elapsed + ms;
      await settle();
      for (let timer = takeNext(end); timer; timer = takeNext(end)) {
        passTo(timer.at);
        timer.callback();
        await settle();
      }
      passTo(end);
      await settle();
    },
    jump(ms) {
      now += ms;
    },
    settle,
  };
}

async function settleLoop(): Promise<void> {
  for (let turns = 0; turns < SETTLE_TURNS; turns++) await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
