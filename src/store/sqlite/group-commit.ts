import type { Database } from "./database.ts";
import { closedStore, isBusy, isUnavailable, toUnavailable } from "./failures.ts";

const MAX_JOBS = 500;
const MAX_BYTES = 1024 * 1024;
const LOOK_AGAIN_MS = 10;

interface Job {
  bytes: number;
  run(): void;
  /** It has run, and its transaction is still open. */
  decided?(): void;
  resolve(): void;
  reject(error: unknown): void;
}

export interface Writer {
  /**
   * Runs `work` in the next transaction; resolves when that is on disk. `decided` is called before,
   * with the transaction still open: what its caller gives before it comes to rest is part of it.
   */
  write<Result>(
    bytes: number,
    work: () => Result,
    decided?: (result: Result) => void,
  ): Promise<Result>;
  /** Finishes what was given, and takes no more. */
  close(): void;
}

/** Thrown by work that takes back what it has written, and still has a result. */
export class Undo extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("The work was taken back.");
    this.result = result;
  }
}

/** Hears what became of each transaction, before those who wait for it do. Must not throw. */
export interface Witness {
  committed(): void;
  rolledBack(): void;
}

/** What shares a transaction that is open. */
interface Group {
  jobs: Job[];
  bytes: number;
  failures: Map<Job, unknown>;
}

/**
 * The single writer. Everything given in one turn of the loop shares one transaction and so one
 * sync of the disk; each piece of work sees those before it, and one that throws undoes only itself.
 * While another process writes, the work waits and the loop does not: reads go on.
 *
 * A transaction is never open while the loop turns: nothing that came from outside sees, or is
 * answered with, what is not on disk.
 */
export function createGroupCommit(database: Database, witness?: Witness): Writer {
  const queue: Job[] = [];
  let open: Group | undefined;
  let scheduled = false;
  let closed = false;
  let lockedSince: number | undefined;

  function schedule(): void {
    if (scheduled || open || queue.length === 0) return;
    scheduled = true;
    if (lockedSince === undefined) setImmediate(commitNext);
    else setTimeout(commitNext, LOOK_AGAIN_MS);
  }

  function commitNext(): void {
    scheduled = false;
    if (queue.length === 0) return;
    try {
      database.beginNow();
    } catch (error) {
      refuse(error);
      schedule();
      return;
    }
    lockedSince = undefined;
    open = { jobs: [], bytes: 0, failures: new Map() };
    proceed(open);
  }

  /** Runs what has room; then commits, unless somebody goes on with more at once. */
  function proceed(group: Group): void {
    if (open !== group) return;
    const jobs = take(queue, group);
    if (!runAll(group, jobs)) return;
    const heard = jobs.filter((job) => job.decided && !group.failures.has(job));
    if (heard.length === 0) return finish(group);
    for (const job of heard) job.decided?.();
    // After everything that follows from it by itself, and before the loop turns.
    queueMicrotask(() => process.nextTick(proceed, group));
  }

  function runAll(group: Group, jobs: Job[]): boolean {
    group.jobs.push(...jobs);
    try {
      for (const job of jobs) runAlone(database, job, group.failures);
      return true;
    } catch (error) {
      abandon(group, error);
      return false;
    }
  }

  function finish(group: Group): void {
    try {
      database.run("COMMIT");
    } catch (error) {
      return abandon(group, error);
    }
    open = undefined;
    witness?.committed();
    for (const job of group.jobs) {
      if (group.failures.has(job)) job.reject(group.failures.get(job));
      else job.resolve();
    }
    schedule();
  }

  function abandon(group: Group, error: unknown): void {
    open = undefined;
    rollback(database);
    witness?.rolledBack();
    for (const job of group.jobs) job.reject(toUnavailable(error));
    schedule();
  }

  /** A lock of another process may go away, so that what is waiting is given some time. */
  function refuse(error: unknown): void {
    const now = performance.now();
    if (isBusy(error) && now - (lockedSince ??= now) < database.patienceMs) return;
    // What comes next is given as much time again.
    lockedSince = undefined;
    for (const job of take(queue)) job.reject(toUnavailable(error));
  }

  /** Waits for other processes: only for when there is no later. */
  function commitNow(): void {
    const group: Group = { jobs: [], bytes: 0, failures: new Map() };
    const jobs = take(queue, group);
    try {
      database.run("BEGIN IMMEDIATE");
    } catch (error) {
      for (const job of jobs) job.reject(toUnavailable(error));
      return;
    }
    open = group;
    if (runAll(group, jobs)) finish(group);
  }

  return {
    write<Result>(
      bytes: number,
      work: () => Result,
      decided?: (result: Result) => void,
    ): Promise<Result> {
      if (closed) return Promise.reject(closedStore());
      return new Promise<Result>((resolve, reject) => {
        let result: Result;
        queue.push({
          bytes,
          run: () => {
            try {
              result = work();
            } catch (error) {
              if (error instanceof Undo) result = error.result as Result;
              throw error;
            }
          },
          ...(decided ? { decided: () => decided(result) } : {}),
          resolve: () => resolve(result),
          reject,
        });
        schedule();
      });
    },
    close() {
      closed = true;
      if (open) finish(open);
      while (queue.length > 0) commitNow();
    },
  };
}

/** Takes what has room in a transaction; for an empty one, one job at least. */
function take(queue: Job[], group: { jobs: Job[]; bytes: number } = { jobs: [], bytes: 0 }): Job[] {
  let count = 0;
  for (const job of queue) {
    const before = group.jobs.length + count;
    if (before > 0 && (before === MAX_JOBS || group.bytes + job.bytes > MAX_BYTES)) break;
    group.bytes += job.bytes;
    count++;
  }
  return queue.splice(0, count);
}

function runAlone(database: Database, job: Job, failures: Map<Job, unknown>): void {
  database.run("SAVEPOINT job");
  try {
    job.run();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (!(error instanceof Undo)) failures.set(job, error);
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
