import type { Bus, BusMessage, Log } from "../../../core/ports.ts";
import type { Connector } from "../connect.ts";
import { PostgresUnusable } from "../failures.ts";
import type { Lane } from "../lane.ts";
import { Hints, parseHints } from "./hints.ts";
import { listen } from "./listener.ts";

const CHANNEL = "beckon";
const MOST_WAITING = 5_000;
/** For how long hints wait for others to go with: each statement costs every node something. */
const GATHERED_MS = 10;

// Nobody need wait for the disk until a hint that may be lost is on it.
const NOTIFY = /* sql */ `SELECT set_config('synchronous_commit', 'off', true),
  (SELECT count(pg_notify('${CHANNEL}', payload)) FROM unnest($1::text[]) AS payload)`;

interface PostgresBusOptions {
  /** Tells processes apart. */
  id: string;
  /** Leads to the server itself. */
  connector: Connector;
  /** What it notifies over: a connection of its own, so that no commit waits for another's. */
  lane: Lane;
  /** For how long a hint may take when it is tested whether they arrive at all. */
  timeoutMs: number;
  log?: Log | undefined;
}

export interface PostgresBus extends Bus {
  close(): Promise<void>;
}

/**
 * Hands each message to every listener of this process at once, and hints of it to the other
 * processes: ids, and what is on its way. Hints that are told of faster than they can be sent are
 * put together. Who was cut off is told to look.
 */
export async function createPostgresBus(options: PostgresBusOptions): Promise<PostgresBus> {
  const { id, connector, lane, timeoutMs, log } = options;
  const listeners = new Set<(message: BusMessage) => void>();
  const hints = new Hints(MOST_WAITING);
  let sending: Promise<void> | undefined;
  let closed = false;
  let tested: (() => void) | undefined;

  const tell = (message: BusMessage): void => {
    for (const listener of listeners) listener(message);
  };

  async function send(): Promise<void> {
    while (!hints.isEmpty) {
      await new Promise((resolve) => setTimeout(resolve, GATHERED_MS));
      try {
        await lane.query(NOTIFY, [hints.take(id)]);
      } catch (error) {
        // Whoever looks by itself finds out; the others are told with the next hint.
        hints.lose();
        log?.warn(
          { error },
          "other nodes could not be told what has happened; they look themselves",
        );
        return;
      }
    }
  }

  const listener = await listen({
    connector,
    channel: CHANNEL,
    heard(payload) {
      if (payload === id) tested?.();
      for (const message of parseHints(payload, id)) tell(message);
    },
    back: () => tell({ type: "look" }),
  });
  try {
    await arrives(
      (done) => (tested = done),
      () => lane.query(NOTIFY, [[id]]),
      timeoutMs,
    );
  } catch (error) {
    await listener.close();
    throw cannotListen(connector.name, error);
  }

  return {
    publish(message) {
      tell(message);
      if (closed) return;
      hints.add(message);
      sending ??= send().finally(() => (sending = undefined));
    },
    subscribe(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    async close() {
      closed = true;
      // What is gathered is sent still: others go on with what this process lets go of.
      await sending;
      await Promise.all([listener.close(), lane.close()]);
    },
  };
}

/** Resolves when what is sent comes back. */
async function arrives(
  whenHeard: (done: () => void) => void,
  notify: () => Promise<unknown>,
  timeoutMs: number,
): Promise<void> {
  const heard = new Promise<void>((resolve) => whenHeard(resolve));
  await notify();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("what was notified did not arrive")), timeoutMs);
  });
  await Promise.race([heard, late]).finally(() => clearTimeout(timer));
}

function cannotListen(name: string, cause: unknown): PostgresUnusable {
  return new PostgresUnusable(
    "cannot_listen",
    `Notifications of the PostgreSQL ${name} do not arrive: there may be a pooler between, such as PgBouncer in transaction mode. Give the server's own address to listen at, or let the nodes only look from time to time.`,
    { cause },
  );
}
