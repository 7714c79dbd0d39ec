import type { SessionRecord } from "../../protocol/index.ts";
import type { CorePorts } from "../api.ts";
import { type SessionSummary, StoreUnavailable } from "../ports.ts";
import { toSessionRecord } from "../session/records.ts";
import { Recent } from "./recent.ts";

const RETRY_MS = 1_000;
/** How often it is looked which sessions may be told of again. */
const TICK_MS = 20;
/** How long changes of a session are gathered: ten times a second a client hears of it, at most. */
const GATHERED_MS = 100;

type Status = SessionRecord["status"];

interface SessionUpdatesPorts extends Pick<CorePorts, "clock" | "store"> {
  isStopping(): boolean;
}

/** Those who are told. */
interface Audience {
  isHeard(sessionId: string): boolean;
  tell(summary: SessionSummary, record: SessionRecord): void;
  /** `lasting`: it is as it was when it was told before. */
  tellStatus(sessionId: string, status: Status, age: "new" | "lasting"): void;
  failed(error: unknown): void;
}

/** A session that was told of less than `GATHERED_MS` ago. */
interface Gathering {
  /** When it may be told again; nothing while it is being told. */
  until?: number | undefined;
  status?: Status;
  /** It has changed since it was read. */
  isChanged: boolean;
}

/** Tells how sessions change: the first change at once, those that follow together, as it is then. */
export class SessionUpdates {
  readonly #ports: SessionUpdatesPorts;
  readonly #audience: Audience;
  readonly #gathering = new Map<string, Gathering>();
  /** The record of each that was told last, as JSON. */
  readonly #told = new Recent<string>();
  #isTicking = false;

  constructor(ports: SessionUpdatesPorts, audience: Audience) {
    this.#ports = ports;
    this.#audience = audience;
  }

  changed(sessionId: string): void {
    const gathering = this.#gathering.get(sessionId);
    if (gathering) gathering.isChanged = true;
    else if (this.#audience.isHeard(sessionId)) void this.#tell(sessionId, { isChanged: true });
  }

  /** It was deleted, and that was told. */
  forget(sessionId: string): void {
    this.#gathering.delete(sessionId);
  }

  /** Never rejects. Tries again if the store fails, or else the last state would stay untold. */
  async #tell(sessionId: string, gathering: Gathering): Promise<void> {
    this.#gathering.set(sessionId, gathering);
    gathering.isChanged = false;
    let pauseMs = GATHERED_MS;
    try {
      const summary = await this.#ports.store.summary(sessionId);
      if (this.#gathering.get(sessionId) !== gathering) return;
      if (summary && summary.deletedAt === null) this.#tellSummary(summary, gathering);
    } catch (error) {
      this.#audience.failed(error);
      if (error instanceof StoreUnavailable && !this.#ports.isStopping()) {
        gathering.isChanged = true;
        pauseMs = RETRY_MS;
      }
    }
    gathering.until = this.#ports.clock.now() + pauseMs;
    this.#awaitTick();
  }

  /** Sessions are told of at common moments, so that a client is written to once for many. */
  #awaitTick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#ports.clock.timer(TICK_MS, () => {
      this.#isTicking = false;
      const now = this.#ports.clock.now();
      for (const [sessionId, gathering] of this.#gathering) {
        if (gathering.until !== undefined && gathering.until <= now) {
          this.#gathered(sessionId, gathering);
        }
      }
      if (this.#gathering.size > 0 && !this.#ports.isStopping()) this.#awaitTick();
    });
  }

  #gathered(sessionId: string, gathering: Gathering): void {
    gathering.until = undefined;
    if (gathering.isChanged && this.#audience.isHeard(sessionId)) {
      return void this.#tell(sessionId, gathering);
    }
    this.#gathering.delete(sessionId);
    if (gathering.status && !gathering.isChanged) {
      this.#audience.tellStatus(sessionId, gathering.status, "lasting");
    }
  }

  #tellSummary(summary: SessionSummary, gathering: Gathering): void {
    const record = toSessionRecord(summary);
    const text = JSON.stringify(record);
    if (this.#told.get(record.id) !== text) this.#audience.tell(summary, record);
    this.#told.set(record.id, text);
    const age = gathering.status === record.status ? "lasting" : "new";
    this.#audience.tellStatus(record.id, record.status, age);
    gathering.status = record.status;
  }
}
