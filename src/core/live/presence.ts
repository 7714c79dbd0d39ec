import { DEFAULTS } from "../../protocol/index.ts";
import type { PresenceHandle } from "../api.ts";
import { type Clock, type Log, PRESENT, type PresenceRow, type Store, type Who } from "../ports.ts";
import type { Availability } from "../call/tool.ts";

interface Client {
  principalId: string;
  supported: boolean;
  enabled: boolean;
}

interface PresencePorts {
  store: Store;
  clock: Clock;
  log: Log;
  options: { owner: string };
}

/**
 * Knows which people could answer. A person counts while a client of theirs is enabled, and for a
 * minute after the last one closed; that minute is a row, so it outlives a restart. Each node has
 * rows of its own, which last a minute longer than it does.
 */
export class Presence {
  readonly #clients = new Set<Client>();
  readonly #graceUntil = new Map<string, number>();
  /** Who is or was with other nodes. */
  #elsewhere = new Map<string, number>();
  /** What our rows shall say. */
  readonly #wanted = new Map<string, number>();
  /** Our rows as they are stored; none of those of which that is not known. */
  readonly #rows = new Map<string, PresenceRow>();
  readonly #writes = new Map<string, Promise<void>>();
  /** Whose row the store may not have taken. */
  readonly #failed = new Set<string>();
  readonly #ports: PresencePorts;

  constructor(ports: PresencePorts) {
    this.#ports = ports;
  }

  /** Whoever was there when the only process before us stopped still counts for a minute. */
  async inherit(): Promise<void> {
    const now = this.#ports.clock.now();
    for (const row of await this.#ports.store.presence()) {
      const { principalId, until } = row;
      if (until <= now) continue;
      const left = Math.min(until, now + DEFAULTS.presenceGraceMs);
      this.#graceUntil.set(principalId, left);
      this.#wanted.set(principalId, left);
      await this.#store(principalId);
      await this.#end(row);
    }
  }

  /** Who is with another node counts here too. */
  async learn(): Promise<void> {
    const elsewhere = new Map<string, number>();
    for (const row of await this.#ports.store.presence()) {
      if (row.nodeId === this.#ports.options.owner) {
        this.#hearEnd(row);
        continue;
      }
      const left = row.until === PRESENT ? lastOf(row.nodeSeenAt) : row.until;
      elsewhere.set(row.principalId, Math.max(left, elsewhere.get(row.principalId) ?? 0));
    }
    this.#elsewhere = elsewhere;
  }

  attend(who: Who, mode: { supported: boolean; enabled: boolean }): PresenceHandle {
    if (who.kind !== "person") return { set: () => {}, stored: async () => {}, close: () => {} };
    const client: Client = { principalId: who.principalId, supported: false, enabled: false };
    this.#clients.add(client);
    const set = (next: { supported: boolean; enabled: boolean }) => {
      // What a client cannot show, nobody answers there.
      const enabled = next.supported && next.enabled;
      const switchedOff = client.enabled && !enabled;
      Object.assign(client, { supported: next.supported, enabled });
      if (switchedOff && !this.#isEnabled(who.principalId)) this.#switchOff(who.principalId);
      else if (enabled) this.#arrive(who.principalId);
    };
    set(mode);
    return {
      set,
      stored: async () => this.#writes.get(who.principalId),
      close: () => {
        if (!this.#clients.delete(client) || !client.enabled) return;
        if (this.#isEnabled(who.principalId)) return;
        this.#leave(who.principalId, this.#ports.clock.now() + DEFAULTS.presenceGraceMs);
      },
    };
  }

  availability(): Availability {
    const now = this.#ports.clock.now();
    const clients = [...this.#clients];
    const lasting = [...this.#graceUntil, ...this.#elsewhere].filter(
      ([principalId, until]) => until > now && !this.#isEnabled(principalId),
    );
    const lingering = new Set(lasting.map(([principalId]) => principalId)).size;
    const enabledCount = clients.filter((client) => client.enabled).length + lingering;
    const supportedCount = clients.filter((client) => client.supported).length + lingering;
    return { available: enabledCount > 0, enabledCount, supportedCount };
  }

  /** Asks the store who is with other nodes: what we heard of them may be old. */
  async somebodyIsThere(): Promise<boolean> {
    const now = this.#ports.clock.now();
    for (const { enabled } of this.#clients) if (enabled) return true;
    for (const until of this.#graceUntil.values()) if (until > now) return true;
    await this.learn();
    return this.availability().available;
  }

  /** Before we leave: who was here counts a minute longer. */
  async flush(): Promise<void> {
    await Promise.all(this.#writes.values());
    this.storeAgain();
    await Promise.all(this.#writes.values());
  }

  /** Stores what could not be stored before. */
  storeAgain(): void {
    for (const principalId of this.#failed) {
      if (!this.#writes.has(principalId)) this.#write(principalId);
    }
  }

  #isEnabled(principalId: string): boolean {
    for (const client of this.#clients) {
      if (client.principalId === principalId && client.enabled) return true;
    }
    return false;
  }

  #arrive(principalId: string): void {
    this.#graceUntil.delete(principalId);
    this.#wanted.set(principalId, PRESENT);
    this.#write(principalId);
  }

  #leave(principalId: string, until: number): void {
    this.#graceUntil.set(principalId, until);
    this.#wanted.set(principalId, until);
    this.#write(principalId);
  }

  /** Also the minute ends that other nodes still count for a client of theirs that has closed. */
  #switchOff(principalId: string): void {
    this.#elsewhere.delete(principalId);
    this.#graceUntil.set(principalId, 0);
    this.#wanted.set(principalId, 0);
    this.#write(principalId, async () => {
      await this.#store(principalId);
      await this.#endElsewhere(principalId);
    });
  }

  async #endElsewhere(principalId: string): Promise<void> {
    for (const row of await this.#ports.store.presence()) {
      const isOurs = row.nodeId === this.#ports.options.owner;
      if (isOurs || row.principalId !== principalId || row.until === PRESENT) continue;
      await this.#end(row);
    }
  }

  /** Where its node writes the row at the same time, that counts. */
  async #end({ nodeId, principalId, version }: PresenceRow): Promise<void> {
    const id = [nodeId, principalId] as const;
    const write = { table: "presence", id, ifVersion: version, set: { until: 0 } } as const;
    await this.#ports.store.commit({ writes: [write], events: [] });
  }

  /** Our row as it is stored: a minute that it counted may have been ended by another node. */
  #hearEnd(row: PresenceRow): void {
    const { principalId, until } = row;
    const isWritten = !this.#writes.has(principalId) && !this.#failed.has(principalId);
    if (!isWritten || until > 0 || this.#wanted.get(principalId) === PRESENT) return;
    this.#graceUntil.delete(principalId);
    this.#wanted.set(principalId, 0);
    this.#rows.set(principalId, row);
  }

  /** One after the other for each person, and always what shall be stored by then. */
  #write(principalId: string, store = () => this.#store(principalId)): void {
    const before = this.#writes.get(principalId) ?? Promise.resolve();
    const mine = before
      .then(store)
      .then(() => void this.#failed.delete(principalId))
      .catch((error: unknown) => {
        // Whether it was stored all the same, the next write finds out.
        this.#rows.delete(principalId);
        this.#failed.add(principalId);
        this.#ports.log.warn({ error, principalId }, "presence could not be stored; tried again");
      })
      .finally(() => {
        if (this.#writes.get(principalId) === mine) this.#writes.delete(principalId);
      });
    this.#writes.set(principalId, mine);
  }

  async #store(principalId: string): Promise<void> {
    const until = this.#wanted.get(principalId) ?? 0;
    const nodeId = this.#ports.options.owner;
    // Nobody else writes it; but a row that says nothing any more is forgotten, and one whose reply
    // was lost is there.
    for (let tries = 0; tries < 2; tries++) {
      const before = this.#rows.get(principalId);
      if (before?.until === until) return;
      const row = { nodeId, principalId, until, version: (before?.version ?? 0) + 1 };
      const { version: ifVersion } = before ?? { version: 0 };
      const id = [nodeId, principalId] as const;
      const result = await this.#ports.store.commit({
        writes: [{ table: "presence", id, ifVersion, set: { until } }],
        events: [],
      });
      if (result.ok) return void this.#rows.set(principalId, row);
      const current = result.reason === "conflict" ? (result.current as PresenceRow | null) : null;
      if (current) this.#rows.set(principalId, current);
      else this.#rows.delete(principalId);
    }
  }
}

/** Until when somebody counts who was with a node that was seen last then. */
function lastOf(nodeSeenAt: number | null): number {
  return nodeSeenAt === null ? 0 : nodeSeenAt + DEFAULTS.presenceGraceMs;
}
