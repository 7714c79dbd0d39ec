import { expect, test } from "vitest";
import type { Store } from "../../core/ports.ts";
import { grant } from "./interaction-rows.ts";
import { type Subject } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

export function grantTests(subject: Subject): void {
  const usable = async (query: Partial<Parameters<Store["grants"]>[0]> = {}) =>
    (await subject().store.grants({ tool: "deploy", ...query })).map((row) => row.id).sort();

  test("one comes back whole, usable or not", async () => {
    const { store } = subject();
    const row = grant("g1", { revokedAt: 5, revokedBy: "p1", maxUses: 3, interactionId: "i1" });
    await write(store, insert("grants", row));
    expect(await store.grant("g1")).toEqual(row);
    expect(await store.grant("nowhere")).toBeNull();
  });

  test("are usable until they are revoked, expired or used up", async () => {
    const { store, clock } = subject();
    const now = clock.now();
    await write(
      store,
      insert("grants", grant("plain")),
      insert("grants", grant("revoked", { revokedAt: 1 })),
      insert("grants", grant("expiring", { expiresAt: now + 1 })),
      insert("grants", grant("expired", { expiresAt: now })),
      insert("grants", grant("once", { maxUses: 1 })),
      insert("grants", grant("used up", { maxUses: 2, uses: 2 })),
    );
    expect(await usable()).toEqual(["expiring", "once", "plain"]);
    await write(store, update("grants", "once", 1, { uses: 1 }));
    await write(store, update("grants", "plain", 1, { revokedAt: now }));
    expect(await usable()).toEqual(["expiring"]);
    clock.jump(1);
    expect(await usable()).toEqual([]);
  });

  test("are found by tool, by key and by session", async () => {
    const { store } = subject();
    await write(
      store,
      insert("grants", grant("any", { key: "git push" })),
      insert("grants", grant("in s1", { key: "git push", scope: "session", sessionId: "s1" })),
      insert("grants", grant("in s2", { key: "git push", scope: "session", sessionId: "s2" })),
      insert("grants", grant("other key", { key: "git pull" })),
      insert("grants", grant("other tool", { tool: "bash", key: "git push" })),
    );
    expect(await usable()).toHaveLength(4);
    expect(await usable({ tool: "bash" })).toEqual(["other tool"]);
    expect(await usable({ tool: "deploy", key: "git push" })).toEqual(["any", "in s1", "in s2"]);
    const query = { tool: "deploy", key: "git push", sessionId: "s1" };
    expect(await usable(query)).toEqual(["any", "in s1"]);
    expect(await usable({ sessionId: "s2" })).toEqual(["any", "in s2", "other key"]);
  });

  test("are listed oldest first, page by page, those that are usable", async () => {
    const { store, clock } = subject();
    await write(
      store,
      insert("grants", grant("g3", { createdAt: 30, key: "é".repeat(500) })),
      insert("grants", grant("g1", { createdAt: 10, tool: "bash" })),
      insert("grants", grant("g2", { createdAt: 10, sessionId: "s1" })),
      insert("grants", grant("revoked", { createdAt: 5, revokedAt: 6 })),
      insert("grants", grant("expired", { createdAt: 5, expiresAt: clock.now() })),
    );
    const readAll = async (query: { limit: number; maxBytes?: number }) => {
      const pages: string[][] = [];
      for (let cursor: string | undefined; ;) {
        const page = await store.grantPage({ ...query, cursor });
        pages.push(page.rows.map(({ id }) => id));
        if (page.next === undefined) return pages;
        cursor = page.next;
      }
    };
    expect(await readAll({ limit: 9 })).toEqual([["g1", "g2", "g3"]]);
    expect(await readAll({ limit: 2 })).toEqual([["g1", "g2"], ["g3"]]);
    expect(await readAll({ limit: 9, maxBytes: 1_000 })).toEqual([["g1", "g2"], ["g3"]]);
    expect(await readAll({ limit: 9, maxBytes: 1 })).toEqual([["g1"], ["g2"], ["g3"]]);
  });
}
