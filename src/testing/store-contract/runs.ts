import { expect, test } from "vitest";
import type { RunRow, Write } from "../../core/ports.ts";
import { call, journalEntry, run } from "./rows.ts";
import { addSession, type Subject } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

function queued(id: string, sessionId: string): Write {
  return insert("runs", run(id, { sessionId, status: "queued" }));
}

export function runTests(subject: Subject): void {
  test("a claim takes a lapsed run: epoch and attempt grow, the owner is set", async () => {
    const { store, clock } = subject();
    await addSession(store, "s1");
    const state = { v: 1, text: "hello", messageId: "m1", responseId: "x1" } as const;
    const row = run("r1", { leaseUntil: clock.now(), epoch: 4, attempt: 2, state });
    await write(store, insert("runs", row));
    const by = { owner: "node-2", leaseMs: 5_000, limit: 10 };
    const taken = {
      ...row,
      owner: "node-2",
      leaseUntil: clock.now() + 5_000,
      epoch: 5,
      attempt: 3,
      lives: row.lives + 1,
      version: 2,
    };
    expect(await store.claim(by)).toEqual([taken]);
    expect(await store.run("r1")).toEqual(taken);
    expect(await store.claim(by)).toEqual([]);
  });

  test("active calls outside a turn come by id, page by page", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const call = (id: string, status: RunRow["status"]) =>
      insert("runs", run(id, { kind: "call", status }));
    await write(
      store,
      call("b", "suspended"),
      call("a", "live"),
      call("c", "live"),
      call("d", "ended"),
      insert("runs", run("turn", { kind: "turn", status: "live" })),
    );
    const ids = async (query: { after?: string; limit: number }) =>
      (await store.activeCallRuns(query)).map((row) => row.id);
    expect(await ids({ limit: 2 })).toEqual(["a", "b"]);
    expect(await ids({ after: "b", limit: 2 })).toEqual(["c"]);
    expect(await ids({ after: "c", limit: 2 })).toEqual([]);
  });

  test("runs whose lease has lapsed are claimed, and a live one without a lease", async () => {
    const { store, clock } = subject();
    await addSession(store, "s1");
    await write(
      store,
      insert("runs", run("held", { leaseUntil: clock.now() + 1 })),
      insert("runs", run("queued", { status: "queued", leaseUntil: 0 })),
      insert("runs", run("asleep", { status: "suspended", leaseUntil: null })),
      insert("runs", run("at work", { status: "suspended", leaseUntil: clock.now() + 2 })),
      insert("runs", run("ended", { status: "ended", leaseUntil: 0 })),
      insert("runs", run("nobody's", { leaseUntil: null })),
    );
    const claim = async () =>
      (await store.claim({ owner: "n", leaseMs: 9, limit: 9 })).map((row) => row.id);
    expect(await claim()).toEqual(["nobody's"]);
    clock.jump(1);
    expect(await claim()).toEqual(["held"]);
    clock.jump(1);
    expect(await claim()).toEqual(["at work"]);
    expect(await store.run("at work")).toMatchObject({ status: "live", owner: "n", epoch: 2 });
  });

  test("a claim takes no more than it asks for, and never a run that another took", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
    await write(store, ...ids.map((id) => insert("runs", run(id, { leaseUntil: 0 }))));
    const claims = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        store.claim({ owner: `node-${index}`, leaseMs: 1_000, limit: 3 }),
      ),
    );
    expect(Math.max(...claims.map((rows) => rows.length))).toBe(3);
    const taken = claims.flat().map((row) => row.id);
    expect(taken.sort()).toEqual(ids.sort());
  });

  test("a renewal extends the owner's leases and leaves versions alone", async () => {
    const { store, clock } = subject();
    await addSession(store, "s1");
    await write(
      store,
      insert("runs", run("mine", { leaseUntil: 5 })),
      insert("runs", run("at work", { status: "suspended", leaseUntil: 5 })),
      insert("runs", run("asleep", { status: "suspended", leaseUntil: null })),
      insert("runs", run("theirs", { owner: "node-2", leaseUntil: 5 })),
    );
    await store.renew("node-1", 700);
    const leaseUntil = clock.now() + 700;
    expect(await store.run("mine")).toMatchObject({ leaseUntil, version: 1 });
    expect(await store.run("at work")).toMatchObject({ leaseUntil, version: 1 });
    expect(await store.run("asleep")).toMatchObject({ leaseUntil: null });
    expect(await store.run("theirs")).toMatchObject({ leaseUntil: 5 });
  });

  test("a renewal of what is held leaves out what the owner does not know that it has", async () => {
    const { store, clock } = subject();
    await addSession(store, "s1");
    await write(
      store,
      insert("runs", run("held", { epoch: 3, leaseUntil: 5 })),
      insert("runs", run("held at rest", { status: "suspended", leaseUntil: 5 })),
      insert("runs", run("claimed since", { epoch: 2, leaseUntil: 5 })),
      insert("runs", run("unknown", { leaseUntil: 5 })),
    );
    await store.renew("node-1", 700, [
      { id: "held", epoch: 3 },
      { id: "held at rest", epoch: 1 },
      { id: "claimed since", epoch: 1 },
    ]);
    const leaseUntil = clock.now() + 700;
    expect(await store.run("held")).toMatchObject({ leaseUntil });
    expect(await store.run("held at rest")).toMatchObject({ leaseUntil });
    expect(await store.run("claimed since")).toMatchObject({ leaseUntil: 5 });
    expect(await store.run("unknown")).toMatchObject({ leaseUntil: 5 });
    await store.renew("node-1", 800, []);
    expect(await store.run("held")).toMatchObject({ leaseUntil });
  });

  test("a session with a queued turn and none started can start one", async () => {
    const { store } = subject();
    for (const id of ["s1", "s2", "s3", "s4"]) await addSession(store, id);
    await addSession(store, "busy", { activeRunId: "r9" });
    await addSession(store, "deleted", { deletedAt: 1 });
    await write(
      store,
      queued("r1", "s1"),
      queued("r2", "s1"),
      queued("r3", "s2"),
      queued("r4", "busy"),
      queued("r5", "deleted"),
      insert("runs", run("r6", { sessionId: "s3", status: "ended" })),
      insert("runs", run("r7", { sessionId: "s4", status: "queued", kind: "call" })),
    );
    expect((await store.startable(9)).sort()).toEqual(["s1", "s2"]);
    expect(await store.startable(1)).toHaveLength(1);
    await write(store, update("sessions", "s1", 1, { activeRunId: "r1" }));
    expect(await store.startable(9)).toEqual(["s2"]);
  });

  test("queued turns come by the age of their message", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2");
    const status = "queued";
    await write(
      store,
      insert("runs", run("r3", { status, position: 30 })),
      insert("runs", run("r1", { status, position: 4 })),
      insert("runs", run("r2", { status, position: 12 })),
      insert("runs", run("r4", { status, position: 1, sessionId: "s2" })),
      insert("runs", run("r5", { status, position: 2, kind: "call" })),
      insert("runs", run("r6", { position: 3 })),
    );
    expect((await store.queuedRuns("s1")).map((row) => row.id)).toEqual(["r1", "r2", "r3"]);
  });

  test("active runs are the live and the suspended of a session", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2");
    await write(
      store,
      insert("runs", run("r1", { createdAt: 2 })),
      insert("runs", run("r2", { createdAt: 1, status: "suspended" })),
      insert("runs", run("r3", { status: "ended" })),
      insert("runs", run("r4", { status: "queued" })),
      insert("runs", run("r5", { sessionId: "s2" })),
    );
    expect((await store.activeRuns("s1")).map((row) => row.id)).toEqual(["r2", "r1"]);
    expect(await store.run("nowhere")).toBeNull();
  });

  test("calls are known within their session and listed by run, oldest first", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2");
    const ended = call("c9", {
      status: "ended",
      ok: false,
      result: { value: [0, false, ""] },
      error: { code: "tool_error", message: "No." },
      createdAt: 1,
    });
    await write(
      store,
      insert("tool_calls", call("c5", { createdAt: 2 })),
      insert("tool_calls", ended),
      insert("tool_calls", call("c2", { createdAt: 2 })),
      insert("tool_calls", call("c9", { sessionId: "s2", runId: "r2" })),
    );
    expect(await store.call("s1", "c9")).toEqual(ended);
    expect(await store.call("s2", "c9")).toEqual(call("c9", { sessionId: "s2", runId: "r2" }));
    expect(await store.call("s2", "c5")).toBeNull();
    expect((await store.calls("r1")).map((row) => row.id)).toEqual(["c9", "c5", "c2"]);
    await write(store, update("tool_calls", ["s1", "c5"], 1, { ok: true }));
    expect(await store.call("s1", "c5")).toMatchObject({ ok: true, version: 2 });
  });

  test("the journal keeps one entry for each key of a scope", async () => {
    const { store } = subject();
    const entries = [journalEntry("a"), journalEntry("b", { value: null }), journalEntry("a:b")];
    await write(store, ...entries.map((entry) => insert("journal", entry)));
    await write(store, insert("journal", journalEntry("a", { scopeId: "s1/c1:2", value: 7 })));
    const again = await store.commit({
      writes: [insert("journal", journalEntry("a", { value: "other" }))],
      events: [],
    });
    expect(again).toMatchObject({ reason: "conflict", current: entries[0] });
    expect(await store.journal("s1/c1")).toHaveLength(3);
    expect(await store.journal("s1/c1")).toEqual(expect.arrayContaining(entries));
    expect(await store.journalEntry("s1/c1", "b")).toEqual(entries[1]);
    expect(await store.journalEntry("s1/c1:2", "a")).toMatchObject({ value: 7 });
    expect(await store.journalEntry("s1/c1", "c")).toBeNull();
    expect(await store.journal("nowhere")).toEqual([]);
  });
}
