import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { visibleText } from "../client/index.ts";
import type { Store } from "../core/index.ts";
import { createCredentials, type Credentials } from "../server/index.ts";
import { openSqliteStore, readHolder } from "../store/index.ts";
import { systemClock, systemIds } from "../system.ts";
import { CommandFailure, EXIT } from "./failure.ts";

interface Place {
  directory: string;
  /** The PostgreSQL that has everything instead. */
  url?: string | undefined;
  /** Makes a directory that is not there yet, instead of saying so. */
  create?: boolean;
}

/** Lends a command the credentials of a store, beside the servers that may be running on it. */
export async function withData<Result>(
  place: Place,
  work: (data: { credentials: Credentials; store: Store }) => Promise<Result>,
): Promise<Result> {
  const { store, clock } = await open(place);
  try {
    const credentials = createCredentials({ store, ids: systemIds, clock });
    await credentials.ensureOwner();
    return await work({ credentials, store });
  } finally {
    await store.close();
  }
}

async function open({ directory, url, create = false }: Place) {
  if (url !== undefined) {
    const { openPostgresStore } = await import("../store/postgres/open-postgres-store.ts");
    const { store } = await openPostgresStore({ url, poolSize: 3, hints: "poll" });
    return { store, clock: { ...systemClock, now: () => store.clock.now() } };
  }
  const path = create ? databasePath(directory) : databaseIn(directory);
  makeDataDirectory(directory);
  return { store: openSqliteStore({ path, clock: systemClock }), clock: systemClock };
}

export function hasDatabase(directory: string): boolean {
  return existsSync(databasePath(directory));
}

/** The database of a directory that has one. */
export function databaseIn(directory: string): string {
  const path = databasePath(directory);
  const store = readHolder(directory)?.store;
  if (store !== undefined) {
    throw new CommandFailure(
      `The server on ${directory} keeps everything in the PostgreSQL ${visibleText(store)}. Name it with BECKON_STORE or --store.`,
      EXIT.usage,
    );
  }
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
