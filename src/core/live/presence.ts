import { DEFAULTS } from "../../protocol/index.ts";
import type { PresenceHandle } from "../api.ts";
import { type Clock, type Log, PRESENT, type Store, type Who } from "../ports.ts";
import type { Availability } from "../call/tool.ts";

interface Client {
  principalId: string;
  supported: boolean;
  enabled: boolean;
}

/**
 * Knows which people could answer. A person counts while a client of theirs is enabled, and for a
 * minute after the last one closed; that minute is a row, so it outlives a restart.
 */
export class Presence {
  readonly #clients = new Set<Client>();
  readonly #graceUntil = new Map<string, number>();
  readonly #writes = new Map<string, Promise<void>>();
  readonly #ports: { store: Store; clock: Clock; log: Log };

  constructor(ports: { store: Store; clock: Clock; log: Log }) {
    this.#ports = ports;
  }

  /** Whoever was there when the last process stopped still counts for a minute. */
  async load(): Promise<void> {
    const now = this.#ports.clock.now();
    for (const row of await this.#ports.store.people()) {
      if (row.presentUntil === null || row.presentUntil <= now) continue;
      const until = Math.min(row.presentUntil, now + DEFAULTS.presenceGraceMs);
      this.#graceUntil.set(row.id, until);
      if (row.presentUntil === PRESENT) await this.#store(row.id, until);
    }
  }

  /** Who is with another node counts here too. */
  async learn(): Promise<void> {
    const now = this.#ports.clock.now();
    for (const row of await this.#ports.store.people()) {
      if (row.presentUntil === null) this.#graceUntil.delete(row.id);
      else this.#graceUntil.set(row.id, Math.min(row.presentUntil, now + DEFAULTS.presenceGraceMs));
    }
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
      if (switchedOff && !this.#isEnabled(who.principalId)) this.#leave(who.principalId, null);
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
    const lingering = [...this.#graceUntil].filter(
      ([principalId, until]) => until > now && !this.#isEnabled(principalId),
    ).length;
    const enabledCount = clients.filter((client) => client.enabled).length + lingering;
    const supportedCount = clients.filter((client) => client.supported).length + lingering;
    return { available: enabledCount > 0, enabledCount, supportedCount };
  }

  /** Asks the store, where every node writes down who is with it: what we heard of them may be old. */
  async somebodyIsThere(): Promise<boolean> {
    if ([...this.#clients].some((client) => client.enabled)) return true;
    await this.flush();
    const now = this.#ports.clock.now();
    const rows = await this.#ports.store.people();
    return rows.some((row) => row.presentUntil !== null && row.presentUntil > now);
  }

  async flush(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  #isEnabled(principalId: string): boolean {
    for (const client of this.#clients) {
      if (client.principalId === principalId && client.enabled) return true;
    }
    return false;
  }

  #arrive(principalId: string): void {
    this.#graceUntil.delete(principalId);
    this.#write(principalId, PRESENT);
  }

  #leave(principalId: string, until: number | null): void {
    if (until === null) this.#graceUntil.delete(principalId);
    else this.#graceUntil.set(principalId, until);
    this.#write(principalId, until);
  }

  /** In order per person, so that the last state is the one that stays. */
  #write(principalId: string, until: number | null): void {
    const before = this.#writes.get(principalId) ?? Promise.resolve();
    const mine = before
      .then(() => this.#store(principalId, until))
      .catch((error: unknown) => {
        this.#ports.log.warn({ error, principalId }, "presence could not be stored");
      })
      .finally(() => {
        if (this.#writes.get(principalId) === mine) this.#writes.delete(principalId);
      });
    this.#writes.set(principalId, mine);
  }

  async #store(principalId: string, presentUntil: number | null): Promise<void> {
    for (let tries = 0; tries < 10; tries++) {
      const row = await this.#ports.store.principal(principalId);
      if (!row || row.presentUntil === presentUntil) return;
      const result = await this.#ports.store.commit({
        writes: [
          { table: "principals", id: row.id, ifVersion: row.version, set: { presentUntil } },
        ],
        events: [],
      });
      if (result.ok) return;
    }
  }
}
