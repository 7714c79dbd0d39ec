import { DEFAULTS, ProtocolError } from "../../protocol/index.ts";
import type { CoreOptions, CorePorts } from "../api.ts";
import { noteWrite, valueOf } from "../call/journal.ts";
import { PRESENT } from "../ports.ts";
import type { Departure } from "../run/departure.ts";

const RETRY_MS = 5_000;

interface CallersPorts extends Pick<CorePorts, "clock" | "log" | "store"> {
  options: Pick<CoreOptions, "owner" | "shared">;
}

/**
 * Who waits for calls made outside a turn. When the last one has hung up and nobody is back within
 * a minute, the call is withdrawn: nobody would hear its answer. Where other nodes share the store,
 * each writes down for which calls somebody waits with it.
 */
export class Callers {
  readonly #ports: CallersPorts;
  readonly #waiting = new Map<string, number>();
  /** Takes back the withdrawal of calls that were left alone. */
  readonly #returned = new Map<string, () => void>();

  constructor(ports: CallersPorts) {
    this.#ports = ports;
  }

  /** Does `work` in the name of a caller who may hang up. */
  async wait<Result>(
    key: string,
    gone: Departure | undefined,
    work: () => Promise<Result>,
    withdraw: () => Promise<void>,
  ): Promise<Result> {
    this.#returned.get(key)?.();
    this.#returned.delete(key);
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    let sentAway = false;
    const noted = this.#note(key, PRESENT);
    try {
      const result = await work();
      sentAway = gone?.isOver ?? false;
      return result;
    } catch (error) {
      // Who was refused has no call to come back to.
      sentAway = !(error instanceof ProtocolError);
      throw error;
    } finally {
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
      if (left === 0 && sentAway) {
        this.#leave(key, withdraw, DEFAULTS.callerGraceMs);
        const until = this.#ports.clock.now() + DEFAULTS.callerGraceMs;
        void noted.then(async () => {
          if (!this.#waiting.has(key)) await this.#note(key, until);
        });
      }
    }
  }

  /** Whether somebody waits for the call at this moment. */
  hears(key: string): boolean {
    return this.#waiting.has(key);
  }

  /**
   * Whether nobody waits for the call, at whatever node, nor may still come back to it. Of other
   * nodes only what they have written down says that.
   */
  async isAbandoned(key: string): Promise<boolean> {
    if (this.#waiting.has(key) || this.#returned.has(key)) return false;
    if (!this.#ports.options.shared) return true;
    const places = await this.#placesOf(key);
    return places.length > 0 && places.every(({ isOver }) => isOver);
  }

  stop(): void {
    for (const takeBack of this.#returned.values()) takeBack();
  }

  #leave(key: string, withdraw: () => Promise<void>, ms: number): void {
    const takeBack = this.#ports.clock.timer(ms, () => {
      this.#returned.delete(key);
      // The store may be away for a moment; nobody else would try again.
      this.#withdraw(key, withdraw).catch(() => this.#leave(key, withdraw, RETRY_MS));
    });
    this.#returned.set(key, takeBack);
  }

  async #withdraw(key: string, withdraw: () => Promise<void>): Promise<void> {
    const { owner, shared } = this.#ports.options;
    const places = shared ? await this.#placesOf(key) : [];
    if (places.some(({ nodeId, isOver }) => nodeId !== owner && !isOver)) return;
    await withdraw();
  }

  /** At which nodes somebody waited for the call, and whether that is over. */
  async #placesOf(key: string): Promise<{ nodeId: string; isOver: boolean }[]> {
    const { clock, store } = this.#ports;
    const [entries, nodes] = await Promise.all([store.journal(scopeOf(key)), store.nodes()]);
    const seenAt = new Map(nodes.map((node) => [node.id, node.seenAt]));
    return entries.map((entry) => {
      const until = Number(valueOf(entry));
      const last = (seenAt.get(entry.key) ?? 0) + DEFAULTS.callerGraceMs;
      return { nodeId: entry.key, isOver: (until === PRESENT ? last : until) <= clock.now() };
    });
  }

  /** Never rejects: what others are told of our callers too late does the calls no harm. */
  async #note(key: string, until: number): Promise<void> {
    const { log, options, store } = this.#ports;
    if (!options.shared) return;
    try {
      const before = await store.journalEntry(scopeOf(key), options.owner);
      const id: [string, string] = [scopeOf(key), options.owner];
      const write = noteWrite(id, { value: until }, { ifVersion: before?.version ?? 0 });
      await store.commit({ writes: [write], events: [] });
    } catch (error) {
      log.warn({ error }, "it could not be written down that somebody waits for a call");
    }
  }
}

const scopeOf = (key: string) => `callers/${key}`;
