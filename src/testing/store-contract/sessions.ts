import { expect, test } from "vitest";
import type { Store } from "../../core/ports.ts";
import { interaction } from "./interaction-rows.ts";
import { run, session } from "./rows.ts";
import { addSession, type Subject } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

type Query = Parameters<Store["sessions"]>[0];

async function readAll(store: Store, query: Query): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await store.sessions({ ...query, cursor });
    pages.push(page.rows.map((row) => row.id));
    if (page.next === undefined) return pages;
    cursor = page.next;
  }
}

export function sessionTests(subject: Subject): void {
  test("one that does not exist is null", async () => {
    const { store } = subject();
    expect(await store.session("nowhere")).toBeNull();
    expect(await store.summary("nowhere")).toBeNull();
  });

  test("a summary counts open prompts, live prompts and active runs", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    expect(await store.summary("s1")).toEqual({
      ...session("s1"),
      openPrompts: 0,
      livePrompts: 0,
      activeRuns: 0,
    });
    await write(
      store,
      insert("interactions", interaction("i1")),
      insert("interactions", interaction("i2", { status: "expiring", link: "queued" })),
      insert("interactions", interaction("i3", { link: "orphaned" })),
      insert("interactions", interaction("i4", { status: "answered" })),
      insert("runs", run("r1")),
      insert("runs", run("r2", { status: "suspended", kind: "call" })),
      insert("runs", run("r3", { status: "queued" })),
      insert("runs", run("r4", { status: "ended" })),
    );
    const counts = { openPrompts: 3, livePrompts: 1, activeRuns: 2 };
    expect(await store.summary("s1")).toEqual({ ...session("s1"), ...counts });
    expect(await store.sessions({ limit: 5 })).toEqual({ rows: [{ ...session("s1"), ...counts }] });
  });

  test("are listed by their last update, page by page, none twice and none left out", async () => {
    const { store } = subject();
    const updates = { s1: 30, s2: 10, s3: 50, s4: 30, s5: 30, s6: 20 };
    for (const [id, updatedAt] of Object.entries(updates))
      await addSession(store, id, { updatedAt });
    expect(await readAll(store, { limit: 2 })).toEqual([
      ["s3", "s1"],
      ["s4", "s5"],
      ["s6", "s2"],
    ]);
    expect(await readAll(store, { limit: 6 })).toHaveLength(1);
    expect(await readAll(store, { limit: 200 })).toHaveLength(1);
  });

  test("deleted ones are not listed, and can still be read", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2");
    await write(store, update("sessions", "s1", 1, { deletedAt: 5 }));
    expect(await readAll(store, { limit: 9 })).toEqual([["s2"]]);
    expect(await store.session("s1")).toMatchObject({ deletedAt: 5 });
    expect(await store.summary("s1")).toMatchObject({ deletedAt: 5 });
  });

  test("a machine sees its own and the one it belongs to", async () => {
    const { store } = subject();
    await addSession(store, "s1", { ownerId: "m1", updatedAt: 1 });
    await addSession(store, "s2", { ownerId: "p1", updatedAt: 2 });
    await addSession(store, "s3", { ownerId: "p1", updatedAt: 3 });
    await addSession(store, "s4", { ownerId: "m1", updatedAt: 4 });
    await addSession(store, "s5", { ownerId: "m1", updatedAt: 5, deletedAt: 6 });
    const seen = (sessionId: string | null, limit = 9) =>
      readAll(store, { limit, readableBy: { ownerId: "m1", sessionId } });
    expect(await seen(null)).toEqual([["s4", "s1"]]);
    expect(await seen("s2")).toEqual([["s4", "s2", "s1"]]);
    expect(await seen("s2", 1)).toEqual([["s4"], ["s2"], ["s1"]]);
    expect(await seen("s1")).toEqual([["s4", "s1"]]);
    expect(await seen("s5")).toEqual([["s4", "s1"]]);
  });

  test("a cursor that nobody gave is an invalid request", async () => {
    const { store } = subject();
    for (const cursor of ["", "nonsense", "%%%", btoa('["a","b"]'), btoa("[1]"), btoa("null")]) {
      const refusal = expect.objectContaining({ code: "invalid_request" });
      await expect(store.sessions({ limit: 1, cursor })).rejects.toEqual(refusal);
      await expect(store.openInteractions({ limit: 1, cursor })).rejects.toEqual(refusal);
    }
  });
}
