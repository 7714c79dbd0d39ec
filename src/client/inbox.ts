import type { InteractionRecord } from "../protocol/index.ts";
import type { Transport } from "../transport/index.ts";
import { inMicrotask, type Readable, type Schedule, Store } from "./store.ts";

export interface InboxState {
  status: "loading" | "ready";
  /** Everything that is open, over all sessions, oldest first. */
  interactions: readonly InteractionRecord[];
}

export interface Inbox extends Readable<InboxState> {
  close(): void;
}

/** Everything that waits for an answer, kept up to date. */
export function createInbox(
  transport: Transport,
  { schedule = inMicrotask }: { schedule?: Schedule } = {},
): Inbox {
  let open = new Map<string, InteractionRecord>();
  /** Changes wait here until listeners are told: a list of thousands is sorted once for all. */
  let isDirty = false;
  const store = new Store<InboxState>({ status: "loading", interactions: [] }, schedule, refresh);

  function refresh(): void {
    if (!isDirty) return;
    isDirty = false;
    store.set({ status: "ready", interactions: [...open.values()].sort(byAge) });
  }

  function changed(): void {
    isDirty = true;
    store.touch();
  }

  const ends = [
    transport.watchInbox({
      list(interactions) {
        open = new Map(interactions.filter(isOpen).map((one) => [one.id, one]));
        changed();
      },
      updated(interaction) {
        if (isOpen(interaction)) open.set(interaction.id, interaction);
        else if (!open.delete(interaction.id)) return;
        changed();
      },
    }),
    transport.watchSessions({
      updated: () => {},
      deleted(sessionId) {
        for (const one of open.values()) if (one.sessionId === sessionId) open.delete(one.id);
        changed();
      },
      stale: () => {},
    }),
  ];

  return {
    get: store.get,
    subscribe: store.subscribe,
    close() {
      for (const end of ends) end();
    },
  };
}

function isOpen(interaction: InteractionRecord): boolean {
  return interaction.status === "pending";
}

function byAge(a: InteractionRecord, b: InteractionRecord): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}
