import type { Client } from "pg";
import type { Connector } from "./connect.ts";
import { closedStore, isLostConnection } from "./failures.ts";

export type SqlRow = Record<string, unknown>;

/** Hears of each round trip: what is sent in one turn of the loop goes in one. */
export type CountTrip = () => void;

/**
 * One connection, made when it is needed and again after it broke. What is sent before an answer is
 * there does not wait for it.
 */
export class Lane {
  readonly #connector: Connector;
  readonly #countTrip: CountTrip | undefined;
  #client: Client | undefined;
  #connecting: Promise<Client> | undefined;
  #isCounted = false;
  #closed = false;
  readonly #lost = (): void => void (this.#client = undefined);
  /** What was sent and has no answer yet. */
  waiting = 0;

  constructor(connector: Connector, countTrip?: CountTrip) {
    this.#connector = connector;
    this.#countTrip = countTrip;
  }

  async query(text: string, values: readonly unknown[] = []): Promise<SqlRow[]> {
    this.waiting++;
    try {
      const client = this.#client ?? (await this.#connect());
      this.#count();
      const { rows } = await client.query<SqlRow>({ text, values: [...values] });
      return rows;
    } catch (error) {
      if (isLostConnection(error)) this.drop();
      throw error;
    } finally {
      this.waiting--;
    }
  }

  /** Connects anew for what comes next: this connection hangs, or leads to the wrong server. */
  drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.off("end", this.#lost);
    client?.end().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client ?? (await this.#connecting?.catch(() => undefined));
    this.#client = undefined;
    client?.off("end", this.#lost);
    if (client) await this.#connector.release(client);
  }

  #connect(): Promise<Client> {
    if (this.#closed) return Promise.reject(closedStore());
    this.#connecting ??= this.#open().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #open(): Promise<Client> {
    const client = await this.#connector.connect();
    client.once("end", this.#lost);
    this.#client = client;
    return client;
  }

  #count(): void {
    if (this.#isCounted || !this.#countTrip) return;
    this.#isCounted = true;
    this.#countTrip();
    setImmediate(() => (this.#isCounted = false));
  }
}
