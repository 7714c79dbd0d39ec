import { expect, test } from "vitest";
import { type Store, StoreUnavailable } from "../../core/ports.ts";
import { grant, interaction, response } from "./interaction-rows.ts";
import { call, principal, run, session, token } from "./rows.ts";
import { type Subject, textEvent } from "./subject.ts";
import { commit, insert } from "./writes.ts";

/** One call of every method. */
const CALLS: {
  readonly [Name in Exclude<keyof Store, "close" | "clock">]: (store: Store) => Promise<unknown>;
} = {
  commit: (store) => store.commit({ writes: [], events: [] }),
  claim: (store) => store.claim({ owner: "n", leaseMs: 1, limit: 1 }),
  renew: (store) => store.renew("n", 1),
  due: (store) => store.due(1),
  nextDeadline: (store) => store.nextDeadline(),
  startable: (store) => store.startable(1),
  changes: (store) => store.changes(),
  join: (store) => store.join({ id: "n", name: "n", host: "h", version: "1", publicKey: "k" }, 1),
  leave: (store) => store.leave("n"),
  nodes: (store) => store.nodes(),
  node: (store) => store.node("n"),
  presence: (store) => store.presence(),
  session: (store) => store.session("s1"),
  summary: (store) => store.summary("s1"),
  sessions: (store) => store.sessions({ limit: 1 }),
  events: (store) => store.events({ sessionId: "s1", limit: 1 }),
  eventTexts: (store) => store.eventTexts({ sessionId: "s1", limit: 1 }),
  run: (store) => store.run("r1"),
  queuedRuns: (store) => store.queuedRuns("s1"),
  activeRuns: (store) => store.activeRuns("s1"),
  activeCallRuns: (store) => store.activeCallRuns({ limit: 1 }),
  call: (store) => store.call("s1", "c1"),
  calls: (store) => store.calls("r1"),
  journal: (store) => store.journal("x"),
  journalEntry: (store) => store.journalEntry("x", "y"),
  interaction: (store) => store.interaction("i1"),
  interactionsOfCall: (store) => store.interactionsOfCall("s1", "c1"),
  orphans: (store) =>
    store.orphans({ sessionId: "s1", tool: "t", inputDigest: "d", requestDigest: "d" }),
  openInteractions: (store) => store.openInteractions({ limit: 1 }),
  interactionsBeginning: (store) => store.interactionsBeginning({ begins: "i", limit: 1 }),
  openCount: (store) => store.openCount(),
  budgetOpenCount: (store) => store.budgetOpenCount(),
  budgetSessionCount: (store) => store.budgetSessionCount("p1", 1),
  response: (store) => store.response("i1", "a1"),
  grants: (store) => store.grants({ tool: "deploy" }),
  grantPage: (store) => store.grantPage({ limit: 1 }),
  grant: (store) => store.grant("g1"),
  credential: (store) => store.credential("hash-of-t1"),
  credentialById: (store) => store.credentialById("t1"),
  tokens: (store) => store.tokens(),
  people: (store) => store.people(),
  principal: (store) => store.principal("p1"),
  health: (store) => store.health(),
};

async function fill(store: Store): Promise<void> {
  await commit(store, {
    sessionId: "s1",
    writes: [
      insert("principals", principal("p1")),
      insert("tokens", token("t1")),
      insert("sessions", session("s1")),
      insert("runs", run("r1")),
      insert("tool_calls", call("c1")),
      insert("interactions", interaction("i1")),
      insert("responses", response("a1")),
      insert("grants", grant("g1")),
    ],
    events: [textEvent("e1"), textEvent("e2")],
  });
}

/** What every read of it gives. */
async function readEverything(store: Store): Promise<unknown> {
  const { commit: _commit, claim: _claim, renew: _renew, ...others } = CALLS;
  // A cursor is good for one life of a store.
  const { join: _join, leave: _leave, changes: _changes, ...reads } = others;
  return Promise.all(Object.values(reads).map((read) => read(store)));
}

export function lifetimeTests(subject: Subject): void {
  test("it is healthy while it can read and write", async () => {
    await expect(subject().store.health()).resolves.toBeUndefined();
  });

  test("closing finishes what was given before", async () => {
    const { store } = subject();
    const commits = Array.from({ length: 3 }, (_, index) =>
      store.commit({ writes: [insert("grants", grant(`g${index}`))], events: [] }),
    );
    await store.close();
    const results = await Promise.all(commits);
    expect(results).toEqual(results.map(() => ({ ok: true, lastSeq: 0 })));
  });

  test.each(Object.entries(CALLS))("%s says that a closed store is unavailable", async (_, use) => {
    const { store } = subject();
    await store.close();
    await expect(use(store)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test("it can be closed twice", async () => {
    const { store } = subject();
    await store.close();
    await expect(store.close()).resolves.toBeUndefined();
  });

  test("opening it again finds everything", async ({ skip }) => {
    const opened = subject();
    skip(!opened.reopen, "nothing of it outlives the process");
    await fill(opened.store);
    const before = await readEverything(opened.store);
    const store = await opened.reopen!();
    opened.store = store;
    expect(await readEverything(store)).toEqual(before);
    expect(await commit(store, { sessionId: "s1", events: [textEvent("e3")] })).toBe(3);
  });
}
