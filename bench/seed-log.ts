import { join } from "node:path";
import type { NewEvent, Store } from "../src/core/ports.ts";
import { OWNER_ID } from "../src/server/index.ts";
import { openSqliteStore } from "../src/store/index.ts";
import { systemClock, systemIds } from "../src/system.ts";
import { session } from "../src/testing/store-contract/rows.ts";

const AT_ONCE = 1_000;
const EVENTS_A_TURN = 50;

/** Puts sessions with logs of these lengths straight into the store of a data directory. */
export async function seedLogs(data: string, logs: Record<string, number>): Promise<void> {
  const store = openSqliteStore({ path: join(data, "beckon.db"), clock: systemClock });
  try {
    await fillLogs(store, logs);
  } finally {
    await store.close();
  }
}

/** The same in a store that is open. */
export async function fillLogs(store: Store, logs: Record<string, number>): Promise<void> {
  const now = Date.now();
  for (const [id, length] of Object.entries(logs)) {
    const set = session(id, { ownerId: OWNER_ID, title: id, createdAt: now, updatedAt: now });
    const made = { writes: [{ table: "sessions", id, ifVersion: 0, set } as const], events: [] };
    await store.commit(made);
    for (let done = 0; done < length; done += AT_ONCE) {
      const count = Math.min(AT_ONCE, length - done);
      const events = Array.from({ length: count }, (_none, index) => event(done + index + 1));
      await store.commit({ sessionId: id, writes: [], events });
    }
  }
}

/** The start of the text of an event, as a page shows it. */
export function lineOf(number: number): string {
  return `Line ${number} of many. It says a little more than that.`;
}

function event(number: number): NewEvent {
  const text = `${lineOf(number)} And it goes on, in **bold** and in plain, for some words more.`;
  return {
    id: systemIds.next(),
    type: "text",
    at: Date.now(),
    turnId: `turn-${Math.floor(number / EVENTS_A_TURN)}`,
    payload: { text },
  };
}
