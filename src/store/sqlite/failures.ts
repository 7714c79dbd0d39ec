import { StoreUnavailable } from "../../core/ports.ts";

/**
 * SQLite's primary codes for a statement that is itself wrong: ERROR, TOOBIG, CONSTRAINT, MISMATCH,
 * MISUSE, RANGE. Every other code says that the database cannot be read or written now.
 */
const FAULTS_OF_THE_STATEMENT = new Set([1, 18, 19, 20, 21, 25]);

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const primary = Number(error.errcode) & 0xff;
  return !FAULTS_OF_THE_STATEMENT.has(primary);
}

export function toUnavailable(error: unknown): StoreUnavailable {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`The database cannot be used now: ${reason}.`, { cause: error });
}

export function closedStore(): StoreUnavailable {
  return new StoreUnavailable("The store is closed.");
}
