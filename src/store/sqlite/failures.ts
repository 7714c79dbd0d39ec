import { StoreUnavailable } from "../../core/ports.ts";

/**
 * SQLite's primary codes for a statement that is itself wrong: ERROR, TOOBIG, CONSTRAINT, MISMATCH,
 * MISUSE, RANGE. Every other code says that the database cannot be read or written now.
 */
const FAULTS_OF_THE_STATEMENT = new Set([1, 18, 19, 20, 21, 25]);

const BUSY = 5;

/** CORRUPT and NOTADB: the file itself is not what it should be. */
const FAULTS_OF_THE_FILE = new Set([11, 26]);

export function isUnavailable(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && !FAULTS_OF_THE_STATEMENT.has(code);
}

export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && FAULTS_OF_THE_FILE.has(code);
}

/** Another process holds the database, or the part of it that was needed. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** Undefined if it is no error of SQLite. */
export function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return Number(error.errcode) & 0xff;
}

export function toUnavailable(error: unknown): StoreUnavailable {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`The database cannot be used now: ${reason}.`, { cause: error });
}

export function closedStore(): StoreUnavailable {
  return new StoreUnavailable("The store is closed.");
}

export function heldStore(path: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `Another process is writing to ${path} and does not come to an end. Stop it, then start again.`,
    { cause },
  );
}
