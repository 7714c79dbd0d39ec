import { Client } from "pg";
import type { Store } from "../../../src/core/ports.ts";
import { type Connector, createConnector } from "../../../src/store/postgres/connect.ts";
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
  /** Opens a store that has the time of the clock whenever it is used. */
  open(clock?: FakeClock): Promise<{ store: Store; clock: FakeClock }>;
}

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
  const setTime = (time: number) =>
    use((client) => client.query("UPDATE beckon.fake_time SET now = $1", [time]));
  return {
    url,
    empty: async () => void (await use((client) => client.query(EMPTY))),
    async open(clock = createFakeClock()) {
      await setTime(clock.now());
      const { store } = await openWith(connector, { elapsed: () => 0 });
      return { store: withTime(store, clock, setTime), clock };
    },
  };
}

function withTime(store: Store, clock: FakeClock, set: (time: number) => Promise<unknown>): Store {
  let told = clock.now();
  let telling: Promise<unknown> | undefined;
  const tell = (): Promise<unknown> => {
    told = clock.now();
    return set(told).finally(() => (telling = undefined));
  };
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]): unknown => {
        const use = (): unknown => Reflect.apply(method, target, given);
        if (told !== clock.now()) telling = tell();
        return telling ? telling.then(use) : use();
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
