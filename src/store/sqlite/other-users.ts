import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { isBusy } from "./failures.ts";
import { DataDirectoryUnusable } from "./start-failure.ts";

/**
 * What this process has had open. The driver lets go of a closed database only when its statements
 * are collected, so that such a one looks as if somebody still had it.
 */
const ours = new Set<string>();

/** Longer than a command such as `beckon token list` has the database open. */
const PATIENCE_MS = 2_000;

/** This process is about to open it. */
export function noteOwnUse(path: string): void {
  ours.add(path);
}

/**
 * Throws if another process has the database open. The lock on the data directory is a file, and a
 * file can be deleted under a server that runs; the database itself cannot be taken from it.
 */
export function expectNoOtherUser(path: string): void {
  if (path === ":memory:" || ours.has(path) || !existsSync(path)) return;
  const probe = new DatabaseSync(path, { timeout: PATIENCE_MS });
  try {
    // In this mode the first look takes the whole file, which every other connection shares.
    probe.exec("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema");
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new DataDirectoryUnusable(
      `Another process has ${path} open, though nothing holds the lock of ${dirname(path)}: a server ` +
        "whose server.lock was deleted, or a command that reads the database. Stop it, then start again.",
      { cause: error },
    );
  } finally {
    probe.close();
  }
}
