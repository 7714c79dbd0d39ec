import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../core/index.ts";
import { createCredentials, type Credentials } from "../server/index.ts";
import { openSqliteStore } from "../store/index.ts";
import { systemClock, systemIds } from "../system.ts";
import { CommandFailure } from "./failure.ts";

/**
 * Lends a command the credentials of a data directory, beside the server that may be running on it.
 *
 * @param create makes a directory that is not there yet, instead of saying so
 */
export async function withData<Result>(
  { directory, create = false }: { directory: string; create?: boolean },
  work: (data: { credentials: Credentials; store: Store }) => Promise<Result>,
): Promise<Result> {
  const path = create ? databasePath(directory) : databaseIn(directory);
  makeDataDirectory(directory);
  const store = openSqliteStore({ path, clock: systemClock });
  try {
    const credentials = createCredentials({ store, ids: systemIds, clock: systemClock });
    await credentials.ensureOwner();
    return await work({ credentials, store });
  } finally {
    await store.close();
  }
}

/** The database of a directory that has one. */
export function databaseIn(directory: string): string {
  const path = databasePath(directory);
  if (existsSync(path)) return path;
  throw new CommandFailure(`There is no data of Beckon in ${directory}. Name it with --data.`);
}

function databasePath(directory: string): string {
  return join(directory, "beckon.db");
}

/** Makes the directory if it is not there, and says in words when it cannot be used. */
export function makeDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandFailure(
      `${directory} cannot be the data directory: ${REASONS[reason] ?? reason}. Choose another with --data.`,
      undefined,
      { cause: error },
    );
  }
}

const REASONS: Record<string, string> = {
  EEXIST: "it is a file",
  ENOTDIR: "a part of its path is a file",
  EACCES: "you have no right to it",
  EPERM: "you have no right to it",
  EROFS: "it cannot be written to",
  ENOSPC: "the disk is full",
};
