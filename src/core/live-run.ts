import type { AgentMessage } from "./agent.ts";
import type { Env } from "./env.ts";
import { allSilent, mayBeAtWork } from "./going-on.ts";
import { countWaiting, type LiveCall } from "./live-call.ts";
import {
  type CommitResult,
  type InteractionRow,
  type RowId,
  type RunRow,
  type SessionRow,
  StoreUnavailable,
  type Table,
  type Write,
} from "./ports.ts";
import { claimWrite } from "./run-writes.ts";
import { ToolError } from "./tool.ts";
import type { Change } from "./writer.ts";

interface Waiting {
  row: InteractionRow;
  call: LiveCall;
  /** Called the moment it is over, so that the run cannot fall asleep before it goes on. */
  woken(): void;
  onCancel?: () => void | Promise<void>;
}

interface Waiter extends Waiting {
  resolve(row: InteractionRow): void;
  reject(error: unknown): void;
}

/** Never settles: what a superseded process is still waiting for will not come. */
export const never = () => new Promise<never>(() => {});

const isWriteOf = (write: Write, table: Table, id: RowId) =>
  write.table === table && String(write.id) === String(id);

/**
 * A run that this process holds in memory. Every write it makes carries the run's epoch, so when
 * somebody else has taken the run over, nothing of ours reaches the store any more.
 */
export class LiveRun {
  row: RunRow;
  readonly calls = new Map<string, LiveCall>();
  readonly abort = new AbortController();
  lost = false;
  /** Everything in it can be done again: what comes next need not wait for the disk. */
  mayRunAhead = false;
  /** What its agent wants to hear of while it runs. */
  onMessage?: ((message: AgentMessage) => void) | undefined;
  onSettings?: (settings: SessionRow["settings"]) => void;
  /** Resolves when the run is no longer ours to execute. */
  readonly gone: Promise<void>;
  #leave = () => {};
  /** Calls that the agent has asked for and that are not executing yet. */
  #starting = 0;
  /** Something has happened to a prompt here, and it is being found out what: no time to sleep. */
  #looking = 0;
  /** Commits of its own that are on their way. */
  #committing = 0;
  /** Journal entries that ride on the next commit. */
  readonly #riding: Write[] = [];
  /** The last commit that somebody went on from before it was on disk. */
  #unsynced: Promise<unknown> = Promise.resolve();
  /** The last new call or prompt on its way to the store. */
  #adding: Promise<void> = Promise.resolve();
  readonly #waiters = new Map<string, Waiter>();
  readonly #env: Env;
  readonly #canReenter: () => boolean;

  constructor(env: Env, row: RunRow, canReenter: () => boolean) {
    this.#env = env;
    this.row = row;
    this.#canReenter = canReenter;
    this.gone = new Promise((resolve) => (this.#leave = resolve));
  }

  /** Says that a call is about to be added, so that the run does not fall asleep before it is. */
  expectCall(): void {
    this.#starting++;
  }

  addCall(call: LiveCall): void {
    this.calls.set(call.row.id, call);
    this.#starting = Math.max(0, this.#starting - 1);
  }

  /** Remembers a value without a commit of its own: nothing stored can depend on it before the next. */
  ride(write: Write): void {
    this.#riding.push(write);
  }

  /** Stores what rides, before something is done that cannot be undone. */
  async storeRiding(): Promise<void> {
    if (this.#riding.length === 0) return;
    const { sessionId } = this.row;
    await this.commit(() => ({ sessionId, writes: [], events: [] }));
  }

  /**
   * Commits in the name of this run. `build` is called again after a lost race and must look at the
   * rows anew. Does not return if the run is no longer ours, or if the store fails: a tool must not
   * take that for an answer, so the run is left as after a crash, and entered again.
   */
  async commit(build: () => Change | Promise<Change>, { ahead = false } = {}): Promise<void> {
    this.#committing++;
    try {
      await this.#commit(build, ahead);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.#strand(error);
      return never();
    } finally {
      this.#committing--;
    }
  }

  /** Resolves when everything that was committed so far is on disk; not if that failed. */
  async onDisk(): Promise<void> {
    await this.#unsynced;
    if (this.lost) return never();
  }

  #strand(error: StoreUnavailable): void {
    this.#env.log.error({ error, runId: this.row.id }, "the store failed; the run is tried again");
    this.#env.stranded.set(this.row.id, { byStore: true });
    this.lose();
  }

  /**
   * Commits a new call or prompt, each after the one before. The run's own row is written with it,
   * so that whoever ends the run at the same moment looks again at what there is to end.
   */
  async add(build: () => Change | Promise<Change>, { ahead = false } = {}): Promise<void> {
    const mine = this.#adding.then(() =>
      this.commit(
        async () => {
          const change = await build();
          if (change.writes.some((write) => write.table === "runs")) return change;
          const mark = {
            table: "runs",
            id: this.row.id,
            ifVersion: this.row.version,
            set: {},
          } as const;
          return { ...change, writes: [...change.writes, mark] };
        },
        { ahead },
      ),
    );
    this.#adding = mine.catch(() => {});
    return mine;
  }

  async #commit(build: () => Change | Promise<Change>, ahead: boolean): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      if (this.lost) return never();
      const { epoch } = this.row;
      const change = await build();
      const writes = this.#withProgress(change);
      const riding = [...this.#riding];
      const whole = {
        ...change,
        fence: { runId: this.row.id, epoch },
        writes: [...riding, ...writes],
      };
      const result = ahead ? await this.#commitAhead(whole) : await this.#env.writer.commit(whole);
      if (result.ok) {
        this.#alight((one) => riding.includes(one));
        this.#applyOwn(writes);
        return;
      }
      if (result.reason === "fenced") {
        if (this.row.epoch === epoch) this.refresh(await this.#env.store.run(this.row.id));
      } else if (result.table === "runs" && result.id === this.row.id) {
        this.refresh(result.current as RunRow | null);
      } else if (this.#alight((one) => isWriteOf(one, result.table, result.id))) {
        // It rode on another commit of ours too, which came first, and may not be on disk for long.
        tries--;
      }
    }
    throw new Error(`Run ${this.row.id} could not commit: its rows kept changing.`);
  }

  /** Takes what need not ride any more off the next commit; says whether there was any. */
  #alight(isStored: (write: Write) => boolean): boolean {
    const left = this.#riding.filter((write) => !isStored(write));
    return this.#riding.splice(0, this.#riding.length, ...left).length > left.length;
  }

  async #commitAhead(change: Change): Promise<CommitResult> {
    const { decided, stored } = this.#env.writer.commitAhead(change);
    this.goAheadOf(stored);
    return decided;
  }

  /**
   * The run goes on from a commit that is not on disk yet. Who does that does not hear of a failure
   * that comes later: then the run is left as after a crash.
   */
  goAheadOf(stored: Promise<unknown>): void {
    this.#unsynced = stored.catch((error: unknown) => {
      if (error instanceof StoreUnavailable) this.#strand(error);
    });
  }

  /**
   * The write that lets go of the run while everything in it waits for people; or nothing.
   * `ending` is a call that the same commit ends, `asking` one whose prompt it stores. While a piece
   * of a handler may still be at work, the run keeps its lease: if we die, it is entered once more.
   */
  suspension(commit: { ending?: LiveCall; asking?: LiveCall } = {}): Write[] {
    const atWork = [...this.calls.values()].some(
      (call) => call !== commit.ending && mayBeAtWork(call),
    );
    const letsGo = this.row.status === "live" || (this.#restsWithLease() && !atWork);
    if (!letsGo || !this.#canReenter() || !this.#isQuiet(commit)) return [];
    const rest = { status: "suspended", attempt: 0, lives: 0 } as const;
    const set = atWork ? rest : { ...rest, owner: null, leaseUntil: null };
    return [{ table: "runs", id: this.row.id, ifVersion: this.row.version, set }];
  }

  /** Lets go if there is nothing to do but wait. Returns also when the run is lost meanwhile. */
  async rest(): Promise<void> {
    await this.#write(() => this.suspension());
    const waits = this.row.status === "suspended" && !this.#restsWithLease();
    if (this.#env.options.alwaysOrphan && waits) this.lose();
  }

  #restsWithLease(): boolean {
    return this.row.status === "suspended" && this.row.leaseUntil !== null;
  }

  /** It has come to where it waits for people: how often that was tried does not count any more. */
  async forgetTries(): Promise<void> {
    await this.#write(() => {
      const { id, status, attempt, lives, version } = this.row;
      const waits = [...this.calls.values()].every((call) => call.waiting > 0 && call.active === 0);
      const counts = attempt > 1 || lives > 1;
      if (status !== "live" || !counts || this.calls.size === 0 || !waits) return [];
      return [{ table: "runs", id, ifVersion: version, set: { attempt: 1, lives: 1 } }];
    });
  }

  /** A run that gets further is not one that brings servers down: its tries are counted anew. */
  #withProgress({ writes, events }: Change): Write[] {
    const { id, status, attempt, version } = this.row;
    const own = writes.find((write) => write.table === "runs" && write.id === id);
    const recorded = events.length > 0 || writes.some((write) => write !== own);
    if (status !== "live" || attempt <= 1 || !recorded) return writes;
    if (!own) return [...writes, { table: "runs", id, ifVersion: version, set: { attempt: 1 } }];
    const counted = { ...own, set: { attempt: 1, ...own.set } } as Write;
    return writes.map((write) => (write === own ? counted : write));
  }

  async #write(build: () => Write[]): Promise<void> {
    if (this.lost || build().length === 0) return;
    const { sessionId } = this.row;
    const stored = this.commit(() => ({ sessionId, writes: build(), events: [] }));
    await Promise.race([stored, this.gone]);
  }

  /** Takes the run back before work that must go on at once after a crash. */
  async wake(): Promise<void> {
    if (this.row.status !== "suspended") return;
    const { sessionId } = this.row;
    await this.commit(() => ({ sessionId, writes: this.waking(), events: [] }));
  }

  /** The write of `wake`. The epoch stays: nobody had the run since, and what is on its way is good. */
  waking(): Write[] {
    if (this.row.status !== "suspended") return [];
    const claim = claimWrite(this.#env, this.row);
    return [{ ...claim, set: { ...claim.set, epoch: this.row.epoch } }];
  }

  waitFor(waiting: Waiting): Promise<InteractionRow> {
    countWaiting(waiting.call, 1);
    const decided = new Promise<InteractionRow>((resolve, reject) => {
      this.#waiters.set(waiting.row.id, { ...waiting, resolve, reject });
    });
    // It may be rejected before anybody awaits it: while its prompt is still being stored.
    decided.catch(() => {});
    return decided;
  }

  /** The prompt could not be asked. */
  stopWaiting(row: InteractionRow): void {
    const waiter = this.#waiters.get(row.id);
    if (!waiter) return;
    this.#waiters.delete(row.id);
    countWaiting(waiter.call, -1);
  }

  /** A row has changed: whoever waits for it goes on. */
  deliver(row: InteractionRow): void {
    if (!this.#waiters.has(row.id) || row.status === "open") return;
    if (row.status === "cancelled") void this.#hearCancelled(row);
    else this.#resolve(row);
  }

  /** A prompt is cancelled by itself, or because its whole run was: then its hooks hear of that. */
  async #hearCancelled(row: InteractionRow): Promise<void> {
    const run = await this.#env.store.run(this.row.id).catch(() => null);
    if (run?.status !== "ended") this.#resolve(row);
    else this.cancel(new ToolError("tool_cancelled", "The run was cancelled."));
  }

  #resolve(row: InteractionRow): void {
    const waiter = this.#waiters.get(row.id);
    if (!waiter) return;
    this.#env.resting.delete(this);
    this.#waiters.delete(row.id);
    countWaiting(waiter.call, -1);
    waiter.woken();
    waiter.call.prompts.set(row.id, row);
    waiter.resolve(row);
  }

  /** Hints may be lost: looks at every row that somebody here waits for. */
  async lookAgain(): Promise<void> {
    this.#looking++;
    try {
      for (const id of this.#waiters.keys()) {
        const row = await this.#env.store.interaction(id);
        if (row) this.deliver(row);
      }
    } finally {
      this.#looking--;
    }
  }

  /** What the store says about this run now. */
  refresh(row: RunRow | null): void {
    // A look that was on its way while we wrote shows an older row, whose older epoch is no loss.
    if (row && row.version <= this.row.version) return;
    if (row?.status === "ended") {
      this.cancel(new ToolError("tool_cancelled", "The run was ended before this call was."));
      return;
    }
    if (row?.epoch !== this.row.epoch) {
      this.lose();
      return;
    }
    const woken = row.wakes !== this.row.wakes;
    this.row = row;
    if (woken) void this.lookAgain().catch(() => {});
  }

  /** Gives up what it holds in memory, if all of it waits for people and can be made again. */
  letGo(): void {
    const canBeMade = this.row.kind === "call" || this.mayRunAhead;
    const rests = this.row.status === "suspended" && this.#committing === 0 && this.#isQuiet({});
    if (!canBeMade || !rests) return;
    // What may be at work here is gone with it, and must not wait for another answer.
    if (this.#restsWithLease()) this.#env.stranded.set(this.row.id, { byStore: true });
    this.lose();
  }

  /** Somebody else executes it now. What waits here waits for ever; the signal frees what it holds. */
  lose(): void {
    if (this.lost) return;
    this.lost = true;
    this.#leave();
    this.#env.resting.delete(this);
    this.#waiters.clear();
    if (this.#env.live.get(this.row.id) === this) this.#env.live.delete(this.row.id);
    this.abort.abort(new ToolError("tool_interrupted", "This call is now handled elsewhere."));
  }

  /** The run was ended from outside: handlers hear of it and are left to finish by themselves. */
  cancel(error: ToolError): void {
    const waiters = [...this.#waiters.values()];
    this.lose();
    for (const call of this.calls.values()) {
      for (const id of call.prompts.keys()) this.#env.secrets.forget(id);
    }
    for (const waiter of waiters) {
      void Promise.resolve()
        .then(() => waiter.onCancel?.())
        .catch((cause: unknown) => this.#env.log.warn({ cause }, "onCancel failed"))
        .then(() => waiter.reject(error));
    }
  }

  #isQuiet({ ending, asking }: { ending?: LiveCall; asking?: LiveCall }): boolean {
    const calls = [...this.calls.values()].filter((call) => call !== ending);
    if (calls.length === 0 || this.#starting > 0 || this.#looking > 0) return false;
    return calls.every((call) => {
      const busy = call.active + call.busy + call.ahead.size - (call === asking ? 1 : 0);
      return call.waiting > 0 && busy === 0 && allSilent(call);
    });
  }

  #applyOwn(writes: Write[]): void {
    for (const write of writes) {
      if (write.table !== "runs" || write.id !== this.row.id) continue;
      if (this.row.version >= write.ifVersion + 1) continue;
      this.row = { ...this.row, ...write.set, version: write.ifVersion + 1 };
      if (this.row.status === "suspended") this.#env.resting.add(this);
      else this.#env.resting.delete(this);
    }
  }
}
