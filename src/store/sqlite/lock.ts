import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { isBusy, isDamaged } from "./failures.ts";
import { isRunning, processStart } from "./process-start.ts";
import { makePrivateFile } from "./private-file.ts";
import { DataDirectoryUnusable, startFailure } from "./start-failure.ts";

/** Who holds a data directory, as far as they have said. */
export interface Holder {
  pid?: number;
  /** When the process began, as the system says it: another process may get the same number later. */
  processStart?: string;
  startedAt?: string;
  host?: string;
  url?: string;
  port?: number;
  /** The PostgreSQL that has its data, which is not in the directory then. */
  store?: string;
}

export interface DataDirectoryLock {
  /** Adds to what others are told about the holder. */
  describe(info: Holder): void;
  release(): void;
}

export class DataDirectoryInUse extends Error {
  override name = "DataDirectoryInUse";
  readonly holder: Holder;

  constructor(directory: string, holder: Holder) {
    const process = holder.pid === undefined ? "another process" : `process ${holder.pid}`;
    const at = holder.url === undefined ? "" : ` at ${holder.url}`;
    super(
      `The data directory ${directory} is in use by ${process}${at}. ` +
        "Use that server, stop it, or choose another directory.",
    );
    this.holder = holder;
  }
}

/** Longer than a look by `readHolder` takes, shorter than a person wants to wait for a refusal. */
const PATIENCE_MS = 300;

/**
 * Takes a directory for the life of this process, making it if it is not there. The lock is the
 * operating system's, on a SQLite file of its own, so however the process dies it is free again.
 * Throws `DataDirectoryInUse` when another process has it.
 */
export function holdDataDirectory(directory: string): DataDirectoryLock {
  try {
    return hold(directory);
  } catch (error) {
    throw startFailure(directory, error);
  }
}

function hold(directory: string): DataDirectoryLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  makePrivateFile(lockFile(directory));
  const lock = new DatabaseSync(lockFile(directory), { timeout: PATIENCE_MS });
  try {
    refuseHolderWithoutLock(directory);
    lock.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new DataDirectoryInUse(directory, readInfo(directory));
    if (isDamaged(error)) throw new DataDirectoryUnusable(brokenLock(directory), { cause: error });
    throw error;
  }
  try {
    return held(directory, lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * A lock is a file, and a file can be deleted under a server that runs. What it has said of itself
 * tells of it all the same.
 */
function refuseHolderWithoutLock(directory: string): void {
  const holder = readInfo(directory);
  if (holder.host !== hostname() || holder.pid === process.pid) return;
  if (isRunning(holder)) throw new DataDirectoryInUse(directory, holder);
}

function brokenLock(directory: string): string {
  return (
    `The lock of the data directory, ${lockFile(directory)}, is not one of Beckon's. ` +
    "Make sure that no server uses the directory, delete that file, and start again."
  );
}

function held(directory: string, lock: InstanceType<typeof DatabaseSync>): DataDirectoryLock {
  let info: Holder = {
    pid: process.pid,
    processStart: processStart(process.pid),
    startedAt: new Date().toISOString(),
    host: hostname(),
  };
  writeInfo(directory, info);
  return {
    describe(more) {
      info = { ...info, ...more };
      writeInfo(directory, info);
    },
    release() {
      if (!lock.isOpen) return;
      rmSync(infoFile(directory), { force: true });
      lock.close();
    },
  };
}

/** Who holds the directory now, or null when nobody does. */
export function readHolder(directory: string): Holder | null {
  // Only SQLite may open this file: POSIX drops a process's lock when it closes any handle to it.
  if (!existsSync(lockFile(directory))) return null;
  const lock = new DatabaseSync(lockFile(directory), { readOnly: true, timeout: 0 });
  try {
    lock.prepare("SELECT count(*) FROM sqlite_schema").get();
    return null;
  } catch (error) {
    if (isBusy(error)) return readInfo(directory);
    // Nobody can hold what is no lock.
    if (isDamaged(error)) return null;
    throw error;
  } finally {
    lock.close();
  }
}

function lockFile(directory: string): string {
  return join(directory, "server.lock");
}

function infoFile(directory: string): string {
  return join(directory, "server.json");
}

function writeInfo(directory: string, info: Holder): void {
  const draft = `${infoFile(directory)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(info, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, infoFile(directory));
}

/** Nothing, when the holder has not written yet. */
function readInfo(directory: string): Holder {
  try {
    return JSON.parse(readFileSync(infoFile(directory), "utf8")) as Holder;
  } catch {
    return {};
  }
}
