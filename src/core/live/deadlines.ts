import { expire } from "../interaction.ts";
import { claimRun, type ClaimPorts } from "../run/claim.ts";
import { type InteractionRow, StoreUnavailable } from "../ports.ts";
import { LOST_RACE, untilCommitted, type Writer } from "../writer.ts";
import type { CorePorts } from "../api.ts";

interface DeadlinePorts extends ClaimPorts, Pick<CorePorts, "store" | "log"> {
  writer: Writer;
}

const HOUR = 3_600_000;
const RETRY_MS = 1_000;
/**
 * How many are ended together. Between two lots everybody else has a turn; and what a lot sets
 * going (replays, hooks, tool results) shares its turns of the loop with the lots after it.
 */
const LOT = 16;

/** Keeps every deadline with one timer: a deadline is a row, and only the next one is armed. */
export class Deadlines {
  readonly #ports: DeadlinePorts;
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};
  #running = false;
  #stopped = false;

  constructor(ports: DeadlinePorts) {
    this.#ports = ports;
  }

  /** A prompt was opened: its deadline may be the next one. */
  notice(row: InteractionRow): void {
    if (row.status !== "open" || row.expiresAt === null) return;
    this.#arm(row.expiresAt - this.#ports.clock.now());
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  /** Ends what is overdue, earliest first, and arms the timer for what comes next. */
  async keep(): Promise<void> {
    if (this.#running || this.#stopped) return;
    this.#running = true;
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm();
    try {
      const failed = await this.#endOverdue();
      const next = await this.#ports.store.nextDeadline();
      if (failed > 0) this.#arm(RETRY_MS);
      else if (next !== null) this.#arm(next);
    } catch (error) {
      if (!this.#stopped) {
        this.#ports.log.error({ error }, "deadlines could not be kept; trying again");
      }
      this.#arm(RETRY_MS);
    } finally {
      this.#running = false;
    }
  }

  /** Gives the number of those that could not be ended; they hold up nobody else. */
  async #endOverdue(): Promise<number> {
    const { store, log } = this.#ports;
    const failed = new Set<string>();
    while (!this.#stopped) {
      const due = (await store.due(LOT + failed.size)).filter(({ id }) => !failed.has(id));
      if (due.length === 0) break;
      const ends = await Promise.allSettled(due.map((row) => expireOne(this.#ports, row)));
      for (const [index, end] of ends.entries()) {
        const id = due[index]?.id;
        if (end.status === "fulfilled" || id === undefined) continue;
        if (end.reason instanceof StoreUnavailable) throw end.reason;
        log.error({ error: end.reason, interactionId: id }, "a prompt could not be timed out");
        failed.add(id);
      }
    }
    return failed.size;
  }

  #arm(inMs: number): void {
    const at = this.#ports.clock.now() + inMs;
    if (this.#stopped || at >= this.#armedFor) return;
    this.#disarm();
    this.#armedFor = at;
    const wait = Math.min(Math.max(inMs, 0), HOUR);
    this.#disarm = this.#ports.clock.timer(wait, () => {
      // Also when `keep` is busy and will do nothing: what it arms at its end is not this one again.
      this.#armedFor = Number.POSITIVE_INFINITY;
      void this.keep();
    });
  }
}

/** An answer that is stored first counts, also after the deadline: the prompt was still open. */
async function expireOne(ports: DeadlinePorts, asRead: InteractionRow): Promise<void> {
  let row: InteractionRow | null = asRead;
  await untilCommitted(async () => {
    // Whether it is due the store has said; a deadline never changes.
    if (row?.status !== "open" || row.expiresAt === null) return;
    const claim = await claimRun(ports, await ports.store.run(row.runId));
    const step = expire(row, ports.clock.now());
    const result = await ports.writer.commit({
      sessionId: row.sessionId,
      writes: [step.write, ...claim.writes],
      events: step.events,
      interactions: [step.row],
      claimed: claim.claimed,
      inDoubt: claim.inDoubt,
    });
    if (result.ok) return claim.proceed();
    row = await ports.store.interaction(row.id);
    return LOST_RACE;
  });
}
