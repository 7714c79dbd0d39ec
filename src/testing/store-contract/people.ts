import { expect, test } from "vitest";
import { principal, token } from "./rows.ts";
import { type Subject } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

export function peopleTests(subject: Subject): void {
  test("a credential is found by its hash or its id, good or not", async () => {
    const { store } = subject();
    const holder = principal("p1");
    const held = token("t1", {
      kind: "signin",
      singleUse: true,
      sessionId: "s1",
      expiresAt: 1,
      usedAt: 2,
      revokedAt: 3,
    });
    await write(store, insert("principals", holder), insert("tokens", held));
    const credential = { token: held, principal: holder };
    expect(await store.credential("hash-of-t1")).toEqual(credential);
    expect(await store.credentialById("t1")).toEqual(credential);
    expect(await store.credential("t1")).toBeNull();
    expect(await store.credentialById("nowhere")).toBeNull();
  });

  test("all tokens and all people can be listed", async () => {
    const { store } = subject();
    const people = [principal("p1"), principal("p2", { kind: "machine", createdAt: 2 })];
    const tokens = [
      token("t1", { createdAt: 3 }),
      token("t2", { createdAt: 4, principalId: "p2", revokedAt: 5 }),
    ];
    await write(
      store,
      ...people.map((row) => insert("principals", row)),
      ...tokens.map((row) => insert("tokens", row)),
    );
    expect(await store.people()).toEqual(people.slice(0, 1));
    expect(await store.principal("p2")).toEqual(people[1]);
    expect(await store.principal("nobody")).toBeNull();
    expect(await store.tokens()).toEqual([
      { token: tokens[0], principal: people[0] },
      { token: tokens[1], principal: people[1] },
    ]);
  });

  test("a single use is won once", async () => {
    const { store } = subject();
    await write(store, insert("principals", principal("p1")), insert("tokens", token("t1")));
    const results = await Promise.all(
      [1, 2, 3].map((usedAt) =>
        store.commit({ writes: [update("tokens", "t1", 1, { usedAt })], events: [] }),
      ),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
  });
}
