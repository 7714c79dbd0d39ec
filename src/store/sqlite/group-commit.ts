import type { Database } from "./database.ts";
import { closedStore, isUnavailable, toUnavailable } from "./failures.ts";

const MAX_JOBS = 500;
const MAX_BYTES = 1024 * 1024;

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
 */
export function createGroupCommit(database: Database, witness?: Witness): Writer {
  const queue: Job[] = [];
  let scheduled = false;
  let closed = false;

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      commitGroup(database, takeGroup(queue), witness);
      schedule();
    });
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

function commitGroup(database: Database, group: Job[], witness?: Witness): void {
  if (group.length === 0) return;
  const failures = new Map<Job, unknown>();
  try {
    database.run("BEGIN IMMEDIATE");
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
