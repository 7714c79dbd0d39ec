import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createDatabase,
  postgresServer,
  withClient,
} from "../../../test/support/postgres/database.ts";
import { type Connector, createConnector } from "./connect.ts";
import { PostgresUnusable } from "./failures.ts";
import { MIGRATION_LOCK } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openPostgresStore, openWith } from "./open-postgres-store.ts";
import { parseAddress } from "./settings.ts";

const SECRET = "pass:w@rd/42";

let server: string;
let url: string;
let host: string;

beforeAll(async () => {
  server = (await postgresServer()).url;
  url = await createDatabase();
  host = new URL(server).host;
  await withClient(url, async (client) => {
    await client.query(`CREATE ROLE ada LOGIN PASSWORD '${SECRET}'`);
  });
});
afterAll(async () => {
  await withClient(`${server}/postgres`, (client) =>
    client.query("ALTER ROLE ada RESET ALL; ALTER ROLE ada NOLOGIN"),
  );
});

const asAda = (database: string, password = SECRET) =>
  `postgres://ada:${encodeURIComponent(password)}@${host}/${database}`;

/** Everything that somebody could print of an error. */
function everythingOf(error: unknown): string {
  const parts: unknown[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    parts.push(one.stack, JSON.stringify(one, Object.getOwnPropertyNames(one)));
  }
  return parts.join("\n");
}

async function failure(options: Parameters<typeof openPostgresStore>[0]) {
  const error: unknown = await openPostgresStore(options).then(
    async ({ store }) => store.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PostgresUnusable);
  const text = everythingOf(error);
  for (const shown of [SECRET, encodeURIComponent(SECRET), "wr0ng-secret"]) {
    expect(text).not.toContain(shown);
  }
  return error as PostgresUnusable;
}

/** Tells other facts of its server than are so. */
function withFacts(client: Client, facts: object): Client {
  const query = client.query.bind(client) as (text: string) => Promise<{ rows: object[] }>;
  client.query = (async (text: string) => {
    const { rows } = await query(text);
    return { rows: rows.map((row) => Object.assign(row, facts)) };
  }) as unknown as Client["query"];
  return client;
}

async function untilSomebodyWaitsLong(client: Client, isOver: () => boolean): Promise<void> {
  const sql = `SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND clock_timestamp() - waitstart > interval '400 ms'`;
  while (!isOver()) if ((await client.query(sql)).rows.length > 0) return;
}

describe("a store does not open, and says what to do,", () => {
  test("where the password is wrong", async () => {
    const error = await failure({ url: asAda("postgres", "wr0ng-secret") });
    expect(error.code).toBe("wrong_password");
    expect(error.message).toMatch(
      /cannot use the PostgreSQL 127\.0\.0\.1:\d+\/postgres: .*password/,
    );
  });

  test("where there is no such database", async () => {
    const error = await failure({ url: asAda("nowhere") });
    expect(error).toMatchObject({ code: "no_database" });
    expect(error.message).toContain("createdb");
  });

  test("where nobody listens", async () => {
    const error = await failure({
      url: `postgres://ada:${encodeURIComponent(SECRET)}@127.0.0.1:1/x`,
    });
    expect(error).toMatchObject({ code: "unreachable" });
  });

  test("where no such host is known", async () => {
    const error = await failure({ url: "postgres://ada:wr0ng-secret@nowhere.invalid/x" });
    expect(error).toMatchObject({ code: "unreachable" });
  });

  test("where the user may create no schema", async () => {
    const error = await failure({ url: asAda("postgres") });
    expect(error).toMatchObject({ code: "no_right" });
  });

  test("where the database can only be read", async () => {
    await withClient(url, (client) =>
      client.query("ALTER ROLE ada SET default_transaction_read_only = on"),
    );
    const error = await failure({ url: asAda(new URL(url).pathname.slice(1)) });
    await withClient(url, (client) => client.query("ALTER ROLE ada RESET ALL"));
    expect(error).toMatchObject({ code: "read_only" });
    expect(error.message).toContain("primary");
  });

  test("where a newer version wrote it", async () => {
    const newer = await createDatabase();
    await withClient(newer, (client) =>
      client.query("UPDATE beckon.schema_version SET version = 999"),
    );
    const error = await failure({ url: newer });
    expect(error).toMatchObject({ code: "newer_schema" });
    expect(error.message).toMatch(/schema is version 999/);
  });

  test("where a certificate was asked for and the server has none", async () => {
    const error = await failure({ url: `${url}?sslmode=verify-full` });
    expect(error).toMatchObject({ code: "no_tls" });
  });

  test.each([
    [
      "an old version",
      { version: 150_008, version_name: "15.8" },
      "too_old",
      /is PostgreSQL 15\.8/,
    ],
    ["a replica", { is_replica: true }, "read_only", /address of the primary/],
    ["another encoding", { encoding: "SQL_ASCII" }, "no_database", /ENCODING 'UTF8'/],
  ])("where it is %s", async (_, facts, code, message) => {
    const connector = await createConnector(parseAddress({ url }), 5_000);
    const telling: Connector = {
      ...connector,
      connect: async () => withFacts(await connector.connect(), facts),
    };
    const error: unknown = await openWith(telling, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  test.each([
    ["no address", "pass:w@rd/42 is no address"],
    ["another protocol", "mysql://ada:wr0ng-secret@127.0.0.1/x"],
    ["a broken password", "postgres://ada:%wr0ng-secret@127.0.0.1/x"],
    ["an unknown sslmode", "postgres://ada:wr0ng-secret@127.0.0.1/x?sslmode=maybe"],
    ["missing certificates", "postgres://ada:wr0ng-secret@127.0.0.1/x?sslrootcert=/nowhere.pem"],
  ])("with %s", async (_, address) => {
    expect(await failure({ url: address })).toMatchObject({ code: "bad_address" });
  });
});

describe("a schema", () => {
  test("is made once, by whoever of many comes first", async () => {
    await withClient(`${server}/postgres`, (client) => client.query("CREATE DATABASE raced"));
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => openPostgresStore({ url: `${server}/raced` })),
    );
    await Promise.all(opened.map(({ store }) => store.close()));
    const versions = await withClient(`${server}/raced`, (client) =>
      client.query("SELECT version FROM beckon.schema_version"),
    );
    expect(versions.rows).toEqual([{ version: MIGRATIONS.length }]);
  });

  test("is waited for, however long somebody else takes to make it", async () => {
    await withClient(`${server}/postgres`, (client) => client.query("CREATE DATABASE slow"));
    await withClient(`${server}/slow`, async (holder) => {
      await holder.query("BEGIN");
      await holder.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
      const opening = openPostgresStore({ url: `${server}/slow`, timeoutMs: 200 });
      let isOver = false;
      opening.catch(() => (isOver = true));
      await withClient(`${server}/slow`, (client) => untilSomebodyWaitsLong(client, () => isOver));
      await holder.query("COMMIT");
      const { store } = await opening;
      expect(await store.nodes()).toEqual([]);
      await store.close();
    });
  });

  test("can be used by a user for whom it was made, with a search path that leads elsewhere", async () => {
    await withClient(`${server}/postgres`, (client) => client.query("CREATE DATABASE given"));
    await withClient(`${server}/given`, async (client) => {
      await client.query("CREATE SCHEMA beckon AUTHORIZATION ada");
      await client.query("ALTER ROLE ada SET search_path = pg_temp");
    });
    const { store } = await openPostgresStore({ url: asAda("given") });
    await store.health();
    expect(await store.sessions({ limit: 5 })).toEqual({ rows: [] });
    await store.close();
    await withClient(url, (client) => client.query("ALTER ROLE ada RESET ALL"));
  });
});

test("no password is in any row, or in what the server lists of its connections", async () => {
  await withClient(`${server}/postgres`, (client) =>
    client.query("CREATE DATABASE hers OWNER ada"),
  );
  const { store } = await openPostgresStore({ url: asAda("hers") });
  await store.health();
  await withClient(`${server}/hers`, async (client) => {
    const { rows } = await client.query("SELECT * FROM pg_stat_activity");
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    const writers = await client.query("SELECT * FROM beckon.writers");
    expect(JSON.stringify(writers.rows)).not.toContain(SECRET);
  });
  await store.close();
});

test("the parts of an address are those that were written", () => {
  expect(parseAddress({ url: asAda("my%20db") })).toEqual({
    host: "127.0.0.1",
    port: Number(new URL(server).port),
    user: "ada",
    password: SECRET,
    database: "my db",
    tls: { mode: "disable", roots: undefined },
  });
  expect(parseAddress({ url: "postgres://db.example/x" })).toMatchObject({
    host: "db.example",
    user: undefined,
    tls: { mode: "prefer" },
  });
});
