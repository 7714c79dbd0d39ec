import { randomBytes } from "node:crypto";
import type { Log, Store } from "../../core/ports.ts";
import { createPostgresBus, type PostgresBus } from "./bus/postgres-bus.ts";
import { type Connector, createConnector } from "./connect.ts";
import { codeOf, PostgresUnusable } from "./failures.ts";
import { type CountTrip, Lane } from "./lane.ts";
import { migrate } from "./migrate.ts";
import { createPostgresStore } from "./postgres-store.ts";
import { Reader } from "./reader.ts";
import { DEFAULTS, parseAddress, type PostgresSettings } from "./settings.ts";
import { startFailure } from "./start-failure.ts";
import { StoreClock } from "./store-clock.ts";
import { Writer } from "./writer.ts";

export interface PostgresOptions extends PostgresSettings {
  /** Hears what a server should know of its database. */
  log?: Log | undefined;
  /** Milliseconds that no correction of a clock changes. @default those of the process */
  elapsed?: () => number;
  /** Hears of each round trip: for tests and benches. */
  countTrip?: CountTrip | undefined;
}

export interface OpenedPostgres {
  store: Store;
  /** The time of the database. */
  clock: StoreClock;
  /** Between the processes that share the database; closed with the store. Absent with `poll`. */
  bus?: PostgresBus;
}

/** The first version with all that is used. */
const OLDEST = 160_000;

/**
 * Opens a store that any number of processes may share. Throws `PostgresUnusable` when it cannot be
 * used, in a sentence that says what to do. A connection that is lost later makes the store
 * unavailable for as long as there is no other; nothing needs a restart.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<OpenedPostgres> {
  const { timeoutMs = DEFAULTS.timeoutMs, hints = "listen", listenUrl } = options;
  const connector = await createConnector(parseAddress(options), timeoutMs);
  const { store, clock } = await openWith(connector, options);
  if (hints === "poll") return { store, clock };
  try {
    const direct =
      listenUrl === undefined
        ? connector
        : await createConnector(parseAddress({ ...options, url: listenUrl }), timeoutMs);
    const lane = new Lane(connector);
    const bus = await createPostgresBus({
      id: newId(),
      connector: direct,
      lane,
      timeoutMs,
      log: options.log,
    });
    return { store: closingWith(store, bus), clock, bus };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function closingWith(store: Store, bus: PostgresBus): Store {
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), bus.close()]);
  };
  return { ...store, close };
}

const newId = (): string => randomBytes(16).toString("base64url");

/** The same with connections of the caller's. */
export async function openWith(
  connector: Connector,
  options: Omit<PostgresOptions, Exclude<keyof PostgresSettings, "poolSize" | "timeoutMs">>,
): Promise<OpenedPostgres> {
  const { poolSize = DEFAULTS.poolSize, timeoutMs = DEFAULTS.timeoutMs } = options;
  const { elapsed = () => performance.now(), log, countTrip } = options;
  const clock = new StoreClock(elapsed);
  await prepare(connector, clock, elapsed, log);

  const lanes = (count: number) =>
    Array.from({ length: count }, () => new Lane(connector, countTrip));
  const control = lanes(1);
  const readers = lanes(Math.max(1, Math.floor((poolSize - 1) / 2)));
  const writers = lanes(Math.max(1, poolSize - 1 - readers.length));
  const writer = new Writer({
    lanes: writers,
    newId,
    sampled: (now, sentAt) => clock.sample(now, sentAt),
    elapsed,
    timeoutMs,
  });
  const store = createPostgresStore({
    reader: new Reader(readers),
    control: new Reader(control),
    writer,
    clock,
    end: async () => {
      await Promise.all([...control, ...readers, ...writers].map((lane) => lane.close()));
    },
  });
  return { store, clock };
}

const FACTS = /* sql */ `SELECT current_setting('server_version_num')::int AS version,
  current_setting('server_version') AS version_name, pg_is_in_recovery() AS is_replica,
  current_setting('default_transaction_read_only') AS read_only,
  current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding`;
const FORGET_WRITERS = /* sql */ `DELETE FROM beckon.writers
  WHERE seen_at < beckon.beckon_now() - 7 * 24 * 60 * 60 * 1000::bigint`;

/** Looks whether this is a database to use, and makes it one. */
async function prepare(
  connector: Connector,
  clock: StoreClock,
  elapsed: () => number,
  log: Log | undefined,
): Promise<void> {
  try {
    const client = await connector.connect();
    try {
      const { rows } = await client.query(FACTS);
      check(connector.name, rows[0] as Record<string, unknown>, log);
      await migrate(client);
      const sentAt = elapsed();
      const { rows: times } = await client.query("SELECT beckon.beckon_now() AS now");
      clock.sample((times[0] as { now: number }).now, sentAt);
      await client.query(FORGET_WRITERS);
    } finally {
      await connector.release(client);
    }
  } catch (error) {
    throw startFailure(connector.name, error, codeOf(error));
  }
}

function check(name: string, facts: Record<string, unknown>, log: Log | undefined): void {
  if (Number(facts["version"]) < OLDEST) {
    throw new PostgresUnusable(
      "too_old",
      `${name} is PostgreSQL ${String(facts["version_name"])}; Beckon needs 16 or newer. Update it, or use another server.`,
    );
  }
  if (facts["is_replica"] === true || facts["read_only"] === "on") {
    throw new PostgresUnusable(
      "read_only",
      `${name} can only be read: it is a replica, or set to be read only. Give the address of the primary.`,
    );
  }
  if (facts["encoding"] !== "UTF8") {
    throw new PostgresUnusable(
      "no_database",
      `The database ${name} has the encoding ${String(facts["encoding"])}. Create one with ENCODING 'UTF8'.`,
    );
  }
  if (facts["fsync"] === "off") {
    log?.warn({ database: name }, "PostgreSQL runs with fsync off: a power cut can lose answers");
  }
}
