import type { Clock } from "../ports.ts";

/** Wakes those who wait for a key. A wake-up is a hint: the waiter looks again for itself. */
export interface Signals {
  on(key: string, listener: () => void): () => void;
  fire(key: string): void;
  /** Everyone looks again; for when hints may have been lost. */
  fireAll(): void;
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
    fireAll() {
      for (const set of listeners.values()) for (const listener of set) listener();
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
  signal?: AbortSignal,
): Promise<Found | undefined> {
  return new Promise((resolve, reject) => {
    let looking = false;
    let again = false;
    const stop = signals.on(key, () => void check());
    const finish = (settle: () => void) => {
      stop();
      signal?.removeEventListener("abort", giveUp);
      settle();
    };
    const giveUp = () => finish(() => resolve(undefined));
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
    if (signal?.aborted) return giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    void check();
  });
}

/** As `waitFor`, for so long at most. */
export async function waitAtMost<Found>(
  ports: { clock: Clock; signals: Signals },
  { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
  key: string,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const patience = new AbortController();
  const giveUp = () => patience.abort();
  const stop = ports.clock.timer(waitMs, giveUp);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await waitFor(ports.signals, key, look, patience.signal);
  } finally {
    stop();
    signal?.removeEventListener("abort", giveUp);
  }
}
