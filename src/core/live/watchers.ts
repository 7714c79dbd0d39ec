import type { Watcher } from "../api.ts";
import type { SessionRow } from "../ports.ts";

type Session = Pick<SessionRow, "id" | "ownerId">;

/**
 * Who hears of changes, found by the session that changes: those for whom `mayRead` holds. A change
 * of one session costs the machines that watch others nothing.
 */
export class Watchers {
  readonly #people = new Set<Watcher>();
  readonly #machinesByOwner = new Map<string, Set<Watcher>>();
  readonly #machinesBySession = new Map<string, Set<Watcher>>();

  /** The returned function takes the watcher out again. */
  add(watcher: Watcher): () => void {
    const { kind, principalId, sessionId } = watcher.who;
    if (kind === "person") {
      this.#people.add(watcher);
      return () => void this.#people.delete(watcher);
    }
    const removals = [addTo(this.#machinesByOwner, principalId, watcher)];
    if (sessionId !== null) removals.push(addTo(this.#machinesBySession, sessionId, watcher));
    return () => {
      for (const remove of removals) remove();
    };
  }

  get isEmpty(): boolean {
    return this.#people.size === 0 && !this.hasMachines;
  }

  /** Whether there are any who may read some sessions only. */
  get hasMachines(): boolean {
    return this.#machinesByOwner.size > 0;
  }

  /** Without a session that is known: people alone. */
  of(session: Session | null): Iterable<Watcher> {
    const byOwner = session && this.#machinesByOwner.get(session.ownerId);
    const bySession = session && this.#machinesBySession.get(session.id);
    if (!byOwner && !bySession) return this.#people;
    return new Set([...this.#people, ...(byOwner ?? []), ...(bySession ?? [])]);
  }
}

function addTo(sets: Map<string, Set<Watcher>>, key: string, watcher: Watcher): () => void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(watcher));
  return () => {
    set.delete(watcher);
    if (set.size === 0 && sets.get(key) === set) sets.delete(key);
  };
}
