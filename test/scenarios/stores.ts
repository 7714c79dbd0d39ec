import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bus, type BusMessage, createLocalBus, type Store } from "../../src/core/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { releaseLeases } from "../../src/store/sqlite/queries/runs.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createFakeClock, createLossyBuses, type FakeClock } from "../../src/testing/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres/database.ts";

/** What the nodes of a world have in common, until they are killed. */
export interface Stores {
  /** Of each node: its store and its bus. */
  nodes: { store: Store; bus: Bus }[];
  /** What a test uses, and changes where it breaks something for all nodes. */
  store: Store;
  /** The connection to a SQLite file. */
  sqlite?: Database;
  sql(text: string): Promise<Record<string, unknown>[]>;
  placesOf(words: string): Promise<string[]>;
  close(): Promise<void>;
}

interface SqliteOptions {
  directory: string;
  patienceMs: number | undefined;
  clock: FakeClock;
  random: () => number;
  count: number;
}

/** All nodes over one connection to one file. */
export function openSqliteFile(options: SqliteOptions): Stores {
  const { directory, patienceMs, clock, random, count } = options;
  const sqlite = openDatabase(join(directory, "beckon.db"), patienceMs);
  releaseLeases(sqlite);
  const store = createSqliteStore(sqlite, clock);
  const buses = count === 1 ? [createLocalBus()] : createLossyBuses(count, random);
  return {
    nodes: buses.map((bus) => ({ store, bus })),
    store,
    sqlite,
    sql: async (text) => sqlite.all(text),
    placesOf: async (words) =>
      readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(words)),
    close: () => store.close(),
  };
}

const idle: TestDatabase[] = [];

/** A PostgreSQL database with nothing in it, for one world at a time. */
export async function takeDatabase(): Promise<TestDatabase> {
  const database = idle.pop() ?? (await createTestDatabase());
  await database.empty();
  return database;
}

export function giveBack(database: TestDatabase): void {
  idle.push(database);
}

/** As when the leases of whoever was killed have run out. */
const RELEASE_LEASES = `UPDATE runs SET lease_until = 0
  WHERE status = 'live' OR (status = 'suspended' AND lease_until IS NOT NULL)`;

/** Each node with a store and a bus of its own, as processes have them. */
export async function openPostgres(
  database: TestDatabase,
  { clock, random, count }: Pick<SqliteOptions, "clock" | "random" | "count">,
): Promise<Stores> {
  await database.sql(RELEASE_LEASES);
  const opened = await Promise.all(
    Array.from({ length: count }, async () => {
      const { store } = await database.open(clock);
      return { store, bus: await database.openBus() };
    }),
  );
  const broken: Partial<Store> = {};
  const breakable = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => Reflect.get(broken, name) ?? Reflect.get(target, name),
    });
  const [first] = opened as [(typeof opened)[0]];
  return {
    nodes: opened.map(({ store, bus }) => ({
      store: breakable(store),
      bus: withLosses(bus, random),
    })),
    store: new Proxy(first.store, {
      set: (_target, name, value) => Reflect.set(broken, name, value),
    }),
    sql: (text) => database.sql(text),
    placesOf: (words) => tablesWith(database, words),
    close: async () => {
      await Promise.all(opened.map(({ store }) => store.close()));
      await Promise.all(opened.map(({ bus }) => bus.close()));
    },
  };
}

async function tablesWith(database: TestDatabase, words: string): Promise<string[]> {
  const tables = await database.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'beckon'");
  const names = tables.map(({ tablename }) => String(tablename));
  const having = names.map(
    (name) =>
      `SELECT '${name}' AS name FROM ${name} AS row WHERE strpos(row::text, '${words}') > 0`,
  );
  const found = await database.sql(having.join(" UNION "));
  return found.map(({ name }) => String(name));
}

/** A store for one test whose engines share it: in memory, or on PostgreSQL where that is asked for. */
export async function openSharedStore(): Promise<{ store: Store; clock: FakeClock }> {
  if (process.env["BECKON_MODES"] !== "twoNodesPostgres") {
    const clock = createFakeClock();
    return { store: openSqliteStore({ path: ":memory:", clock }), clock };
  }
  const database = await takeDatabase();
  const { store, clock } = await database.open(createFakeClock(undefined, database.settle));
  const close = async (): Promise<void> => {
    await store.close();
    giveBack(database);
  };
  return {
    store: new Proxy(store, {
      get: (target, name) => (name === "close" ? close : Reflect.get(target, name)),
    }),
    clock,
  };
}

/** What other nodes tell arrives late, twice or not at all. */
function withLosses(bus: Bus, random: () => number): Bus {
  let own = false;
  const arrive = (hear: () => void, turns: number): void => {
    if (turns === 0) hear();
    else setImmediate(() => arrive(hear, turns - 1));
  };
  return {
    publish(message) {
      own = true;
      bus.publish(message);
      own = false;
    },
    subscribe: (listener: (message: BusMessage) => void) =>
      bus.subscribe((message) => {
        if (own) return listener(message);
        const hear = () => listener(message);
        if (random() < 0.3) return;
        arrive(hear, Math.floor(random() * 6));
        if (random() < 0.3) arrive(hear, Math.floor(random() * 12));
      }),
  };
}
