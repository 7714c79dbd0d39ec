import type { Connection } from "./transport.ts";

/** How the line stands, for who asks and who listens. */
export class ConnectionState {
  readonly #listeners = new Set<(connection: Connection) => void>();
  #current: Connection = { state: "connecting" };

  get current(): Connection {
    return this.#current;
  }

  set(next: Connection): void {
    const { state, retryAt } = this.#current;
    if (next.state === state && next.retryAt === retryAt) return;
    this.#current = next;
    for (const listener of [...this.#listeners]) listener(next);
  }

  listen(listener: (connection: Connection) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
