import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Bus, type Clock, createLocalBus, type Log, type Store } from "./core/index.ts";
import { openSqliteStore, postgresName } from "./store/index.ts";

/** How a PostgreSQL is used as a store. */
export interface StoreSettings {
  /** How many connections serve reads and commits; a few more are for hints. @default 8 */
  poolSize?: number;
  /** For how long a statement may run, and whoever asks waits for a connection. @default 10 s */
  statementTimeoutMs?: number;
  /** Certificates of who signs the server's, in PEM. @default those of `sslrootcert`, else Node's */
  tlsRoots?: string;
  /** `poll` where LISTEN does not pass: what others do is seen within two seconds. @default listen */
  hints?: "listen" | "poll";
  /** Where to listen, when `url` is a pooler that does not let it pass. @default `url` */
  listenUrl?: string;
}

/** A PostgreSQL, by its address or with how it is used. */
export type StoreAddress = string | ({ url: string } & StoreSettings);

interface OpenedStore {
  store: Store;
  bus: Bus;
  /** Others may use it at the same time. */
  isShared: boolean;
  /** Dates what others read too. */
  clock: Clock;
}

/** One PostgreSQL for any number of servers, or SQLite in a directory that this process holds. */
export async function openStore(
  { dataDir, store: address }: { dataDir: string; store?: StoreAddress | undefined },
  { clock, timeOfDay, log }: { clock: Clock; timeOfDay: Clock; log: Log },
): Promise<OpenedStore> {
  if (address !== undefined) {
    // Whoever keeps everything in SQLite loads nothing of it.
    const { openPostgresStore } = await import("./store/postgres/open-postgres-store.ts");
    const { store, bus = createLocalBus() } = await openPostgresStore({
      ...toPostgresSettings(address),
      log,
    });
    return { store, bus, isShared: true, clock: { ...timeOfDay, now: () => store.clock.now() } };
  }
  const path = dataDir === ":memory:" ? dataDir : join(dataDir, "beckon.db");
  const store = openSqliteStore({ path, clock, exclusive: true, log });
  return { store, bus: createLocalBus(), isShared: false, clock: timeOfDay };
}

function toPostgresSettings(address: StoreAddress) {
  if (typeof address === "string") return { url: address };
  const { statementTimeoutMs, ...rest } = address;
  return { ...rest, timeoutMs: statementTimeoutMs };
}

/** Host, port and database: for people, without who signs in how. */
export function nameOfStore(address: StoreAddress): string {
  return postgresName(toPostgresSettings(address));
}

/** The same at each start on this directory, and another one on another machine. */
export function nodeNameFor(dataDir: string): string {
  if (dataDir === ":memory:") return hostname();
  const place = createHash("sha256").update(realpathSync(dataDir)).digest("hex");
  return `${hostname()}-${place.slice(0, 4)}`;
}
