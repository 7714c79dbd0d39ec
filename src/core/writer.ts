import type { ChatEvent } from "../protocol/index.ts";
import type { EventDraft } from "./interaction.ts";
import {
  type Absence,
  type Bus,
  type Clock,
  type Commit,
  type CommitResult,
  type Ids,
  type InteractionRow,
  type Limit,
  type NewEvent,
  type RunRow,
  type Store,
  StoreUnavailable,
  type Write,
} from "./ports.ts";

/** A commit as core thinks of it: events without stamps, and the interactions as they will be. */
export interface Change {
  sessionId: string;
  fence?: Commit["fence"];
  writes: Write[];
  events: EventDraft[];
  /** What the commit may not add to beyond so many. */
  limits?: Limit[];
  /** What must not be there before it. */
  absent?: Absence[];
  /** Interactions that this commit changes, as they are after it. */
  interactions?: InteractionRow[];
  /** Runs that go on from the end of these interactions, as this commit leaves them to this process. */
  claimed?: RunRow[];
  /** Runs of others that this commit ends: whoever executes them, or waits for them, is told. */
  ended?: string[];
  /** Called when the store has failed: it may have stored the change all the same. */
  inDoubt?: (() => void)[];
}

/**
 * Two changes as one. Where both write a row: the second goes on from the first if it names the
 * version that the first leaves, else both were made from the row as it is stored.
 */
export function joinChanges(first: Change, second: Change): Change {
  const writes = [...first.writes];
  for (const write of second.writes) {
    const index = writes.findLastIndex((one) => isSameRow(one, write));
    const before = writes[index];
    if (before?.ifVersion === write.ifVersion) {
      writes[index] = { ...before, set: { ...before.set, ...write.set } } as Write;
    } else writes.push(write);
  }
  return {
    sessionId: second.sessionId,
    writes,
    events: [...first.events, ...second.events],
    limits: [...(first.limits ?? []), ...(second.limits ?? [])],
    absent: [...(first.absent ?? []), ...(second.absent ?? [])],
    interactions: [...(first.interactions ?? []), ...(second.interactions ?? [])],
    claimed: [...(first.claimed ?? []), ...(second.claimed ?? [])],
    ended: [...(first.ended ?? []), ...(second.ended ?? [])],
    inDoubt: [...(first.inDoubt ?? []), ...(second.inDoubt ?? [])],
  };
}

function isSameRow(one: Write, other: Write): boolean {
  return one.table === other.table && String(one.id) === String(other.id);
}

export interface Writer {
  /** Stores, then tells. Nobody hears of anything that is not on disk. */
  commit(change: Change): Promise<CommitResult>;
  /**
   * For whoever can do again what it does next: `decided` says what the commit comes to before it is
   * on disk. Others still hear of it only then; `stored` is when.
   */
  commitAhead(change: Change): { decided: Promise<CommitResult>; stored: Promise<CommitResult> };
}

export function createWriter(ports: { store: Store; bus: Bus; clock: Clock; ids: Ids }): Writer {
  const { store, bus, clock, ids } = ports;

  async function commit(
    { interactions = [], claimed = [], ended = [], inDoubt = [], ...change }: Change,
    decided?: Commit["decided"],
  ): Promise<CommitResult> {
    if (change.writes.length === 0 && change.events.length === 0) return { ok: true, lastSeq: 0 };
    const at = clock.now();
    const events = change.events.map((draft) => ({ ...draft, id: ids.next(), at }));
    const storing = store.commit({ ...change, events, ...(decided ? { decided } : {}) });
    const result = await storing.catch((error: unknown) => {
      if (error instanceof StoreUnavailable) for (const doubt of inDoubt) doubt();
      throw error;
    });
    if (!result.ok) return result;
    if (events.length > 0) {
      const stored = toChatEvents(change.sessionId, events, at, result.lastSeq);
      bus.publish({
        type: "events",
        sessionId: change.sessionId,
        lastSeq: result.lastSeq,
        events: stored,
      });
    }
    for (const row of interactions) {
      const run = claimed.find(({ id }) => id === row.runId);
      bus.publish({ type: "interaction", id: row.id, row, ...(run && { run }) });
    }
    for (const runId of ended) bus.publish({ type: "run", runId });
    if (change.writes.some(changesSession)) {
      bus.publish({ type: "session", sessionId: change.sessionId });
    }
    return result;
  }

  return {
    commit: (change) => commit(change),
    commitAhead(change) {
      let decide: (result: CommitResult) => void = () => {};
      let fail: (error: unknown) => void = () => {};
      const decided = new Promise<CommitResult>((resolve, reject) => {
        [decide, fail] = [resolve, reject];
      });
      const stored = commit(change, decide);
      stored.then(decide, fail);
      // Who waits for `stored` alone hears of a failure there.
      decided.catch(() => {});
      return { decided, stored };
    },
  };
}

function changesSession(write: Write): boolean {
  return write.table === "sessions" || write.table === "runs" || write.table === "interactions";
}

function toChatEvents(
  sessionId: string,
  events: NewEvent[],
  at: number,
  lastSeq: number,
): ChatEvent[] {
  const first = lastSeq - events.length + 1;
  const timestamp = new Date(at).toISOString();
  return events.map(({ id, turnId, responseId, type, payload }, index) => {
    const seq = first + index;
    return { id, seq, sessionId, timestamp, turnId, responseId, type, payload } as ChatEvent;
  });
}

/** Tries again while somebody else was faster. Contention is short: whoever lost sees why next time. */
export async function untilCommitted<Result>(
  work: () => Promise<Result | typeof LOST_RACE>,
): Promise<Result> {
  for (let tries = 0; tries < 100; tries++) {
    const result = await work();
    if (result !== LOST_RACE) return result;
  }
  throw new Error("A row kept changing under a commit. This is a defect: please report it.");
}

export const LOST_RACE = Symbol("lost race");
