import type { ConnectionState } from "./connection-state.ts";
import { backoffMs, type Timers } from "./timers.ts";

/**
 * Whether the server can be reached, where there is no line that would tell: every answer says so,
 * and after a request that got none it is asked again and again.
 */
export class Reach {
  readonly #connection: ConnectionState;
  readonly #timers: Timers;
  readonly #ask: () => Promise<unknown>;
  #tries = 0;
  #stopRetry: (() => void) | undefined;
  #closed = false;

  constructor(connection: ConnectionState, timers: Timers, ask: () => Promise<unknown>) {
    this.#connection = connection;
    this.#timers = timers;
    this.#ask = ask;
  }

  answered(status: number | "none"): void {
    if (this.#closed) return;
    if (status === "none") return this.#lost();
    this.#stop();
    this.#tries = 0;
    this.#connection.set({ state: status === 401 ? "signed_out" : "online" });
  }

  reconnect(): void {
    if (this.#closed) return;
    this.#stop();
    this.#tries = 0;
    if (this.#connection.current.state !== "online") this.#connection.set({ state: "connecting" });
    void this.#ask();
  }

  /** Resolves when the server can be reached, or when `signal` aborts. */
  async untilOnline(signal: AbortSignal): Promise<void> {
    if (this.#connection.current.state === "online" || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        unlisten();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const unlisten = this.#connection.listen(({ state }) => state === "online" && end());
      signal.addEventListener("abort", end);
    });
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    this.#connection.set({ state: "offline" });
  }

  #lost(): void {
    if (this.#stopRetry) return;
    const wait = backoffMs(this.#tries++, this.#timers);
    this.#connection.set({ state: "offline", retryAt: this.#timers.now() + wait });
    this.#stopRetry = this.#timers.timer(wait, () => {
      this.#stopRetry = undefined;
      this.#connection.set({ state: "connecting" });
      void this.#ask();
    });
  }

  #stop(): void {
    this.#stopRetry?.();
    this.#stopRetry = undefined;
  }
}

/** Waits, or less if `signal` aborts. */
export function pause(ms: number, timers: Timers, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      stop();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const stop = timers.timer(ms, end);
    signal.addEventListener("abort", end);
  });
}
