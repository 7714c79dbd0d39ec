import type { InteractionRecord, SessionRecord } from "../protocol/index.ts";
import type { HttpApi } from "./http-api.ts";
import { pause, type Reach } from "./reach.ts";
import type { Timers } from "./timers.ts";
import { type InboxListener, type SessionsListener, TransportError } from "./transport.ts";

interface PollPorts {
  api: HttpApi;
  reach: Reach;
  timers: Timers;
  pollMs: number;
}

/** Looks again and again, as long as somebody listens, and first when one begins to. */
abstract class Poll<Listener> {
  protected readonly api: HttpApi;
  /** Each with whether it has been told how things stood when it came. */
  protected readonly listeners = new Map<Listener, boolean>();
  readonly #ports: PollPorts;
  #round: AbortController | undefined;

  constructor(ports: PollPorts) {
    this.#ports = ports;
    this.api = ports.api;
  }

  watch(listener: Listener): () => void {
    this.listeners.set(listener, false);
    this.#restart();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.#round?.abort();
    };
  }

  close(): void {
    this.listeners.clear();
    this.#round?.abort();
  }

  protected abstract look(signal: AbortSignal): Promise<void>;
  /** A look failed: until the next one, things may have been missed. */
  protected abstract failed(): void;

  #restart(): void {
    this.#round?.abort();
    this.#round = new AbortController();
    void this.#run(this.#round.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { reach, timers, pollMs } = this.#ports;
    while (!signal.aborted) {
      try {
        await this.look(signal);
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        if (!signal.aborted) this.failed();
      }
      await pause(pollMs, timers, signal);
      await reach.untilOnline(signal);
    }
  }
}

/** What is open, by asking for it. */
export class InboxPoll extends Poll<InboxListener> {
  #known = new Map<string, string>();

  protected async look(signal: AbortSignal): Promise<void> {
    const open: InteractionRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.api.interactions({ cursor });
      open.push(...page.interactions);
      cursor = page.next;
    } while (cursor !== undefined);
    const now = new Map(open.map((one) => [one.id, JSON.stringify(one)]));
    const someKnow = [...this.listeners.values()].some(Boolean);
    const gone = someKnow ? [...this.#known.keys()].filter((id) => !now.has(id)) : [];
    const changed = open.filter(({ id }) => this.#known.get(id) !== now.get(id));
    const ended = await Promise.all(gone.map((id) => this.#ended(id)));
    if (signal.aborted) return;
    this.#known = now;
    // What has gone with its session cannot be told of one by one.
    const isWhole = ended.every((one) => one !== undefined);
    for (const [listener, isListed] of [...this.listeners]) {
      this.listeners.set(listener, true);
      if (!isListed || !isWhole) listener.list(open);
      else for (const one of [...ended, ...changed]) listener.updated(one);
    }
  }

  protected failed(): void {
    for (const listener of this.listeners.keys()) this.listeners.set(listener, false);
  }

  async #ended(id: string): Promise<InteractionRecord | undefined> {
    try {
      return await this.api.interaction(id);
    } catch (error) {
      if (error instanceof TransportError && error.status === 404) return undefined;
      throw error;
    }
  }
}

/** The sessions that changed last, by asking for them. */
export class SessionsPoll extends Poll<SessionsListener> {
  #known = new Map<string, string>();

  protected async look(signal: AbortSignal): Promise<void> {
    const { sessions, next } = await this.api.sessions();
    const now = new Map(sessions.map((one) => [one.id, JSON.stringify(one)]));
    const away = [...this.#known.keys()].filter((id) => !now.has(id));
    // One that is not on the first page any more may only have been quiet for long.
    const deleted = next === undefined ? away : await this.#deletedOf(away);
    if (signal.aborted) return;
    const changed = sessions.filter(({ id }) => this.#known.get(id) !== now.get(id));
    this.#known = now;
    for (const [listener, isUpToDate] of [...this.listeners]) {
      this.listeners.set(listener, true);
      if (isUpToDate) tell(listener, changed, deleted);
      else listener.stale();
    }
  }

  protected failed(): void {
    for (const listener of this.listeners.keys()) this.listeners.set(listener, false);
  }

  async #deletedOf(ids: string[]): Promise<string[]> {
    const found = await Promise.all(
      ids.map(async (id) => {
        try {
          await this.api.session(id);
          return [];
        } catch (error) {
          if (error instanceof TransportError && error.status === 404) return [id];
          throw error;
        }
      }),
    );
    return found.flat();
  }
}

function tell(listener: SessionsListener, changed: SessionRecord[], deleted: string[]): void {
  for (const session of changed) listener.updated(session);
  for (const id of deleted) listener.deleted(id);
}
