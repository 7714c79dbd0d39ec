import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Store } from "../../../src/core/ports.ts";
import {
  createPostgresBus,
  type PostgresBus,
} from "../../../src/store/postgres/bus/postgres-bus.ts";
import { type Connector, createConnector } from "../../../src/store/postgres/connect.ts";
import { Lane } from "../../../src/store/postgres/lane.ts";
import { openWith } from "../../../src/store/postgres/open-postgres-store.ts";
import { DEFAULTS, parseAddress } from "../../../src/store/postgres/settings.ts";
import { createFakeClock, type FakeClock } from "../../../src/testing/index.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

const TEMPLATE = "beckon_template";

let server: Promise<PostgresServer> | undefined;
let template: Promise<void> | undefined;
let count = 0;

/** One for all tests of a worker; it ends with the worker. */
export function postgresServer(): Promise<PostgresServer> {
  server ??= startPostgres();
  return server;
}

/** Does something over a connection of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  // Who waits for an answer hears of it.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function createTemplate(url: string): Promise<void> {
  await withClient(`${url}/postgres`, (client) => client.query(`CREATE DATABASE ${TEMPLATE}`));
  const address = parseAddress({ url: `${url}/${TEMPLATE}` });
  const { store } = await openWith(await createConnector(address, DEFAULTS.timeoutMs), {});
  await store.close();
}

/** The address of a new database with an empty store in it. */
export async function createDatabase(): Promise<string> {
  const { url } = await postgresServer();
  template ??= createTemplate(url);
  await template;
  const name = `t${++count}`;
  const sql = `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY wal_log`;
  await withClient(`${url}/postgres`, (client) => client.query(sql));
  return `${url}/${name}`;
}

/** Tests say what time it is. */
const FAKE_TIME = /* sql */ `
CREATE TABLE beckon.fake_time (now bigint NOT NULL);
INSERT INTO beckon.fake_time VALUES (0);
CREATE OR REPLACE FUNCTION beckon.beckon_now() RETURNS bigint LANGUAGE sql STABLE
AS $$ SELECT now FROM beckon.fake_time $$;
`;

const EMPTY = /* sql */ `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'beckon'
    AND tablename NOT IN ('schema_version', 'fake_time') ORDER BY tablename DESC
  LOOP EXECUTE format('DELETE FROM beckon.%I', name); END LOOP;
END $$`;

/** A database whose time tests set, and which they use one after the other. */
export interface TestDatabase {
  url: string;
  /** Removes everything that is in it. */
  empty(): Promise<void>;
  /** Opens a store that has the time of the clock whenever it is used; several share one clock. */
  open(clock?: FakeClock): Promise<{ store: Store; clock: FakeClock }>;
  /** The bus of one process of those that share the database. */
  openBus(): Promise<PostgresBus>;
  /** Rows of a statement in which tables have their bare names. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Lets what the loop and the database are busy with run. */
  settle: () => Promise<void>;
}

/** Enough for a chain of commits that each wait for the database and for some turns of the loop. */
const SETTLE_TURNS = 25;

export async function createTestDatabase(): Promise<TestDatabase> {
  const url = await createDatabase();
  const connector = await createWarmConnector(url);
  const use = async <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
    const client = await connector.connect();
    try {
      return await work(client);
    } finally {
      await connector.release(client);
    }
  };
  await use((client) => client.query(FAKE_TIME));
  const tellTime = createTimeTeller((time) =>
    use((client) => client.query("UPDATE beckon.fake_time SET now = $1", [time])),
  );
  const calls = new Set<Promise<unknown>>();
  return {
    url,
    empty: async () => void (await use((client) => client.query(EMPTY))),
    async open(clock = createFakeClock()) {
      await tellTime(clock);
      const { store } = await openWith(connector, { elapsed: () => clock.now() });
      return { store: withTime(store, () => tellTime(clock), calls), clock };
    },
    async openBus() {
      const lane = new Lane(connector);
      const { timeoutMs } = DEFAULTS;
      return createPostgresBus({ id: randomUUID(), connector, lane, timeoutMs });
    },
    sql: (text) =>
      withClient(url, async (client) => {
        await client.query("SET search_path TO beckon");
        return (await client.query<Record<string, unknown>>(text)).rows;
      }),
    async settle() {
      for (let turns = 0; turns < SETTLE_TURNS; turns++) {
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.allSettled(calls);
      }
    },
  };
}

/** Sets the time of the database to that of a clock: one time after the other, as it was told. */
function createTimeTeller(set: (time: number) => Promise<unknown>) {
  let told: number | undefined;
  let telling: Promise<unknown> | undefined;
  return (clock: FakeClock): Promise<unknown> | undefined => {
    const time = clock.now();
    if (told === time) return telling;
    told = time;
    const latest = Promise.resolve(telling)
      .then(() => set(time))
      .finally(() => {
        if (telling === latest) telling = undefined;
      });
    return (telling = latest);
  };
}

/** @param calls those that have not ended are kept there */
function withTime(
  store: Store,
  tellTime: () => Promise<unknown> | undefined,
  calls: Set<Promise<unknown>>,
): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]): Promise<unknown> => {
        const use = () => Reflect.apply(method, target, given) as Promise<unknown>;
        const call = tellTime()?.then(use) ?? use();
        calls.add(call);
        const ended = (): void => void calls.delete(call);
        call.then(ended, ended);
        return call;
      };
    },
  });
}

/** Gives connections on to who needs one next: to make one, and to plan each statement, takes long. */
async function createWarmConnector(url: string): Promise<Connector> {
  const connector = await createConnector(parseAddress({ url }), DEFAULTS.timeoutMs);
  const idle: Client[] = [];
  return {
    name: connector.name,
    connect: async () => idle.pop() ?? connector.connect(),
    release: async (client) => void idle.push(client),
  };
}
