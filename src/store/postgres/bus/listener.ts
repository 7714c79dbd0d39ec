import type { Client } from "pg";
import type { Connector } from "../connect.ts";

const AGAIN_MS = 500;
/** A connection that is dead and does not say so is found out after this. */
const PROBE_MS = 5_000;

export interface ListenerOptions {
  /** Leads to the server itself: a pooler that shares connections passes no notifications on. */
  connector: Connector;
  channel: string;
  heard: (payload: string) => void;
  /** It listens again, after it could not for a while. */
  back: () => void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Listens, over a connection of its own, for as long as it is not closed. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { connector, channel, heard, back } = options;
  let client: Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const made = await connector.connect();
    made.on("notification", (message) => heard(message.payload ?? ""));
    try {
      await made.query(`LISTEN ${channel}`);
    } catch (error) {
      made.end().catch(() => {});
      throw error;
    }
    if (closed) return void made.end().catch(() => {});
    client = made;
    made.once("end", () => lost(made));
    later(() => probe(made), PROBE_MS);
  }

  function later(work: () => void, ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
    timer.unref();
  }

  function probe(probed: Client): void {
    probed.query("SELECT 1").then(
      () => client === probed && later(() => probe(probed), PROBE_MS),
      () => probed.end().catch(() => {}),
    );
  }

  function lost(which: Client): void {
    if (client !== which || closed) return;
    client = undefined;
    reconnect();
  }

  function reconnect(): void {
    connect().then(
      () => !closed && back(),
      () => !closed && later(reconnect, AGAIN_MS),
    );
  }

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
