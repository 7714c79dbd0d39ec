import { StoreUnavailable } from "../../core/ports.ts";

/** Why a PostgreSQL cannot be used as a store. */
type Reason =
  | "bad_address"
  | "no_driver"
  | "unreachable"
  | "wrong_password"
  | "no_database"
  | "no_right"
  | "no_tls"
  | "too_old"
  | "read_only"
  | "newer_schema"
  | "cannot_listen";

/** A PostgreSQL that a server cannot start on, in a sentence that says why and what to do. */
export class PostgresUnusable extends Error {
  override name = "PostgresUnusable";
  readonly code: Reason;

  constructor(code: Reason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Classes of errors for which the statement itself is to blame: data, integrity, syntax, raised. */
const FAULTS_OF_THE_STATEMENT = new Set(["22", "23", "42", "P0"]);
/** Each has a digit; "EPIPE", of the system, has as many letters. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
const SERIALIZATION = new Set(["40001", "40P01"]);
/** Lock not available, statement cancelled: somebody held what was needed for too long. */
const WAITED = new Set(["55P03", "57014"]);
/** The server ends the connection: admin shutdown, crash of another one, starting up, idle too long. */
const ENDED = new Set(["57P01", "57P02", "57P03", "57P05", "25006"]);

/** SQLSTATE, or the system's code for a connection. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** It may go better when it is tried again at once. */
export function isLostRace(error: unknown): boolean {
  return SERIALIZATION.has(codeOf(error));
}

export function isBlocked(error: unknown): boolean {
  return WAITED.has(codeOf(error));
}

/**
 * The connection is gone, or of no use any more: whether what was sent has happened is not known.
 * An error of the server about a statement has a SQLSTATE, and one of the driver has none.
 */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  return ENDED.has(code) || code.startsWith("08") || !SQLSTATE.test(code);
}

export function isFaultOfStatement(error: unknown): boolean {
  const code = codeOf(error);
  return code.length === 5 && FAULTS_OF_THE_STATEMENT.has(code.slice(0, 2));
}

export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || isFaultOfStatement(error)) return error;
  if (!(error instanceof Error)) return error;
  return new StoreUnavailable(`The database cannot be used now: ${error.message}.`, {
    cause: error,
  });
}

export function closedStore(): StoreUnavailable {
  return new StoreUnavailable("The store is closed.");
}
