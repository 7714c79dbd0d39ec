import { expect, test } from "vitest";
import type { Commit } from "../../core/ports.ts";
import { run } from "./rows.ts";
import { addSession, type Subject, textEvent } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

function fenced(epoch: number, part: Partial<Commit> = {}): Commit {
  const events = [textEvent(`of-epoch-${epoch}`)];
  return { sessionId: "s1", fence: { runId: "r1", epoch }, writes: [], events, ...part };
}

export function fenceTests(subject: Subject): void {
  test("lets the run's epoch write", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("runs", run("r1", { epoch: 3 })));
    expect(await store.commit(fenced(3))).toEqual({ ok: true, lastSeq: 1 });
  });

  test("refuses an old epoch and tells the current one", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("runs", run("r1", { epoch: 3 })));
    expect(await store.commit(fenced(2))).toEqual({ ok: false, reason: "fenced", epoch: 3 });
    expect(await store.session("s1")).toMatchObject({ lastSeq: 0 });
  });

  test("comes before a conflict", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("runs", run("r1", { epoch: 3 })));
    const writes = [update("runs", "r1", 9, { attempt: 2 })];
    expect(await store.commit(fenced(2, { writes }))).toMatchObject({ reason: "fenced" });
    expect(await store.commit(fenced(3, { writes }))).toMatchObject({ reason: "conflict" });
  });

  test("lets a commit end its own run, and nothing after it", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("runs", run("r1")));
    const writes = [update("runs", "r1", 1, { status: "ended" })];
    const ending = await store.commit(fenced(1, { writes }));
    const afterwards = await store.commit(fenced(1, { events: [textEvent("too late")] }));
    expect(ending).toEqual({ ok: true, lastSeq: 1 });
    expect(afterwards).toEqual({ ok: false, reason: "fenced", epoch: 1 });
  });

  test("lets a suspended run write", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("runs", run("r1", { status: "suspended" })));
    expect(await store.commit(fenced(1))).toMatchObject({ ok: true });
  });

  test("of a run that does not exist refuses with epoch -1", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    expect(await store.commit(fenced(0))).toEqual({ ok: false, reason: "fenced", epoch: -1 });
  });

  test("refuses whoever lost the run to a claim", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("runs", run("r1", { leaseUntil: 0 })));
    const claimed = await store.claim({ owner: "node-2", leaseMs: 9, limit: 1 });
    const refused = await store.commit(fenced(1));
    expect(claimed).toMatchObject([{ id: "r1", epoch: 2 }]);
    expect(refused).toEqual({ ok: false, reason: "fenced", epoch: 2 });
  });
}
