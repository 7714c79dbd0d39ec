import type { AgentMessage } from "../turn/agent.ts";
import type { LiveCall } from "../call/live-call.ts";
import {
  type InteractionRow,
  type RunRow,
  type SessionRow,
  StoreUnavailable,
  type Write,
} from "../ports.ts";
import { hasArrived, mayForget, restOf, type RunActivity } from "./quiet.ts";
import { type CallEnd, ToolError } from "../call/tool.ts";
import { type CommitPorts, CommittingRun } from "./committing-run.ts";
import { claimWrite, LEASE_MS, type LeasePorts } from "./lease.ts";
import { Departure } from "./departure.ts";
import type { NodeLease } from "./node-lease.ts";
import { never } from "./never.ts";
import type { CorePorts, CoreOptions } from "../api.ts";
import type { Secrets } from "../prompt/secrets.ts";
import type { RestingRuns } from "./resting-runs.ts";
import { Waiters, type Waiting } from "./waiters.ts";

/** The runs that this process holds in memory. No source of truth: the store is. */
export interface HeldRuns {
  live: Map<string, LiveRun>;
}

interface Stranded {
  /** The store failed, and not what is executed. */
  byStore: boolean;
  /** It was claimed with this epoch, if the commit that failed was stored all the same. */
  perhaps?: number;
}

export interface LiveRunPorts extends LeasePorts, HeldRuns, CommitPorts, Pick<CorePorts, "log"> {
  options: Pick<CoreOptions, "owner" | "alwaysOrphan" | "commitsSingly" | "shared">;
  /** Those of the held runs that wait for people. */
  resting: RestingRuns;
  /** Those that wait for the prompts with these ids. */
  awaited: Map<string, LiveRun>;
  secrets: Secrets;
  lease: NodeLease;
  /** Runs that this process could not go on with; tried again with the next heartbeat. */
  stranded: Map<string, Stranded>;
}

const handledElsewhere = () =>
  new ToolError("tool_interrupted", "This call is now handled elsewhere.");

/**
 * A run that this process holds in memory. Every write it makes carries the run's epoch, so when
 * somebody else has taken the run over, nothing of ours reaches the store any more.
 */
export class LiveRun extends CommittingRun {
  readonly calls = new Map<string, LiveCall>();
  /** Everything in it can be done again: what comes next need not wait for the disk. */
  mayRunAhead = false;
  /** What its agent wants to hear of while it runs. */
  onMessage?: ((message: AgentMessage) => void) | undefined;
  onSettings?: (settings: SessionRow["settings"]) => void;
  /** Makes a call of one of our tools that the agent's runtime asks for from outside. */
  onOwnCall?: (use: { nativeId?: string; toolName: string; input: unknown }) => Promise<CallEnd>;
  /** The settings that its agent knows of, as JSON. */
  #settings: string | undefined;
  /** Comes when the run is no longer ours to execute. */
  readonly gone = new Departure();
  /** Made when somebody asks for its signal: most agents and tools never do. */
  #abort: AbortController | undefined;
  /** Calls that the agent has asked for and that are not executing yet. */
  #starting = 0;
  /** Looks at prompts of the run that may have changed. */
  #looking = 0;
  /** Looks that the store's failure has ended; until each is made again, they still count. */
  #missed: (() => void)[] = [];
  readonly #waiters: Waiters<LiveRun>;
  readonly #ports: LiveRunPorts;
  readonly #canReenter: (run: LiveRun) => boolean;
  /** No process has executed it before this one. */
  readonly #isNew: boolean;

  constructor(
    ports: LiveRunPorts,
    row: RunRow,
    session: SessionRow,
    { canReenter, how }: { canReenter: (run: LiveRun) => boolean; how: "first" | "again" },
  ) {
    super(ports, row, session);
    this.#ports = ports;
    this.#canReenter = canReenter;
    this.#isNew = how === "first";
    this.#waiters = new Waiters(ports.awaited, this);
  }

  /** The calls of it that have not ended, where that is known without a look: nobody else makes any. */
  get openCalls(): [] | undefined {
    return this.#isNew && this.calls.size === 0 && this.#starting === 0 ? [] : undefined;
  }

  /** A prompt of it that nobody has ended, as far as is known here; none while it is written. */
  awaitedPrompt(id: string): InteractionRow | undefined {
    return this.lost || this.committing > 0 ? undefined : this.#waiters.rowOf(id);
  }

  /** Aborts when the run is no longer ours to execute. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.lost) this.#abort.abort(handledElsewhere());
    }
    return this.#abort.signal;
  }

  /** The settings of its session, whenever they may have changed. */
  hearSettings(settings: SessionRow["settings"]): void {
    const text = JSON.stringify(settings);
    if (text === this.#settings) return;
    this.#settings = text;
    this.onSettings?.(settings);
  }

  /** Says that a call is about to be added, so that the run does not suspend before it is. */
  expectCall(): void {
    this.#starting++;
  }

  addCall(call: LiveCall): void {
    this.calls.set(call.row.id, call);
    this.#starting = Math.max(0, this.#starting - 1);
  }

  /** Whoever executes it could not go on: it is left as after a crash, and entered again. */
  fail(error: unknown): void {
    const { log, stranded } = this.#ports;
    log.error({ error, runId: this.row.id }, "a run could not go on; it is tried again");
    this.lose();
    stranded.set(this.row.id, { byStore: error instanceof StoreUnavailable });
  }

  /**
   * The write that lets go of the run while everything in it waits for people; or nothing.
   * `ending` is a call that the same commit ends, `asking` one whose prompt it stores. While a piece
   * of a handler may still be at work, the run keeps its lease: if we die, it is entered once more.
   */
  suspension(commit: { ending?: LiveCall; asking?: LiveCall } = {}): Write[] {
    const rest = restOf(this.#activity(commit));
    if (rest === "none") return [];
    const suspended = { status: "suspended", attempt: 0, lives: 0 } as const;
    const set = rest === "leased" ? suspended : { ...suspended, owner: null, leaseUntil: null };
    return [{ table: "runs", id: this.row.id, ifVersion: this.row.version, set }];
  }

  /** Lets go if there is nothing to do but wait. Returns also when the run is lost meanwhile. */
  async rest(): Promise<void> {
    for (const lookAgain of this.#missed.splice(0)) lookAgain();
    if (this.deferred > 0) await this.gone.until(this.flush());
    await this.#write(() => this.suspension());
    const waits = this.row.status === "suspended" && !this.#restsWithLease();
    if (this.#ports.options.alwaysOrphan && waits) this.lose();
  }

  #restsWithLease(): boolean {
    return this.row.status === "suspended" && this.row.leaseUntil !== null;
  }

  /** It has come to where it waits for people: how often that was tried does not count any more. */
  async forgetTries(): Promise<void> {
    await this.#write(() => {
      const { id, attempt, lives, version } = this.row;
      const counts = attempt > 1 || lives > 1;
      if (!counts || !hasArrived(this.#activity())) return [];
      return [{ table: "runs", id, ifVersion: version, set: { attempt: 1, lives: 1 } }];
    });
  }

  async #write(build: () => Write[]): Promise<void> {
    if (this.lost || build().length === 0) return;
    const { sessionId } = this.row;
    const stored = this.commit(() => ({ sessionId, writes: build(), events: [] }));
    await this.gone.until(stored);
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
    const claim = claimWrite(this.#ports, this.row);
    return [{ ...claim, set: { ...claim.set, epoch: this.row.epoch } }];
  }

  /**
   * Resolves while the run is certainly ours. A process that was stopped for longer than a lease does
   * not know that somebody else may have taken the run over, so it asks. If that is so: never.
   */
  async untilOurs(): Promise<void> {
    const { clock, lease, options, store } = this.#ports;
    if (lease.isCertain()) return;
    const row = await store.run(this.row.id);
    const isOurs = row?.status === "live" && row.owner === options.owner;
    if (isOurs && row.epoch === this.row.epoch && clock.now() < (row.leaseUntil ?? 0)) return;
    this.lose();
    return never();
  }

  waitFor(waiting: Waiting): Promise<InteractionRow | ToolError> {
    return this.#waiters.add(waiting);
  }

  /** The prompt could not be asked. */
  stopWaiting(row: InteractionRow): void {
    this.#waiters.take(row.id);
  }

  /**
   * A row has changed: whoever waits for it goes on, if the run is still ours to execute.
   *
   * @param claimed the run as the commit has left it to this process that changed the row
   */
  deliver(row: InteractionRow, claimed?: RunRow): void {
    if (!this.#waiters.has(row.id) || row.status === "open") return;
    if (this.#ports.options.shared && !this.#goesOnAs(claimed)) {
      this.#look(() => this.#deliverIfOurs(row));
    } else if (row.status === "cancelled") void this.#hearCancelled(row);
    else this.#resolve(row);
  }

  /** Whether the run was claimed here just as it is held: then nothing else has happened in it. */
  #goesOnAs(claimed: RunRow | undefined): boolean {
    const { lease, options } = this.#ports;
    if (this.lost || claimed?.version !== this.row.version + 1 || !lease.isCertain()) return false;
    if (claimed.status !== "live" || claimed.owner !== options.owner) return false;
    this.row = claimed;
    return true;
  }

  /**
   * Whoever ended the prompt has claimed the run in the same commit, if nobody had it. So the run is
   * read after the prompt: then it says which process hears what became of it.
   */
  async #deliverIfOurs(row: InteractionRow): Promise<void> {
    const { clock, options, store } = this.#ports;
    let run = await store.run(this.row.id);
    if (run?.owner === options.owner && (run.leaseUntil ?? 0) <= clock.now()) {
      await store.renew(options.owner, LEASE_MS, [this.row]);
      run = await store.run(this.row.id);
    }
    if (this.lost || !run) return;
    if (run.status === "ended" || run.owner !== options.owner) return this.refresh(run);
    // Claimed here a moment ago: who did that says when it goes on.
    if (run.status !== "live" || run.epoch !== this.row.epoch) return;
    if (row.status === "cancelled") await this.#hearCancelled(row);
    else this.#resolve(row);
  }

  /** A prompt is cancelled by itself, or because its whole run was: then its hooks hear of that. */
  async #hearCancelled(row: InteractionRow): Promise<void> {
    const run = await this.#ports.store.run(this.row.id).catch(() => null);
    if (run?.status !== "ended") this.#resolve(row);
    else this.cancel(new ToolError("tool_cancelled", "The run was cancelled."));
  }

  #resolve(row: InteractionRow): void {
    const waiter = this.#waiters.take(row.id);
    if (!waiter) return;
    this.#ports.resting.delete(this);
    waiter.woken();
    waiter.call.prompts.set(row.id, row);
    waiter.resolve(row);
  }

  /** Hints may be lost: looks at every row that somebody here waits for. */
  async lookAgain(): Promise<void> {
    this.#looking++;
    try {
      for (const id of this.#waiters.ids()) {
        const row = await this.#ports.store.interaction(id);
        if (row) this.deliver(row);
      }
    } finally {
      this.#looking--;
    }
  }

  /** Somebody has written the run's row because a prompt of the run is over. */
  goOn(row: RunRow): void {
    this.row = row;
    this.#look(() => this.lookAgain());
  }

  /**
   * The run does not suspend while it looks at what may let it go on. If the store fails meanwhile,
   * the next heartbeat looks again.
   */
  #look(look: () => Promise<void>): void {
    this.#looking++;
    const done = () => void this.#looking--;
    look().then(done, (error: unknown) => {
      this.#ports.log.warn({ error, runId: this.row.id }, "a run looks again at its prompts");
      this.#missed.push(() => {
        done();
        this.#look(look);
      });
    });
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
    this.goOn(row);
  }

  /** Gives up what it holds in memory, if all of it waits for people and can be made again. */
  letGo(): boolean {
    const canBeMade = this.row.kind === "call" || this.mayRunAhead;
    if (!canBeMade || !mayForget(this.#activity())) return false;
    // What may be at work here is gone with it, and must not wait for another answer.
    if (this.#restsWithLease()) this.#ports.stranded.set(this.row.id, { byStore: true });
    this.lose();
    return true;
  }

  /** Somebody else executes it now. What waits here waits for ever; the signal frees what it holds. */
  lose(): void {
    if (this.lost) return;
    this.lost = true;
    this.gone.leave();
    this.#ports.resting.delete(this);
    this.#waiters.clear();
    if (this.#ports.live.get(this.row.id) === this) this.#ports.live.delete(this.row.id);
    this.#abort?.abort(handledElsewhere());
  }

  /** The run was ended from outside: handlers hear of it and are left to finish by themselves. */
  cancel(error: ToolError): void {
    const waiters = this.#waiters.clear();
    this.lose();
    for (const call of this.calls.values()) {
      for (const id of call.prompts.keys()) this.#ports.secrets.forget(id);
    }
    for (const waiter of waiters) {
      void Promise.resolve()
        .then(() => waiter.onCancel?.())
        .catch((cause: unknown) => this.#ports.log.warn({ cause }, "onCancel failed"))
        .then(() => waiter.resolve(error));
    }
  }

  /** What goes on in the run, without a call that ends and a prompt that is stored in this commit. */
  #activity({ ending, asking }: { ending?: LiveCall; asking?: LiveCall } = {}): RunActivity {
    const calls = [...this.calls.values()].filter((call) => call !== ending);
    const stored = asking && { ...asking.activity, handling: asking.activity.handling - 1 };
    return {
      status: this.row.status,
      hasLease: this.row.leaseUntil !== null,
      canReenter: this.#canReenter(this),
      starting: this.#starting,
      looking: this.#looking,
      committing: this.committing,
      deferred: this.deferred,
      calls: calls.map((call) => (call === asking && stored) || call.activity),
    };
  }

  protected applyOwn(writes: Write[]): void {
    for (const write of writes) {
      if (write.table !== "runs" || write.id !== this.row.id) continue;
      if (this.row.version >= write.ifVersion + 1) continue;
      // Not spread: each of these copies would have a hidden class of its own.
      this.row = Object.assign({}, this.row, write.set, { version: write.ifVersion + 1 });
      if (this.row.status === "suspended") this.#ports.resting.add(this);
      else this.#ports.resting.delete(this);
    }
  }
}
