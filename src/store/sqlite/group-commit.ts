import type { Database } from "./database.ts";
import { closedStore, isBusy, isUnavailable, toUnavailable } from "./failures.ts";

const MAX_JOBS = 500;
const MAX_BYTES = 1024 * 1024;
const LOOK_AGAIN_MS = 10;

interface Work<Result> {
  bytes: number;
  /** It needs the database's own transaction around it: what it does is SQL. @default false */
  isDirect?: boolean;
  run: () => Result;
  /**
   * Called with the result before it is on disk: what its caller gives before it comes to rest shares
   * the transaction. Not called for everything.
   */
  decided?: ((result: Result) => void) | undefined;
}

class Job<Result = unknown> {
  readonly work: Work<Result>;
  readonly #resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** What it came to is known to whoever gave it. */
  isTold = false;
  #told: Result | undefined;
  #result: Result | undefined;

  constructor(
    work: Work<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ) {
    this.work = work;
    this.#resolve = resolve;
    this.reject = reject;
  }

  run(): void {
    this.#result = this.work.run();
  }

  /** Says what it comes to, before that is on disk. */
  tell(): void {
    this.isTold = true;
    this.#told = this.#result;
    this.work.decided?.(this.#result as Result);
  }

  /** Whether it came to the same when it was run again. */
  isAsTold(): boolean {
    return isSame(this.#told, this.#result);
  }

  resolve(): void {
    this.#resolve(this.#result as Result);
  }
}

export interface Writer {
  /** Does the work with the next transaction; resolves when that is on disk. */
  write<Result>(work: Work<Result>): Promise<Result>;
  /** Resolves when nothing that was decided is left to be written. */
  settled(): Promise<void>;
  /** Finishes what was given, and takes no more. */
  close(): void;
}

/** What a group of jobs has changed, and the database does not have yet. */
export interface Unwritten {
  readonly isEmpty: boolean;
  /** Writes it, inside a transaction. Throws where the database is not as expected. */
  write(): void;
  /** What was written is on disk. Must not throw. */
  committed(): void;
  /** Nothing of the transaction happened. Must not throw. */
  rolledBack(): void;
  /** Nothing of what was not written yet happened. Must not throw. */
  undone(): void;
  /** Every job is to look at the database, and what it changes is written at once. */
  setCareful(isCareful: boolean): void;
}

interface Group {
  jobs: Job[];
  bytes: number;
  failures: Map<Job, unknown>;
}

/**
 * The single writer. Everything given in one turn of the loop shares one transaction and so one
 * sync of the disk; each job sees those before it, and one that throws undoes only itself. Jobs
 * change the memory; the transaction begins when all of them have, and writes the outcome. So no
 * code of a tool or an agent runs while a transaction is open.
 *
 * Where a job needs SQL, or another process may write too, or the database turns out not to be as
 * the memory has it, the jobs run carefully: one by one inside the transaction.
 *
 * What was decided is on disk before the loop turns: nothing that came from outside sees, or is
 * answered with, what is not. While another process writes, the work waits and the loop does not.
 *
 * @param isShared whether other processes write the same rows
 */
export function createGroupCommit(
  database: Database,
  unwritten: Unwritten,
  isShared: boolean,
): Writer {
  const queue: Job[] = [];
  let open: Group | undefined;
  let scheduled = false;
  let closed = false;
  let lockedSince: number | undefined;
  let whenSettled: (() => void)[] = [];
  database.stopWaiting();

  function schedule(): void {
    if (scheduled || open || queue.length === 0) return;
    scheduled = true;
    if (lockedSince === undefined) setImmediate(commitNext);
    else setTimeout(commitNext, LOOK_AGAIN_MS);
  }

  function commitNext(): void {
    scheduled = false;
    if (queue.length === 0) return;
    const isDirect = isShared || queue[0]?.work.isDirect;
    const group: Group = { jobs: [], bytes: 0, failures: new Map() };
    if (isDirect) {
      if (begin(group)) runCarefully(group, take(queue, group, isShared ? undefined : true));
      return;
    }
    open = group;
    proceed(group);
  }

  /** Runs what has room; then commits, unless somebody goes on with more at once. */
  function proceed(group: Group): void {
    if (open !== group) return;
    const jobs = take(queue, group, false);
    group.jobs.push(...jobs);
    try {
      for (const job of jobs) runInMemory(job, group.failures);
    } catch (error) {
      return rejectAll(group, error);
    }
    const heard = jobs.filter((job) => job.work.decided && !group.failures.has(job));
    if (heard.length === 0) return writeAll(group);
    for (const job of heard) job.tell();
    // After everything that follows from it by itself, and before the loop turns.
    queueMicrotask(() => process.nextTick(proceed, group));
  }

  function writeAll(group: Group): void {
    if (group.failures.size > 0) {
      // It may have changed the memory before it failed.
      unwritten.rolledBack();
      return runAgain(group);
    }
    if (unwritten.isEmpty) return resolveAll(group);
    if (!begin(group)) return;
    try {
      unwritten.write();
    } catch (error) {
      rollback();
      if (isUnavailable(error)) return rejectAll(group, error);
      return runAgain(group);
    }
    finish(group);
  }

  /** A job failed, the database was not as the memory had it, or cannot hold what was asked for. */
  function runAgain(group: Group): void {
    if (!begin(group)) return;
    group.failures.clear();
    runCarefully(group, group.jobs.splice(0));
  }

  function runCarefully(group: Group, jobs: Job[]): void {
    group.jobs.push(...jobs);
    if (isShared) unwritten.undone();
    unwritten.setCareful(true);
    try {
      for (const [index, job] of jobs.entries()) {
        runAlone(job, group.failures);
        if (!job.isTold || !group.failures.has(job)) continue;
        // Somebody went on from what has not happened: so has nothing that was given after it.
        const failure = toUnavailable(group.failures.get(job));
        for (const later of jobs.slice(index)) group.failures.set(later, failure);
        break;
      }
    } catch (error) {
      rollback();
      return rejectAll(group, error);
    } finally {
      unwritten.setCareful(false);
    }
    finish(group);
  }

  function runAlone(job: Job, failures: Map<Job, unknown>): void {
    database.run("SAVEPOINT job");
    try {
      job.run();
      if (job.isTold && !job.isAsTold()) throw new Error("another process wrote");
      unwritten.write();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failures.set(job, error);
      unwritten.undone();
      database.run("ROLLBACK TO job");
    }
    database.run("RELEASE job");
  }

  function finish(group: Group): void {
    try {
      database.run("COMMIT");
    } catch (error) {
      rollback();
      return rejectAll(group, error);
    }
    resolveAll(group);
  }

  function resolveAll(group: Group): void {
    open = undefined;
    unwritten.committed();
    for (const job of group.jobs) {
      if (group.failures.has(job)) job.reject(group.failures.get(job));
      else job.resolve();
    }
    settle();
  }

  function rejectAll(group: Group, error: unknown): void {
    open = undefined;
    unwritten.rolledBack();
    for (const job of group.jobs) job.reject(toUnavailable(error));
    settle();
  }

  function settle(): void {
    const waiting = whenSettled;
    whenSettled = [];
    for (const resolve of waiting) resolve();
    schedule();
  }

  /**
   * Another process may be writing for a moment. What nobody has heard of waits without holding up
   * the loop; what somebody went on from must be on disk before the loop turns.
   */
  function begin(group: Group): boolean {
    try {
      if (group.jobs.some(({ isTold }) => isTold)) database.beginPatiently();
      else database.run("BEGIN IMMEDIATE");
      lockedSince = undefined;
      return true;
    } catch (error) {
      const now = performance.now();
      const mayWait = isBusy(error) && now - (lockedSince ??= now) < database.patienceMs;
      if (mayWait && !group.jobs.some(({ isTold }) => isTold)) {
        queue.unshift(...group.jobs);
        open = undefined;
        unwritten.rolledBack();
        schedule();
        return false;
      }
      // What comes next is given as much time again.
      lockedSince = undefined;
      if (group.jobs.length === 0) group.jobs.push(...take(queue, group));
      rejectAll(group, error);
      return false;
    }
  }

  /** When even that fails the next BEGIN says so, to the commits that it concerns. */
  function rollback(): void {
    unwritten.rolledBack();
    try {
      database.rollback();
    } catch {}
  }

  /** Waits for other processes: only for when there is no later. */
  function commitNow(): void {
    const group: Group = { jobs: [], bytes: 0, failures: new Map() };
    const jobs = take(queue, group);
    try {
      database.beginPatiently();
    } catch (error) {
      for (const job of jobs) job.reject(toUnavailable(error));
      return;
    }
    runCarefully(group, jobs);
  }

  return {
    write<Result>(work: Work<Result>): Promise<Result> {
      if (closed) return Promise.reject(closedStore());
      return new Promise<Result>((resolve, reject) => {
        queue.push(new Job(work, resolve, reject) as Job);
        schedule();
      });
    },
    settled: () => (open ? new Promise((resolve) => whenSettled.push(resolve)) : Promise.resolve()),
    close() {
      closed = true;
      if (open) writeAll(open);
      while (queue.length > 0) commitNow();
    },
  };
}

/** As far as somebody may go on from it. */
function isSame(told: unknown, result: unknown): boolean {
  const [one, other] = [told, result] as ({ ok?: boolean; lastSeq?: number } | undefined)[];
  return one?.ok === other?.ok && one?.lastSeq === other?.lastSeq;
}

/** Throws when the database cannot be read: then it is not known what the job has changed. */
function runInMemory(job: Job, failures: Map<Job, unknown>): void {
  try {
    job.run();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    failures.set(job, error);
  }
}

/** Takes what has room in a transaction; for an empty one, one job at least. */
function take(queue: Job[], group: { jobs: Job[]; bytes: number }, isDirect?: boolean): Job[] {
  let count = 0;
  for (const job of queue) {
    const before = group.jobs.length + count;
    if (isDirect !== undefined && (job.work.isDirect ?? false) !== isDirect) break;
    if (before > 0 && (before === MAX_JOBS || group.bytes + job.work.bytes > MAX_BYTES)) break;
    group.bytes += job.work.bytes;
    count++;
  }
  return queue.splice(0, count);
}
