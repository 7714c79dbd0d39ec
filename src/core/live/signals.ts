import type { Clock } from "../ports.ts";
import { Departure } from "../run/departure.ts";

/** Wakes those who wait for a key. A wake-up is a hint: the waiter looks again for itself. */
export interface Signals {
  on(key: string, listener: () => void): () => void;
  fire(key: string): void;
  /** Everyone looks again whose key begins so; for when hints may have been lost. */
  fireAll(begins?: string): void;
}

export function createSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>();
  return {
    on(key, listener) {
      const set = listeners.get(key) ?? new Set();
      listeners.set(key, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key);
      };
    },
    fire(key) {
      for (const listener of listeners.get(key) ?? []) listener();
    },
    fireAll(begins = "") {
      for (const [key, set] of listeners) {
        if (key.startsWith(begins)) for (const listener of set) listener();
      }
    },
  };
}

export const interactionKey = (id: string) => `interaction:${id}`;
export const callKey = (sessionId: string, callId: string) => `call:${sessionId}/${callId}`;
export const runKey = (runId: string) => `run:${runId}`;
/** Fired when a call begins in a session, or its turn ends. */
export const callsKey = (sessionId: string) => `calls:${sessionId}`;

/** Looks until `look` finds something, at first and after every signal for `key`. */
export function waitFor<Found>(
  signals: Signals,
  key: string,
  look: () => Promise<Found | undefined>,
  gone?: Departure,
): Promise<Found | undefined> {
  return new Promise((resolve, reject) => {
    let looking = false;
    let again = false;
    const stop = signals.on(key, () => void check());
    let stopListening: (() => void) | undefined;
    const finish = (settle: () => void) => {
      stop();
      stopListening?.();
      settle();
    };
    const check = async () => {
      if (looking) {
        again = true;
        return;
      }
      looking = true;
      try {
        do {
          again = false;
          const found = await look();
          if (found !== undefined) return finish(() => resolve(found));
        } while (again);
      } catch (error) {
        finish(() => reject(error));
      } finally {
        looking = false;
      }
    };
    if (gone?.isOver) return finish(() => resolve(undefined));
    stopListening = gone?.hear(() => finish(() => resolve(undefined)));
    void check();
  });
}

/** As `waitFor`, for so long at most. */
export async function waitAtMost<Found>(
  ports: { clock: Clock; signals: Signals },
  { waitMs, gone }: { waitMs: number; gone?: Departure },
  key: string,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const patience = new Departure();
  const giveUp = () => patience.leave();
  const stop = ports.clock.timer(waitMs, giveUp);
  const stopListening = gone?.hear(giveUp);
  try {
    return await waitFor(ports.signals, key, look, patience);
  } finally {
    stop();
    stopListening?.();
  }
}
