import type { Client, ClientConfig } from "pg";
import { codeOf, PostgresUnusable } from "./failures.ts";
import { type Address, nameOf } from "./settings.ts";

type Driver = typeof import("pg").default;

/** Makes connections to one database. */
export interface Connector {
  /** Where it is, for people. */
  readonly name: string;
  connect(): Promise<Client>;
  /** Takes back a connection that is of use still, and is needed no more. */
  release(client: Client): Promise<void>;
}

/** The server has this long beyond the time of a statement to say that it took too long. */
const GRACE_MS = 2_000;
const INT8 = 20;
const [BOOL, JSONB] = [16, 3802];

/** Everything but numbers of 64 bits, booleans and `jsonb` is taken as the text that it is. */
const types = {
  getTypeParser:
    (type: number) =>
    (text: string): unknown => {
      if (type === INT8) return Number(text);
      if (type === BOOL) return text === "t";
      return type === JSONB ? JSON.parse(text) : text;
    },
};

export async function createConnector(address: Address, timeoutMs: number): Promise<Connector> {
  const { Client: PgClient } = await loadDriver();
  const { host, port, user, password, database, tls } = address;
  let isPlain = tls.mode === "disable";
  /** Told to PostgreSQL at sign-in; a pooler between may not pass it on. */
  let timeouts: Partial<ClientConfig> = {
    statement_timeout: timeoutMs,
    lock_timeout: timeoutMs / 2,
    idle_in_transaction_session_timeout: timeoutMs,
  };

  async function open(): Promise<Client> {
    const config: ClientConfig & { pipeline: boolean } = {
      host,
      port,
      user,
      password,
      database,
      ssl: isPlain ? false : tlsOptions(tls),
      application_name: "beckon",
      connectionTimeoutMillis: timeoutMs / 2,
      query_timeout: timeoutMs + GRACE_MS,
      keepAlive: true,
      pipeline: true,
      types,
      ...timeouts,
    };
    const client = new PgClient(config);
    // Whoever uses it hears of it by what is sent next.
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  }

  return {
    name: nameOf(address),
    async connect() {
      for (;;) {
        try {
          return await open();
        } catch (error) {
          if (isRefusedTls(error) && tls.mode === "prefer" && !isPlain) isPlain = true;
          else if (isRefusedSetting(error) && "statement_timeout" in timeouts) timeouts = {};
          else throw error;
        }
      }
    },
    release: (client) => client.end().catch(() => {}),
  };
}

async function loadDriver(): Promise<Driver> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    throw new PostgresUnusable(
      "no_driver",
      "A PostgreSQL store needs the package pg, which is not installed: npm install pg, and start again.",
      { cause: error },
    );
  }
}

function tlsOptions({ mode, roots }: Address["tls"]): ClientConfig["ssl"] {
  const ca = roots === undefined ? {} : { ca: roots };
  if (mode === "verify-full") return { ...ca, rejectUnauthorized: true };
  // Whoever names signers wants one of them, as with libpq.
  if (mode === "verify-ca" || (mode === "require" && roots !== undefined)) {
    return { ...ca, rejectUnauthorized: true, checkServerIdentity: () => undefined };
  }
  return { rejectUnauthorized: false };
}

export function isRefusedTls(error: unknown): boolean {
  return error instanceof Error && error.message.includes("does not support SSL");
}

function isRefusedSetting(error: unknown): boolean {
  return codeOf(error) === "08P01" || /startup parameter/.test(String(error));
}
