import { expect, test } from "vitest";
import type { SessionRecord } from "../../protocol/index.ts";
import { createFakeClock } from "../../testing/fake-clock.ts";
import type { OutgoingEvent } from "../api.ts";
import { Hub, type HubPorts } from "./hub.ts";
import { type InteractionRow, type SessionSummary, StoreUnavailable, type Who } from "../ports.ts";
import { ReadingTurns } from "./reading-turns.ts";
import { mayRead } from "../session/sessions.ts";
import { Watchers } from "./watchers.ts";

const OWNER: Who = {
  principalId: "owner",
  kind: "person",
  name: "Owner",
  tokenId: "t",
  sessionId: null,
};
const machine = (principalId: string, sessionId: string | null = null): Who => ({
  ...OWNER,
  kind: "machine",
  principalId,
  sessionId,
});

test("a session that changes a hundred times is told of at most ten times a second", async () => {
  const { change, told, clock, start } = setUp();
  for (let seq = 1; seq <= 100; seq++) {
    change("s", { lastSeq: seq });
    await clock.advance(10);
  }
  const inTheSecond = told.filter(({ at }) => at < start + 1_000);
  expect(inTheSecond).toHaveLength(10);
  expect(inTheSecond[0]).toMatchObject({ at: start, session: { lastSeq: 1 } });
});

test("the last state is told although nothing follows, and then nothing more", async () => {
  const { change, told, clock } = setUp();
  change("s", { lastSeq: 1 });
  await clock.settle();
  change("s", { lastSeq: 2 });
  change("s", { lastSeq: 3 });
  await clock.settle();
  expect(told.map(({ session }) => session.lastSeq)).toEqual([1]);
  await clock.advance(10_000);
  expect(told.map(({ session }) => session.lastSeq)).toEqual([1, 3]);
});

test("a change that comes after a quiet moment is told at once", async () => {
  const { change, told, clock } = setUp();
  for (const status of ["waiting", "idle"] as const) {
    change("s", { ...COUNTS[status] });
    await clock.settle();
    expect(told.at(-1)).toMatchObject({ at: clock.now(), session: { status } });
    await clock.advance(100);
  }
});

test("a change that is stored while the session is read is told too", async () => {
  const { change, told, clock, hold } = setUp();
  const read = hold();
  change("s", { lastSeq: 1 });
  await clock.settle();
  change("s", { lastSeq: 2 });
  read.goOn();
  await clock.advance(100);
  expect(told.map(({ session }) => session.lastSeq)).toEqual([1, 2]);
});

test("many sessions that change all the time do not hold up another", async () => {
  const { change, told, clock } = setUp();
  for (let seq = 1; seq <= 20; seq++) {
    for (let other = 0; other < 200; other++) change(`other-${other}`, { lastSeq: seq });
    if (seq === 7 || seq === 8) change("s", { lastSeq: seq });
    await clock.advance(10);
  }
  const mine = told.filter(({ session }) => session.id === "s");
  expect(mine.map(({ session }) => session.lastSeq)).toEqual([7, 8]);
  expect((mine[1]?.at ?? 0) - (mine[0]?.at ?? 0)).toBeLessThanOrEqual(120);
});

test("a session that goes back to what it was is told all the same: somebody may have looked between", async () => {
  const { change, told, clock } = setUp();
  change("s", { ...COUNTS.running, lastSeq: 1 });
  await clock.settle();
  change("s", { ...COUNTS.waiting, lastSeq: 2 });
  change("s", { ...COUNTS.running, lastSeq: 3 });
  await clock.advance(100);
  expect(told.map(({ session }) => session.lastSeq)).toEqual([1, 3]);
});

test("a hint after which the session is as it was told is not told again", async () => {
  const { change, told, clock } = setUp();
  change("s", { lastSeq: 1 });
  await clock.settle();
  change("s", {});
  await clock.advance(1_000);
  expect(told).toHaveLength(1);
});

test("a state that could not be read because the store failed is told when the store is back", async () => {
  const { change, told, clock, fail } = setUp();
  fail(1);
  change("s", { lastSeq: 1 });
  await clock.advance(999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told.map(({ session }) => session.lastSeq)).toEqual([1]);
});

test("a session that is deleted while changes are gathered is not told of after that", async () => {
  const { hub, change, told, clock, deleted } = setUp();
  change("s", { lastSeq: 1 });
  await clock.settle();
  change("s", { lastSeq: 2 });
  hub.hear({ type: "session_deleted", sessionId: "s", ownerId: "owner" });
  await clock.advance(1_000);
  expect([told.length, deleted]).toEqual([1, ["s"]]);
});

test("a change is read once, however many watch, and they are all given the same record", async () => {
  const { hub, change, clock, reads } = setUp();
  const records = new Set<SessionRecord>();
  for (let count = 0; count < 50; count++) {
    hub.watch({ who: OWNER, sessionUpdated: (session) => records.add(session) });
  }
  change("s", { lastSeq: 1 });
  await clock.settle();
  expect([reads(), records.size]).toEqual([1, 1]);
});

test("a session is not read for a client that only hears of deletions", async () => {
  const { hub, change, clock, reads, watch } = setUp();
  watch.close();
  hub.watch({ who: OWNER, sessionDeleted() {} });
  hub.watch({ who: OWNER, interactionUpdated() {} });
  change("s", { lastSeq: 1 });
  await clock.advance(1_000);
  expect(reads()).toBe(0);
});

test("a prompt that changes becomes one record for all, and a session is read only for machines", async () => {
  const { hub, clock, reads } = setUp();
  const records: unknown[] = [];
  const hear = (who: Who) => {
    hub.watch({ who, interactionUpdated: (record) => records.push(record) });
  };
  const row = { id: "i", sessionId: "s", status: "open", createdAt: 0, expiresAt: null };
  let version = 0;
  const prompt = () =>
    hub.hearPrompt({ ...row, version: ++version, endedAt: null } as unknown as InteractionRow);
  hear(OWNER);
  hear(OWNER);
  prompt();
  await clock.settle();
  expect([records.length, new Set(records).size, reads()]).toEqual([2, 1, 0]);
  hear(machine("somebody else"));
  prompt();
  await clock.settle();
  expect([records.length, reads()]).toEqual([4, 1]);
});

test("who is told the session at once is told its status again only if that lasts; others at once", async () => {
  const { change, clock, follow } = setUp();
  const socket = await follow({ hearsSessions: true });
  const stream = await follow({});
  change("s", { ...COUNTS.waiting });
  await clock.settle();
  expect([socket, stream]).toEqual([[], ["waiting"]]);
  await clock.advance(100);
  expect([socket, stream]).toEqual([["waiting"], ["waiting"]]);
  change("s", { ...COUNTS.running });
  await clock.advance(50);
  change("s", { ...COUNTS.waiting });
  await clock.advance(1_000);
  expect([socket, stream]).toEqual([["waiting"], ["waiting", "running", "waiting"]]);
});

test("a status is told to whoever knows another, also if it is what was told before they came", async () => {
  const { change, clock, follow } = setUp();
  const early = await follow({});
  change("s", { ...COUNTS.running });
  await clock.settle();
  change("s", { ...COUNTS.waiting });
  const late = await follow({ hearsSessions: true });
  change("s", { ...COUNTS.running });
  await clock.advance(1_000);
  expect([early, late]).toEqual([["running"], ["running"]]);
});

test("watchers of a session are those who may read it, and each is named once", () => {
  const everybody = [
    OWNER,
    machine("maker"),
    machine("maker", "s"),
    machine("bound", "s"),
    machine("other", "another"),
    machine("other"),
  ].map((who) => ({ who }));
  const watchers = new Watchers();
  const removals = everybody.map((watcher) => watchers.add(watcher));
  for (const session of [
    { id: "s", ownerId: "maker" },
    { id: "s", ownerId: "owner" },
    { id: "another", ownerId: "other" },
    { id: "unknown", ownerId: "nobody" },
  ]) {
    const may = everybody.filter(({ who }) => mayRead(who, session));
    expect(new Set(watchers.of(session))).toEqual(new Set(may));
    expect([...watchers.of(session)]).toHaveLength(may.length);
  }
  for (const remove of removals) remove();
  expect([watchers.isEmpty, [...watchers.of({ id: "s", ownerId: "maker" })]]).toEqual([true, []]);
});

const COUNTS = {
  idle: { activeRuns: 0, livePrompts: 0, openPrompts: 0 },
  running: { activeRuns: 1, livePrompts: 0, openPrompts: 0 },
  waiting: { activeRuns: 1, livePrompts: 1, openPrompts: 1 },
};

/** A hub whose sessions exist once they have changed, and one person who watches them. */
function setUp() {
  const clock = createFakeClock();
  const start = clock.now();
  const sessions = new Map<string, SessionSummary>();
  let reads = 0;
  let failures = 0;
  let held: Promise<void> | undefined;
  async function summary(id: string) {
    reads++;
    if (failures-- > 0) throw new StoreUnavailable("The disk is away.");
    const found = sessions.get(id) ?? newSession(id);
    await held;
    return found;
  }
  const store = { summary, session: summary, eventTexts: async () => [] };
  const env = { store, clock, reading: new ReadingTurns(clock), isStopping: () => false };
  const hub = new Hub({ ...env, log: { error() {}, warn() {} } } as unknown as HubPorts);
  const told: { at: number; session: SessionRecord }[] = [];
  const deleted: string[] = [];
  const watch = hub.watch({
    who: OWNER,
    sessionUpdated: (session) => told.push({ at: clock.now(), session }),
    sessionDeleted: (sessionId) => deleted.push(sessionId),
  });
  return {
    hub,
    clock,
    start,
    told,
    deleted,
    watch,
    reads: () => reads,
    fail: (times: number) => (failures = times),
    /** Holds the answers of the store that are asked for from now on. */
    hold: () => {
      let goOn = () => {};
      held = new Promise((resolve) => (goOn = resolve));
      return { goOn };
    },
    change: (id: string, changes: Partial<SessionSummary>) => {
      sessions.set(id, { ...(sessions.get(id) ?? newSession(id)), ...changes });
      hub.hear({ type: "session", sessionId: id });
    },
    /** Resolves with the statuses that a follower of `s` is told from now on. */
    follow: async (sink: { hearsSessions?: boolean }): Promise<string[]> => {
      const statuses: string[] = [];
      const send = ({ json }: OutgoingEvent) => {
        statuses.push((JSON.parse(json) as { payload: { status: string } }).payload.status);
      };
      const query = { sessionId: "s", after: 0 };
      await hub.subscribe(OWNER, query, { ...sink, send, drained: async () => {} }, () => {});
      return statuses;
    },
  };
}

function newSession(id: string): SessionSummary {
  return {
    id,
    logId: `log of ${id}`,
    title: "A session",
    agent: "demo",
    lastSeq: 0,
    deletedAt: null,
    ownerId: "owner",
    settings: { permissionMode: "default" },
    cwd: null,
    host: null,
    createdAt: 0,
    updatedAt: 0,
    ...COUNTS.idle,
  } as unknown as SessionSummary;
}
