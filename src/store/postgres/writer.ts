import type { Commit, CommitResult } from "../../core/ports.ts";
import { StoreUnavailable } from "../../core/ports.ts";
import { type EncodedCommit, encodeCommit, inOrder } from "./encode-commit.ts";
import {
  closedStore,
  isBlocked,
  isFaultOfStatement,
  isLostConnection,
  isLostRace,
  toStoreError,
} from "./failures.ts";
import type { Lane } from "./lane.ts";

const COMMIT = "SELECT beckon.beckon_commit($1, $2, $3, $4) AS told";
const MAX_COMMITS = 200;
const MAX_BYTES = 4 * 1024 * 1024;
/** How often a batch is sent that lost a race, or whose connection broke before it was answered. */
const TRIES = 5;

interface Job {
  commit: EncodedCommit;
  resolve(result: CommitResult): void;
  reject(error: unknown): void;
}

/** One connection that commits, and how far it has come. */
interface Line {
  id: string;
  lane: Lane;
  batch: number;
  /** The lines of commits on their way. */
  busy: Set<string> | undefined;
}

interface WriterOptions {
  lanes: readonly Lane[];
  newId(): string;
  /** Hears what time it was when the answer was made, and when what was asked for was sent. */
  sampled: (now: number, sentAt: number) => void;
  elapsed: () => number;
  /** For how long a batch is sent again. */
  timeoutMs: number;
}

/**
 * Commits in batches: all that is waiting when a connection is free goes in one transaction and one
 * round trip. Commits of one session keep their order. A batch of which one fails is done again one
 * by one, so that each has its own fate.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #lines: Line[];
  #queue: Job[] = [];
  #isScheduled = false;
  #closed = false;
  #whenIdle: (() => void)[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#lines = options.lanes.map((lane) => ({
      id: options.newId(),
      lane,
      batch: 0,
      busy: undefined,
    }));
  }

  commit(commit: Commit): Promise<CommitResult> {
    if (this.#closed) return Promise.reject(closedStore());
    return new Promise((resolve, reject) => {
      this.#queue.push({ commit: encodeCommit(commit), resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      // What is committed in this turn of the loop goes together.
      setImmediate(() => {
        this.#isScheduled = false;
        this.#send();
      });
    });
  }

  /** Finishes what was given, and takes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#queue.length === 0 && !this.#lines.some(({ busy }) => busy)) return;
    await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #send(): void {
    for (const line of this.#lines) {
      if (line.busy) continue;
      const jobs = this.#take();
      if (jobs.length === 0) break;
      line.busy = new Set(jobs.map(({ commit }) => commit.line));
      void this.#run(line, jobs).finally(() => {
        line.busy = undefined;
        this.#send();
      });
    }
    if (this.#queue.length > 0 || this.#lines.some(({ busy }) => busy)) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** The oldest that fit together, but none of whose line there are some on their way. */
  #take(): Job[] {
    const busy = new Set(this.#lines.flatMap((line) => [...(line.busy ?? [])]));
    const taken: Job[] = [];
    const left: Job[] = [];
    let bytes = 0;
    for (const job of this.#queue) {
      const { line, json } = job.commit;
      const isFull =
        taken.length === MAX_COMMITS || (taken.length > 0 && bytes + json.length > MAX_BYTES);
      if (isFull || busy.has(line)) {
        // Those behind it in its line stay behind it.
        busy.add(line);
        left.push(job);
      } else {
        bytes += json.length;
        taken.push(job);
      }
    }
    this.#queue = left;
    return taken;
  }

  async #run(line: Line, jobs: Job[]): Promise<void> {
    try {
      const results = await this.#commit(line, jobs);
      for (const [index, job] of jobs.entries()) job.resolve(job.commit.decode(results[index]));
    } catch (error) {
      const isOfOne = isFaultOfStatement(error) || isBlocked(error) || isLostRace(error);
      if (jobs.length > 1 && isOfOne) {
        for (const job of jobs) await this.#run(line, [job]);
      } else {
        for (const job of jobs) job.reject(toStoreError(error));
      }
    }
  }

  /** What was sent over a connection that broke may have been taken; sent again, it is not taken twice. */
  async #commit(line: Line, jobs: Job[]): Promise<unknown[]> {
    line.batch++;
    const locks = JSON.stringify(inOrder(jobs.flatMap(({ commit }) => commit.locks)));
    const values = [
      line.id,
      line.batch,
      locks,
      `[${jobs.map(({ commit }) => commit.json).join()}]`,
    ];
    const { elapsed, timeoutMs } = this.#options;
    const begunAt = elapsed();
    for (let tries = 1; ; tries++) {
      const sentAt = elapsed();
      try {
        const [row] = await line.lane.query(COMMIT, values);
        const { now, results } = (row as { told: { now: number; results: unknown[] } }).told;
        this.#options.sampled(now, sentAt);
        return results;
      } catch (error) {
        const isLost = isLostConnection(error) && !(error instanceof StoreUnavailable);
        const isLast = tries === TRIES || elapsed() - begunAt > timeoutMs;
        if (isLast || !(isLost || isLostRace(error))) throw error;
      }
    }
  }
}
