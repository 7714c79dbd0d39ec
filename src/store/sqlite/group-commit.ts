import type { Database } from "./database.ts";
import { closedStore, isBusy, isUnavailable, toUnavailable } from "./failures.ts";

const MAX_JOBS = 500;
const MAX_BYTES = 1024 * 1024;
const LOOK_AGAIN_MS = 10;

interface Job {
  bytes: number;
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

export interface Writer {
  /** Runs `work` in the next transaction; resolves when that is on disk. */
  write<Result>(bytes: number, work: () => Result): Promise<Result>;
  /** Finishes what was given, and takes no more. */
  close(): void;
}

/** Hears what became of each transaction, before those who wait for it do. Must not throw. */
export interface Witness {
  committed(): void;
  rolledBack(): void;
}

/**
 * The single writer. Everything given in one turn of the loop shares one transaction and so one
 * sync of the disk; each piece of work sees those before it, and one that throws undoes only itself.
 * While another process writes, the work waits and the loop does not: reads go on.
 */
export function createGroupCommit(database: Database, witness?: Witness): Writer {
  const queue: Job[] = [];
  let scheduled = false;
  let closed = false;
  let lockedSince: number | undefined;

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    if (lockedSince === undefined) setImmediate(commitNext);
    else setTimeout(commitNext, LOOK_AGAIN_MS);
  }

  function commitNext(): void {
    scheduled = false;
    if (queue.length === 0) return;
    try {
      database.beginNow();
      lockedSince = undefined;
      finishGroup(database, takeGroup(queue), witness);
    } catch (error) {
      refuse(error);
    }
    schedule();
  }

  /** A lock of another process may go away, so that what is waiting is given some time. */
  function refuse(error: unknown): void {
    const now = performance.now();
    if (isBusy(error) && now - (lockedSince ??= now) < database.patienceMs) return;
    // What comes next is given as much time again.
    lockedSince = undefined;
    for (const job of takeGroup(queue)) job.reject(toUnavailable(error));
  }

  return {
    write<Result>(bytes: number, work: () => Result): Promise<Result> {
      if (closed) return Promise.reject(closedStore());
      return new Promise<Result>((resolve, reject) => {
        let result: Result;
        queue.push({
          bytes,
          run: () => {
            result = work();
          },
          resolve: () => resolve(result),
          reject,
        });
        schedule();
      });
    },
    close() {
      closed = true;
      while (queue.length > 0) commitGroup(database, takeGroup(queue), witness);
    },
  };
}

function takeGroup(queue: Job[]): Job[] {
  let bytes = 0;
  let count = 0;
  for (const job of queue) {
    bytes += job.bytes;
    if (count > 0 && (count === MAX_JOBS || bytes > MAX_BYTES)) break;
    count++;
  }
  return queue.splice(0, count);
}

/** Waits for other processes: only for when there is no later. */
function commitGroup(database: Database, group: Job[], witness?: Witness): void {
  try {
    database.run("BEGIN IMMEDIATE");
  } catch (error) {
    for (const job of group) job.reject(toUnavailable(error));
    return;
  }
  finishGroup(database, group, witness);
}

function finishGroup(database: Database, group: Job[], witness?: Witness): void {
  const failures = new Map<Job, unknown>();
  try {
    for (const job of group) runAlone(database, job, failures);
    database.run("COMMIT");
  } catch (error) {
    rollback(database);
    witness?.rolledBack();
    for (const job of group) job.reject(toUnavailable(error));
    return;
  }
  witness?.committed();
  for (const job of group) {
    if (failures.has(job)) job.reject(failures.get(job));
    else job.resolve();
  }
}

function runAlone(database: Database, job: Job, failures: Map<Job, unknown>): void {
  database.run("SAVEPOINT job");
  try {
    job.run();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    failures.set(job, error);
    database.run("ROLLBACK TO job");
  }
  database.run("RELEASE job");
}

/** When even that fails the next BEGIN says so, to the commits that it concerns. */
function rollback(database: Database): void {
  try {
    database.rollback();
  } catch {}
}
