import type { CoreOptions, CorePorts } from "../api.ts";
import {
  type Limit,
  type RunRow,
  type SessionRow,
  StoreUnavailable,
  type Write,
} from "../ports.ts";
import { sessionAfter } from "../turn/messages.ts";
import { type Change, joinChanges, type Writer } from "../writer.ts";
import { touchRun, withProgress } from "./lease.ts";
import { never } from "./never.ts";

export interface CommitPorts extends Pick<CorePorts, "clock" | "store"> {
  options: Pick<CoreOptions, "commitsSingly">;
  writer: Writer;
}

/** A change was refused because there is enough of something. Nothing of it was stored. */
export class NoRoom extends Error {
  readonly limit: Limit;

  constructor(limit: Limit) {
    super(`There is no room for more ${limit.of}.`);
    this.limit = limit;
  }
}

/** There is what a change took not to be there. Nothing of it was stored. */
export class IsThere extends Error {}

/** How many changes share a commit at most: their events are told in one go. */
const MOST_DEFERRED = 8;

/** Makes a change; `before` is what the same commit stores before it, and the store does not show. */
export type BuildChange = (before: Change) => Change | Promise<Change>;

/**
 * The part of a run that stores what happens in it: one commit after the other, each with the run's
 * epoch, and as few as can be.
 */
export abstract class CommittingRun {
  row: RunRow;
  /**
   * Its session as this process knows it. Others may have written it since: whoever decides from what
   * can change commits a write of it, which is refused then, and is called again with the row as it is.
   */
  session: SessionRow;
  lost = false;
  #committing = 0;
  /** Changes that are stored with the next commit. */
  readonly #deferred: BuildChange[] = [];
  /** When the last commit is on disk; nothing once it is. */
  #unsynced: Promise<unknown> | undefined;
  /** When the last commit is decided; nothing once it is. */
  #last: Promise<void> | undefined;
  readonly #commitPorts: CommitPorts;

  constructor(ports: CommitPorts, row: RunRow, session: SessionRow) {
    this.#commitPorts = ports;
    this.row = row;
    this.session = session;
  }

  /** Whoever executes it could not go on: it is left as after a crash, and entered again. */
  abstract fail(error: unknown): void;
  /** What the store says about this run now. */
  abstract refresh(row: RunRow | null): void;
  /** It is no longer ours to execute. */
  abstract lose(): void;
  /** Takes over what was stored of the run's own row. */
  protected abstract applyOwn(writes: Write[]): void;

  /** Commits of its own that are on their way to the store. */
  protected get committing(): number {
    return this.#committing;
  }

  /** Changes that are stored after those commits. */
  protected get deferred(): number {
    return this.#deferred.length;
  }

  /**
   * Stores a change with the run's next commit, or a turn of the loop later: what can be done again
   * need not wait for it. Each change is stored after those that were given before it. Resolves at
   * once, unless so much is deferred that it has to be stored first.
   */
  async defer(build: BuildChange): Promise<void> {
    if (this.lost) return never();
    const { clock, options } = this.#commitPorts;
    const flushed = () => this.flush().catch((error: unknown) => this.fail(error));
    if (this.#deferred.push(build) >= MOST_DEFERRED) return this.flush();
    if (options.commitsSingly) void flushed();
    else if (this.#deferred.length === 1) void clock.turn().then(flushed);
  }

  /** Stores a value that the run has taken, before anything that depends on it. */
  remember(write: Write): void {
    const { sessionId } = this.row;
    void this.defer(() => ({ sessionId, writes: [write], events: [] }));
  }

  /** Stores what was deferred. */
  async flush(): Promise<void> {
    if (this.lost || this.#deferred.length === 0) return;
    const { sessionId } = this.row;
    await this.commit(() => ({ sessionId, writes: [], events: [] }));
  }

  /**
   * Commits in the name of this run, each change after the one before. `build` is called again after
   * a lost race and must look at the rows anew; it is given what the same commit stores before it.
   * Does not return if the run is no longer ours, or if the store fails: a tool must not take that
   * for an answer, so the run is left as after a crash, and entered again.
   */
  async commit(build: BuildChange): Promise<void> {
    this.#committing++;
    try {
      await this.#commitInTurn(build);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.fail(error);
      return never();
    } finally {
      this.#committing--;
    }
  }

  /** Resolves when everything that was committed or deferred so far is on disk; not if that failed. */
  async onDisk(): Promise<void> {
    await this.flush();
    // A commit that is being made has taken what was deferred, and is not on its way yet.
    await this.#last;
    await this.#unsynced;
    if (this.lost) return never();
  }

  /**
   * A change that adds a call or a prompt. The run's own row is written with it, so that whoever ends
   * the run at the same moment looks again at what there is to end.
   */
  adding(build: BuildChange): BuildChange {
    return async (before) => {
      const change = await build(before);
      if (change.writes.some((write) => write.table === "runs")) return change;
      return { ...change, writes: [...change.writes, touchRun(this.row)] };
    };
  }

  async #commitInTurn(build: BuildChange): Promise<void> {
    const deferred = this.#deferred.splice(0);
    const before = this.#last;
    let pass = () => {};
    const mine = new Promise<void>((resolve) => (pass = resolve));
    this.#last = mine;
    await before;
    let result: { stored: Promise<unknown> };
    try {
      result = await this.#decide(deferred, build);
    } finally {
      pass();
      if (this.#last === mine) this.#last = undefined;
    }
    await result.stored;
  }

  /** Commits until it is decided that the change is stored; gives when it is on disk. */
  async #decide(
    deferred: BuildChange[],
    build: BuildChange,
  ): Promise<{ stored: Promise<unknown> }> {
    for (let tries = 0; tries < 100; tries++) {
      if (this.lost) return never();
      const { row } = this;
      const { id: runId, epoch } = row;
      const change = await this.#buildAll(deferred, build);
      if (this.lost) return never();
      // Parts of it were made from the row as it was, others from what has been heard of it since.
      if (this.row !== row) continue;
      const writes = withProgress(this.row, change);
      const { decided, stored } = this.#commitPorts.writer.commitAhead({
        ...change,
        fence: { runId, epoch },
        writes,
      });
      this.goAheadOf(stored);
      const result = await decided;
      if (result.ok) {
        this.applyOwn(writes);
        this.session = sessionAfter(this.session, writes);
        return { stored };
      }
      if (result.reason === "full" || result.reason === "present") {
        this.#deferAgain(deferred);
        throw result.reason === "full" ? new NoRoom(result.limit) : new IsThere();
      }
      if (result.reason === "fenced") {
        if (this.row.epoch === epoch) this.refresh(await this.#commitPorts.store.run(runId));
        // We have ended it ourselves: what still comes is of no use to anybody.
        if (this.row.status === "ended") this.lose();
      } else if (result.table === "runs" && result.id === runId) {
        this.refresh(result.current as RunRow | null);
      } else if (result.table === "sessions" && result.id === this.session.id && result.current) {
        this.session = result.current as SessionRow;
      }
    }
    throw new Error(`Run ${this.row.id} could not commit: its rows kept changing.`);
  }

  async #buildAll(deferred: BuildChange[], build: BuildChange): Promise<Change> {
    const { sessionId } = this.row;
    let change: Change = { sessionId, writes: [], events: [] };
    try {
      for (const one of deferred) change = joinChanges(change, await one(change));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.fail(error);
      return never();
    }
    try {
      return joinChanges(change, await build(change));
    } catch (error) {
      this.#deferAgain(deferred);
      throw error;
    }
  }

  /** What was deferred does not depend on what failed, and comes before what was deferred since. */
  #deferAgain(deferred: BuildChange[]): void {
    const since = this.#deferred.splice(0);
    for (const one of [...deferred, ...since]) void this.defer(one);
  }

  /**
   * The run goes on from a commit that is not on disk yet. Who does that does not hear of a failure
   * that comes later: then the run is left as after a crash.
   */
  goAheadOf(stored: Promise<unknown>): void {
    const synced = stored
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) this.fail(error);
      })
      .then(() => {
        if (this.#unsynced === synced) this.#unsynced = undefined;
      });
    this.#unsynced = synced;
  }
}
