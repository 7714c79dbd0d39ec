import { expect, test } from "vitest";
import type { Store } from "../../core/ports.ts";
import { interaction } from "./interaction-rows.ts";
import { addSession, type Subject } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

type Query = Parameters<Store["openInteractions"]>[0];

async function readAll(store: Store, query: Query): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await store.openInteractions({ ...query, cursor });
    pages.push(page.rows.map((row) => row.id));
    if (page.next === undefined) return pages;
    cursor = page.next;
  }
}

async function addPrompts(store: Store): Promise<void> {
  await addSession(store, "s1", { ownerId: "m1" });
  await addSession(store, "s2", { ownerId: "p1" });
  await write(
    store,
    insert("interactions", interaction("i5", { createdAt: 50 })),
    insert("interactions", interaction("i2", { createdAt: 20, sessionId: "s2" })),
    insert("interactions", interaction("i3", { createdAt: 20, status: "expiring" })),
    insert("interactions", interaction("i4", { createdAt: 20, link: "orphaned" })),
    insert("interactions", interaction("i6", { createdAt: 10, sessionId: "s2" })),
    insert("interactions", interaction("i7", { createdAt: 10, status: "answered" })),
  );
}

export function promptListTests(subject: Subject): void {
  test("come oldest first, page by page, none twice and none left out", async () => {
    const { store } = subject();
    await addPrompts(store);
    expect(await readAll(store, { limit: 2 })).toEqual([["i6", "i2"], ["i3", "i4"], ["i5"]]);
    expect(await readAll(store, { limit: 5 })).toEqual([["i6", "i2", "i3", "i4", "i5"]]);
  });

  test("a page ends at a number of bytes too, but never before the first", async () => {
    const { store } = subject();
    await addPrompts(store);
    const each = [["i6"], ["i2"], ["i3"], ["i4"], ["i5"]];
    expect(await readAll(store, { limit: 5, maxBytes: 1 })).toEqual(each);
    expect(await readAll(store, { limit: 5, maxBytes: 100_000 })).toEqual([each.flat()]);
  });

  test("are read on where they stopped though some have ended since", async () => {
    const { store } = subject();
    await addPrompts(store);
    const first = await store.openInteractions({ limit: 2 });
    await write(store, update("interactions", "i2", 1, { status: "answered" }));
    await write(store, update("interactions", "i3", 1, { status: "timed_out" }));
    const second = await store.openInteractions({ limit: 2, cursor: first.next });
    expect(second.rows.map((row) => row.id)).toEqual(["i4", "i5"]);
  });

  test("can be those of one session", async () => {
    const { store } = subject();
    await addPrompts(store);
    expect(await readAll(store, { limit: 2, sessionId: "s1" })).toEqual([["i3", "i4"], ["i5"]]);
    expect(await readAll(store, { limit: 2, sessionId: "s2" })).toEqual([["i6", "i2"]]);
    expect(await readAll(store, { limit: 2, sessionId: "nowhere" })).toEqual([[]]);
  });

  test("a machine sees those of its own sessions and of the one it belongs to", async () => {
    const { store } = subject();
    await addPrompts(store);
    const seen = (sessionId: string | null, query: Partial<Query> = {}) =>
      readAll(store, { limit: 3, readableBy: { ownerId: "m1", sessionId }, ...query });
    expect(await seen(null)).toEqual([["i3", "i4", "i5"]]);
    expect(await seen("s1")).toEqual([["i3", "i4", "i5"]]);
    expect(await seen("s2")).toEqual([
      ["i6", "i2", "i3"],
      ["i4", "i5"],
    ]);
    expect(await seen(null, { sessionId: "s2" })).toEqual([[]]);
    expect(await seen("s2", { sessionId: "s2" })).toEqual([["i6", "i2"]]);
  });

  test("those of a deleted session are left out", async () => {
    const { store } = subject();
    await addPrompts(store);
    await write(store, update("sessions", "s1", 1, { deletedAt: 1 }));
    expect(await readAll(store, { limit: 9 })).toEqual([["i6", "i2"]]);
    expect(await readAll(store, { limit: 9, sessionId: "s1" })).toEqual([[]]);
  });

  test("are found by the beginning of their ids in any state, page by page", async () => {
    const { store } = subject();
    await addPrompts(store);
    await write(store, insert("interactions", interaction("j1")));
    const ids = async (query: Parameters<Store["interactionsBeginning"]>[0]) => {
      const { rows, next } = await store.interactionsBeginning(query);
      return { ids: rows.map((row) => row.id), next };
    };
    const all = ["i2", "i3", "i4", "i5", "i6", "i7"];
    expect(await ids({ begins: "i", limit: 9 })).toEqual({ ids: all, next: undefined });
    expect(await ids({ begins: "i7", limit: 9 })).toMatchObject({ ids: ["i7"] });
    expect(await ids({ begins: "i_", limit: 9 })).toMatchObject({ ids: [] });
    const first = await ids({ begins: "i", limit: 4 });
    expect(first.ids).toEqual(all.slice(0, 4));
    expect(await ids({ begins: "i", limit: 4, cursor: first.next })).toEqual({
      ids: all.slice(4),
      next: undefined,
    });
    const readableBy = { ownerId: "m1", sessionId: null };
    expect((await ids({ begins: "i", limit: 9, readableBy })).ids).toEqual([
      "i3",
      "i4",
      "i5",
      "i7",
    ]);
    await write(store, update("sessions", "s1", 1, { deletedAt: 1 }));
    expect((await ids({ begins: "i", limit: 9 })).ids).toEqual(["i2", "i6"]);
  });
}
