import { type Caller, ProtocolError, type Quota, QUOTAS } from "../../protocol/index.ts";
import type { Clock, Who } from "../ports.ts";
import { quotaSentence } from "./quota-words.ts";

/*
 * What each caller may use, decided here and nowhere else. A rate is a bucket in memory that refills
 * with time. What must hold after a restart too (sessions, open prompts) is counted in the store;
 * only what is on its way there is counted here.
 */

export type QuotaTable = Record<Quota, Record<Caller | "machines", number>>;
export type Rate = Extract<Quota, `${string}PerMinute`>;

/** Who pays: a person, or a machine with everything that it made. */
export interface Payer {
  kind: Caller;
  id: string;
}

export function payerOf(who: Who): Payer {
  const { principalId, kind, sessionId, budgetId = principalId } = who;
  if (kind === "person") return { kind, id: principalId };
  // A bound token of a session that a machine made uses that machine's budget.
  const isOwn = budgetId === principalId;
  return { kind: isOwn && sessionId !== null ? "bound" : "machine", id: budgetId };
}

/** What a payer has used: the levels of its buckets, and how many of something there are now. */
interface Account {
  buckets: Map<Rate, { level: number; at: number }>;
  counts: Map<Quota, number>;
}

/** An account, and by whose limits it is held. */
type Held = readonly [Account, Caller | "machines"];

const MINUTE_MS = 60_000;
/** How many accounts are kept before those that have nothing to remember are looked for. */
const MANY_ACCOUNTS = 1_000;
/** When to look again, in seconds, where nobody knows when there will be room. */
const LOOK_AGAIN = 10;

export class Quotas {
  readonly #clock: Pick<Clock, "now" | "timer">;
  readonly #table: QuotaTable;
  /** By who pays: the payer's own account, and that of all machines where it counts too. */
  readonly #accounts: Record<Caller, Map<string, readonly [Held, ...Held[]]>> = {
    person: new Map(),
    machine: new Map(),
    bound: new Map(),
  };
  readonly #machines: Held = [{ buckets: new Map(), counts: new Map() }, "machines"];
  #sweepAt = MANY_ACCOUNTS;

  constructor(clock: Pick<Clock, "now" | "timer">, table: QuotaTable = QUOTAS) {
    this.#clock = clock;
    this.#table = table;
  }

  /** Takes from a rate. Throws `too_many` when nothing is left, of the payer's own or of all machines'. */
  spend(payer: Payer, rate: Rate, amount = 1): void {
    for (const [account, whose] of this.#accountsOf(payer)) {
      const limit = this.#table[rate][whose];
      const left = this.#left(account, rate, limit);
      if (left < 1) throw refusal(rate, whose, limit, secondsUntil(1 - left, limit));
    }
    this.owe(payer, rate, amount);
  }

  /** Takes from a rate what cannot be refused any more; while it is overdrawn, `spend` refuses. */
  owe(payer: Payer, rate: Rate, amount: number): void {
    for (const [account, whose] of this.#accountsOf(payer)) {
      const limit = this.#table[rate][whose];
      if (limit !== Infinity) this.#filled(account, rate, limit).level -= amount;
    }
  }

  /** Resolves when something of a rate is left. */
  async available(payer: Payer, rate: Rate): Promise<void> {
    for (const [account, whose] of this.#accountsOf(payer)) {
      const limit = this.#table[rate][whose];
      for (;;) {
        const left = this.#left(account, rate, limit);
        if (left >= 1) break;
        const ms = secondsUntil(1 - left, limit) * 1_000;
        await new Promise<void>((resolve) => this.#clock.timer(ms, resolve));
      }
    }
  }

  /** Counts one more of what is open at once, until the returned function is called. */
  hold(payer: Payer, quota: "sockets"): () => void {
    for (const [{ counts }, whose] of this.#accountsOf(payer)) {
      const limit = this.#table[quota][whose];
      if ((counts.get(quota) ?? 0) >= limit) throw refusal(quota, whose, limit, LOOK_AGAIN);
    }
    return this.#count(payer, quota);
  }

  /**
   * Does work that adds one to what is stored, unless there is no room. Others that are at it count
   * as stored, so that many at once do not slip past the limit.
   *
   * @param stored how many there are: of the payer, or of all machines together
   */
  async add<Result>(
    payer: Payer,
    quota: "sessionsPerDay",
    stored: (whose: Caller | "machines") => Promise<number>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const others = this.#accountsOf(payer).map(
      ([{ counts }, whose]) => [whose, counts.get(quota) ?? 0] as const,
    );
    const release = this.#count(payer, quota);
    try {
      for (const [whose, underWay] of others) {
        const limit = this.#table[quota][whose];
        if (limit === Infinity) continue;
        if ((await stored(whose)) + underWay >= limit) {
          throw refusal(quota, whose, limit, LOOK_AGAIN);
        }
      }
      return await work();
    } finally {
      release();
    }
  }

  /** How many there may be of something: of the payer's, and of what is shared. */
  limitsOf(payer: Payer, quota: Quota): [whose: Caller | "machines", most: number][] {
    return this.#accountsOf(payer).map(([, whose]) => [whose, this.#table[quota][whose]]);
  }

  /** What is said where such a limit is reached. */
  refusalOf(payer: Payer, quota: Quota, isShared: boolean): ProtocolError {
    const whose = isShared ? "machines" : payer.kind;
    return refusal(quota, whose, this.#table[quota][whose], LOOK_AGAIN);
  }

  #count(payer: Payer, quota: Quota): () => void {
    const accounts = this.#accountsOf(payer).map(([account]) => account);
    const change = (by: number) => {
      for (const { counts } of accounts) counts.set(quota, (counts.get(quota) ?? 0) + by);
    };
    change(1);
    let held = true;
    return () => {
      if (held) change(-1);
      held = false;
    };
  }

  #accountsOf({ kind, id }: Payer): readonly Held[] {
    const known = this.#accounts[kind].get(id);
    if (known) return known;
    this.#sweep();
    const own: Held = [{ buckets: new Map(), counts: new Map() }, kind];
    const accounts: [Held, ...Held[]] = kind === "person" ? [own] : [own, this.#machines];
    this.#accounts[kind].set(id, accounts);
    return accounts;
  }

  #left(account: Account, rate: Rate, limit: number): number {
    return limit === Infinity ? limit : this.#filled(account, rate, limit).level;
  }

  /** The bucket as it is now. */
  #filled(account: Account, rate: Rate, limit: number): { level: number; at: number } {
    const now = this.#clock.now();
    const bucket = account.buckets.get(rate);
    if (!bucket) {
      const full = { level: limit, at: now };
      account.buckets.set(rate, full);
      return full;
    }
    // A clock that was set back gives nothing and takes nothing.
    const refill = (Math.max(0, now - bucket.at) * limit) / MINUTE_MS;
    bucket.level = Math.min(limit, bucket.level + refill);
    bucket.at = now;
    return bucket;
  }

  /** Forgets who has used nothing in the last minutes and holds nothing now. */
  #sweep(): void {
    const maps = Object.values(this.#accounts);
    const count = () => maps.reduce((sum, { size }) => sum + size, 0);
    if (count() < this.#sweepAt) return;
    for (const accounts of maps) {
      for (const [id, [[{ buckets, counts }]]] of accounts) {
        const isIdle = [...counts.values()].every((held) => held === 0);
        const isOld = [...buckets.values()].every(
          ({ level, at }) => level >= 0 && this.#clock.now() - at > MINUTE_MS,
        );
        if (isIdle && isOld) accounts.delete(id);
      }
    }
    this.#sweepAt = Math.max(MANY_ACCOUNTS, 2 * count());
  }
}

function secondsUntil(missing: number, limit: number): number {
  return Math.max(1, Math.ceil((missing * MINUTE_MS) / limit / 1_000));
}

function refusal(
  quota: Quota,
  whose: Caller | "machines",
  limit: number,
  retryAfter: number,
): ProtocolError {
  const sentence = quotaSentence(quota, whose, limit, retryAfter);
  return new ProtocolError("too_many", sentence, { quota, limit, retryAfter });
}
