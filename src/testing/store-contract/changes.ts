import { expect, test } from "vitest";
import type { Changes, Store } from "../../core/ports.ts";
import { interaction } from "./interaction-rows.ts";
import { run } from "./rows.ts";
import { addSession, type Subject, textEvent } from "./subject.ts";
import { commit, insert, update, write } from "./writes.ts";

/** Everything since a cursor, whatever the pages are. */
async function changesSince(store: Store, cursor: string) {
  const ids = {
    sessions: new Set<string>(),
    runs: new Set<string>(),
    interactions: new Set<string>(),
  };
  for (let at = cursor; ;) {
    const page: Changes = await store.changes(at);
    for (const table of ["sessions", "runs", "interactions"] as const) {
      for (const { id } of page[table]) ids[table].add(id);
    }
    at = page.cursor;
    if (!page.more) return { ...ids, cursor: at };
  }
}

export function changeTests(subject: Subject): void {
  test("a first look gives nothing but the place where it is", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const { cursor: _cursor, ...looked } = await store.changes();
    expect(looked).toEqual({
      sessions: [],
      runs: [],
      interactions: [],
      more: false,
      isLost: false,
    });
  });

  test("who looks again sees each row that was written since, as it is now", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "quiet");
    const { cursor } = await store.changes();
    await write(store, insert("runs", run("r1")), insert("interactions", interaction("i1")));
    await write(store, update("interactions", "i1", 1, { status: "answered" }));
    await write(store, update("sessions", "s1", 1, { title: "new", deletedAt: 5 }));
    const found = await store.changes(cursor);
    expect(found.sessions).toEqual([await store.session("s1")]);
    expect(found.runs).toEqual([await store.run("r1")]);
    expect(found.interactions).toEqual([await store.interaction("i1")]);
    expect(found).toMatchObject({ more: false, isLost: false });
  });

  test("a session whose log has grown has changed", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const { cursor } = await store.changes();
    await commit(store, { sessionId: "s1", events: [textEvent("e1")] });
    const found = await store.changes(cursor);
    expect(found.sessions).toMatchObject([{ id: "s1", lastSeq: 1 }]);
  });

  test("a run that was claimed has changed", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("runs", run("r1", { leaseUntil: 0 })));
    const { cursor } = await store.changes();
    await store.claim({ owner: "n", leaseMs: 5, limit: 5 });
    expect((await store.changes(cursor)).runs).toMatchObject([{ id: "r1", owner: "n" }]);
  });

  test("of thousands of commits none is missed, in whatever pages they come", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const { cursor: start } = await store.changes();
    const ids = Array.from({ length: 1_200 }, (_, index) => `i${index}`);
    const seen = new Set<string>();
    let cursor = start;
    const look = async () => {
      const found = await changesSince(store, cursor);
      for (const id of found.interactions) seen.add(id);
      ({ cursor } = found);
    };
    for (let from = 0; from < ids.length; from += 100) {
      const commits = ids
        .slice(from, from + 100)
        .map((id) => write(store, insert("interactions", interaction(id))));
      await Promise.all([...commits, look(), look()]);
    }
    await look();
    expect([...seen].sort()).toEqual(ids.toSorted());
    expect((await changesSince(store, cursor)).interactions.size).toBeLessThanOrEqual(100);
  });
}
