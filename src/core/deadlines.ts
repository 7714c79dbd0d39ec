import type { Env } from "./env.ts";
import { expire } from "./interaction.ts";
import { land } from "./landing.ts";
import type { InteractionRow } from "./ports.ts";
import { LOST_RACE, untilCommitted } from "./writer.ts";

const HOUR = 3_600_000;
const RETRY_MS = 1_000;
const BATCH = 100;

/** Keeps every deadline with one timer: a deadline is a row, and only the next one is armed. */
export class Deadlines {
  readonly #env: Env;
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};
  #running = false;
  #stopped = false;

  constructor(env: Env) {
    this.#env = env;
  }

  /** A prompt was opened: its deadline may be the next one. */
  notice(row: InteractionRow): void {
    if (row.status === "open" && row.expiresAt !== null) this.#arm(row.expiresAt);
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
      let due = await this.#env.store.due(BATCH);
      while (due.length > 0 && !this.#stopped) {
        await Promise.all(due.map((row) => expireOne(this.#env, row.id)));
        due = await this.#env.store.due(BATCH);
      }
      const next = await this.#env.store.nextDeadline();
      if (next !== null) this.#arm(next);
    } catch (error) {
      this.#env.log.error({ error }, "deadlines could not be kept; trying again");
      this.#arm(this.#env.clock.now() + RETRY_MS);
    } finally {
      this.#running = false;
    }
  }

  #arm(at: number): void {
    if (this.#stopped || at >= this.#armedFor) return;
    this.#disarm();
    this.#armedFor = at;
    const wait = Math.min(Math.max(at - this.#env.clock.now(), 0), HOUR);
    this.#disarm = this.#env.clock.timer(wait, () => {
      // Also when `keep` is busy and will do nothing: what it arms at its end is not this one again.
      this.#armedFor = Number.POSITIVE_INFINITY;
      void this.keep();
    });
  }
}

async function expireOne(env: Env, interactionId: string): Promise<void> {
  await untilCommitted(async () => {
    const row = await env.store.interaction(interactionId);
    const now = env.clock.now();
    if (row?.status !== "open" || row.expiresAt === null || row.expiresAt > now) return;
    const landing = land(env, await env.store.run(row.runId));
    const step = expire(row, now);
    const result = await env.writer.commit({
      sessionId: row.sessionId,
      writes: [step.write, ...landing.writes],
      events: step.events,
      interactions: [step.row],
    });
    if (!result.ok) return LOST_RACE;
    landing.proceed();
  });
}
