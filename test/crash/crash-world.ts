import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatEvent } from "../../src/protocol/index.ts";
import type { CrashPoint } from "../../src/testing/crash-points.ts";
import { sessionViolations } from "./checks.ts";
import { CrashServer, type Plan } from "./crash-server.ts";
import { type Kept, keptInDirectory } from "./evidence.ts";
import { type Habit, Person } from "./person.ts";
import type { SessionView } from "./session-view.ts";
import { habit } from "./stories.ts";

interface WorldOptions {
  habit?: Habit;
  nextPlan?: () => Plan | undefined;
  /** What the server keeps everything in, beside what is in the directory. @default SQLite there */
  keptIn?: (directory: string) => Kept;
}

/** A server that dies as planned, and a person who talks to it as if it did not. */
export class CrashWorld {
  readonly person: Person;
  readonly server: CrashServer;
  /** Where it died, in order; null: killed from outside. */
  readonly deaths: (CrashPoint | null)[] = [];
  readonly problems: string[] = [];
  readonly #directory = mkdtempSync(join(tmpdir(), "beckon-crash-"));
  readonly #kept: Kept;
  #plans: Plan[] = [];
  #ids = 0;

  private constructor({ keptIn = keptInDirectory, ...options }: WorldOptions) {
    this.person = new Person(options.habit ?? habit, () => `id-${++this.#ids}`);
    this.#kept = keptIn(this.#directory);
    this.server = new CrashServer(this.#directory, this.#kept.store, {
      listening: (address) => this.person.connect(address),
      killed: (point) => {
        this.deaths.push(point);
        this.person.hangUp();
        if (options.nextPlan) return options.nextPlan();
        this.#plans.shift();
        return this.#plans[0];
      },
      failed: (problem) => this.problems.push(problem),
    });
  }

  static async start(options: WorldOptions = {}): Promise<CrashWorld> {
    const world = new CrashWorld(options);
    world.server.start();
    await world.person.openSession();
    await world.#kept.watchSettled();
    return world;
  }

  /** Each plan in a life of its own, beginning with this one. */
  async plan(plans: Plan[]): Promise<void> {
    this.#plans = [...plans];
    await this.server.arm(plans[0]);
  }

  /** How many of the plans are still to come true. */
  get planned(): number {
    return this.#plans.length;
  }

  /** What was broken in these sessions, which are over, and in the server as a whole. */
  async violations(views: SessionView[]): Promise<string[]> {
    const { person } = this;
    const evidenceOf = await this.#kept.readEvidence();
    const found: string[] = [];
    for (const view of views) {
      const { id } = view;
      const [replayed, listed, session] = await Promise.all([
        this.#readLog(id),
        person.http("GET", `/api/interactions?status=pending&sessionId=${id}`),
        person.http("GET", `/api/sessions/${id}`),
      ]);
      const broken = sessionViolations({
        view,
        answers: person.answers.filter((one) => one.sessionId === id),
        calls: person.calls.filter((one) => one.sessionId === id),
        messages: person.messages.filter((one) => one.sessionId === id),
        replayed,
        openRecords: listed.interactions,
        session,
        evidence: evidenceOf(id),
      });
      found.push(...broken.map((one) => `${one} (session ${id})`));
    }
    found.push(...(await this.#kept.readChanges()).map((one) => `I6: ${one}`));
    return [...found, ...person.problems, ...this.problems, ...(await this.#kept.readLeaks())];
  }

  async close(): Promise<void> {
    await this.server.stop();
    this.person.hangUp();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #readLog(sessionId: string): Promise<ChatEvent[]> {
    const log: ChatEvent[] = [];
    for (;;) {
      const query = `after=${log.length}&limit=10000`;
      const page = await this.person.http("GET", `/api/sessions/${sessionId}/events?${query}`);
      log.push(...page.events);
      if (page.events.length === 0 || log.length >= page.lastSeq) return log;
    }
  }
}
