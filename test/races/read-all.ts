import { expect } from "vitest";
import type { Store } from "../../src/core/ports.ts";
import { BUDGETS, SESSIONS, TOOLS } from "./row-steps.ts";

/** Where two are equally old, any may come first. */
function ordered<Row extends { createdAt: number; id: string }>(rows: Row[]): Row[] {
  for (const [index, row] of rows.entries()) {
    expect(row.createdAt).toBeGreaterThanOrEqual(rows[index - 1]?.createdAt ?? 0);
  }
  return rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Everything that a store can be asked for. */
export async function readAll(store: Store): Promise<Record<string, unknown>> {
  const limit = 50;
  const reads: Record<string, Promise<unknown>> = {
    due: store.due(limit),
    nextDeadline: store.nextDeadline(),
    startable: store.startable(limit).then((ids) => ids.toSorted()),
    sessions: store.sessions({ limit }),
    activeCallRuns: store.activeCallRuns({ limit }),
    openInteractions: store.openInteractions({ limit }),
    openCount: store.openCount(),
    budgetOpenCount: store.budgetOpenCount(),
    grantPage: store.grantPage({ limit }),
    tokens: store.tokens(),
    people: store.people(),
    presence: store.presence(),
  };
  for (const budget of BUDGETS) {
    reads[`open of ${budget}`] = store.budgetOpenCount(budget);
    reads[`sessions of ${budget}`] = store.budgetSessionCount(budget, 2);
  }
  for (const sessionId of SESSIONS) {
    reads[`session ${sessionId}`] = store.session(sessionId);
    reads[`summary ${sessionId}`] = store.summary(sessionId);
    reads[`events ${sessionId}`] = store.events({ sessionId, limit });
    reads[`queued ${sessionId}`] = store.queuedRuns(sessionId).then((rows) => {
      expect(rows.map(({ position }) => position)).toEqual(
        rows.map(({ position }) => position).toSorted((a, b) => a! - b!),
      );
      return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    });
    reads[`active ${sessionId}`] = store.activeRuns(sessionId).then(ordered);
    reads[`open ${sessionId}`] = store.openCount(sessionId);
    reads[`open prompts ${sessionId}`] = store.openInteractions({ sessionId, limit });
    reads[`journal ${sessionId}`] = store.journal(sessionId);
    for (const number of [0, 1]) {
      reads[`entry ${sessionId} ${number}`] = store.journalEntry(sessionId, `k${number}`);
      reads[`call ${sessionId} ${number}`] = store.call(sessionId, `c${number}`);
      reads[`prompts ${sessionId} ${number}`] = store.interactionsOfCall(sessionId, `c${number}`);
      const tool = TOOLS[number]!;
      reads[`orphans ${sessionId} ${tool}`] = store
        .orphans({ sessionId, tool, inputDigest: "digest", requestDigest: "digest" })
        .then(ordered);
    }
  }
  for (let number = 0; number < 6; number++) {
    reads[`run ${number}`] = store.run(`r${number}`);
    reads[`calls ${number}`] = store.calls(`r${number}`);
    reads[`interaction ${number}`] = store.interaction(`i${number}`);
    reads[`response ${number}`] = store.response(`i${number}`, `a${number % 2}`);
    reads[`grant ${number}`] = store.grant(`g${number}`);
    reads[`grants ${number}`] = store.grants({ tool: TOOLS[number % 2]! });
    reads[`principal ${number}`] = store.principal(`p${number}`);
    reads[`credential ${number}`] = store.credentialById(`t${number}`);
  }
  const seen = await Promise.all(
    Object.entries(reads).map(async ([name, read]) => [name, await read] as const),
  );
  return Object.fromEntries(seen);
}
