import { readFileSync } from "node:fs";
import { PostgresUnusable } from "./failures.ts";

type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full";
const TLS_MODES: readonly string[] = ["disable", "prefer", "require", "verify-ca", "verify-full"];

export interface PostgresSettings {
  /**
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with `sslmode` and `sslrootcert` as libpq has
   * them. What it lacks comes from PGHOST, PGUSER, PGPASSWORD and so on. The password is kept out of
   * everything that is logged, thrown or stored.
   */
  url: string;
  /** How many connections serve reads and commits; two more are for hints. @default 8 */
  poolSize?: number | undefined;
  /** For how long a statement may run, and whoever asks waits for a connection. @default 10 s */
  timeoutMs?: number | undefined;
  /**
   * How nodes hear of each other: `listen` to notifications, at once; or `poll`: each looks itself,
   * every second or two, which works through any pooler.
   *
   * @default "listen"
   */
  hints?: "listen" | "poll" | undefined;
  /** The address of the server itself, to listen at, where `url` leads to a pooler. @default `url` */
  listenUrl?: string | undefined;
  /** Certificates of who signs the server's, in PEM. @default those of `sslrootcert`, else Node's */
  tlsRoots?: string | undefined;
}

/** Where to connect to. What is not given is the driver's to find. */
export interface Address {
  host: string | undefined;
  port: number | undefined;
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  tls: { mode: TlsMode; roots: string | undefined };
}

export const DEFAULTS = { poolSize: 8, timeoutMs: 10_000 };

export function parseAddress({ url, tlsRoots }: PostgresSettings): Address {
  const parsed = parseUrl(url);
  const host = parsed.searchParams.get("host") ?? (decode(parsed.hostname) || undefined);
  const mode = parsed.searchParams.get("sslmode") ?? (isLocal(host) ? "disable" : "prefer");
  if (!TLS_MODES.includes(mode)) {
    throw bad(`sslmode must be one of ${TLS_MODES.join(", ")}`);
  }
  const rootFile = parsed.searchParams.get("sslrootcert");
  return {
    host,
    port: parsed.port === "" ? undefined : Number(parsed.port),
    user: decode(parsed.username) || undefined,
    password: decode(parsed.password) || undefined,
    database: decode(parsed.pathname.slice(1)) || undefined,
    tls: { mode: mode as TlsMode, roots: tlsRoots ?? readRoots(rootFile) },
  };
}

/** For people: where it is, without who signs in how. */
export function nameOf({ host, port, database }: Address): string {
  const place = `${host ?? "of PGHOST"}${port === undefined ? "" : `:${port}`}`;
  return database === undefined ? place : `${place}/${database}`;
}

/** Its errors would show the address, with the password. */
function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "postgres:" || parsed?.protocol === "postgresql:") return parsed;
  throw bad("write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for an @ in a part");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw bad("a % in a user, password or database must be written as %25");
  }
}

function readRoots(file: string | null): string | undefined {
  if (file === null) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw bad(`sslrootcert cannot be read (${reason})`);
  }
}

function isLocal(host: string | undefined): boolean {
  return host === undefined || host.startsWith("/") || /^(localhost|127\.|\[?::1\]?$)/.test(host);
}

function bad(what: string): PostgresUnusable {
  return new PostgresUnusable(
    "bad_address",
    `The address of the PostgreSQL is not right: ${what}.`,
  );
}
