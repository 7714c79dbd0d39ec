/** Time and chance, so that a test can hold both still. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; the returned function takes it back. */
  timer(ms: number, callback: () => void): () => void;
  /** From 0 up to 1. */
  random(): number;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Whoever lost the line together comes back over half of the wait, not all in one moment. */
const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 30_000;

/** How long to wait before the next try, after `tries` that failed. */
export function backoffMs(tries: number, timers: Timers): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
  return longest / 2 + (timers.random() * longest) / 2;
}

const ID_BYTES = 16;

/** A random id. Not `randomUUID`, which browsers keep from pages that came over plain HTTP. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
