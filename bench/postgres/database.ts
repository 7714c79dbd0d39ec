import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { type PostgresServer, startPostgres } from "../../test/support/postgres/server.ts";

/** A database of a PostgreSQL of our own, which syncs to the disk. */
export interface Database {
  url: string;
  /** Bytes that its tables and their indexes take, without those that forget after minutes. */
  bytes(): Promise<number>;
  /** Bytes that the whole server has written to its write-ahead log so far. */
  logBytes(): Promise<number>;
  /** Milliseconds of the processor that the connections to it have taken. */
  cpuMs(): Promise<number>;
}

export interface Postgres {
  version: string;
  createDatabase(name: string): Promise<Database>;
}

/** Whether one can see what another process takes of the processor. */
export const knowsProcessor = existsSync("/proc/self/stat");

const MS_A_TICK = 10;
const BYTES = /* sql */ `SELECT coalesce(sum(pg_total_relation_size(relid)), 0)::float8 AS value
  FROM pg_stat_user_tables WHERE relname NOT IN ('changes', 'writers', 'nodes', 'presence')`;
const LOG_BYTES = "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS value";
const OTHERS = /* sql */ `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Lets `measure` at a PostgreSQL, and ends it. */
export async function withPostgres<Result>(
  measure: (postgres: Postgres) => Promise<Result>,
): Promise<Result> {
  // The process of the tests' PostgreSQL alone keeps nobody from ending.
  const awake = setInterval(() => {}, 60_000);
  const server = await startPostgres({ durable: true });
  const clients: Client[] = [];
  const connect = async (name: string) => {
    const client = new Client({ connectionString: `${server.url}/${name}` });
    await client.connect();
    clients.push(client);
    return client;
  };
  try {
    const admin = await connect("postgres");
    const { rows } = await admin.query<{ server_version: string }>("SHOW server_version");
    return await measure({
      version: rows[0]?.server_version ?? "unknown",
      createDatabase: async (name) => {
        await admin.query(`CREATE DATABASE ${name}`);
        return observe(server, name, await connect(name));
      },
    });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
    await server.close();
    clearInterval(awake);
  }
}

function observe(server: PostgresServer, name: string, client: Client): Database {
  const value = async (sql: string) =>
    (await client.query<{ value: number }>(sql)).rows[0]?.value ?? Number.NaN;
  return {
    url: `${server.url}/${name}`,
    bytes: () => value(BYTES),
    logBytes: () => value(LOG_BYTES),
    async cpuMs() {
      const { rows } = await client.query<{ pid: number }>(OTHERS);
      const took = await Promise.all(rows.map(({ pid }) => cpuMsOf(pid)));
      return took.reduce((one, other) => one + other, 0);
    },
  };
}

async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name, which may hold anything, the 12th and the 13th field are user and system time.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK;
}
