import { expect, test, type TestContext } from "vitest";
import type { NewEvent } from "../../core/ports.ts";
import { addSession, type OpenedStore, type Subject, textEvent } from "./subject.ts";
import { principal, token } from "./rows.ts";
import { commit, insert, write } from "./writes.ts";

type Verifiable = Required<Pick<OpenedStore, "verify" | "reopen">>;

const decision: NewEvent = {
  id: "e1",
  type: "interaction_closed",
  at: 1_000,
  actorId: "p1",
  audit: { principalId: "p1", tokenId: "t1", via: "http", shownDigest: "digest" },
  payload: { toolCallId: "c1", interactionId: "i1", reason: "cancelled" },
};

export function chainTests(subject: Subject): void {
  /** Skips where the chains cannot be looked at from outside. */
  function verifiable({ skip }: TestContext): OpenedStore & Verifiable {
    const opened = subject();
    skip(!opened.verify || !opened.reopen, "nobody else can read it");
    return opened as OpenedStore & Verifiable;
  }

  test("what is kept for the audit is given to nobody", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await commit(store, { sessionId: "s1", events: [decision] });
    expect(await store.events({ sessionId: "s1", limit: 9 })).toEqual([
      {
        id: "e1",
        seq: 1,
        sessionId: "s1",
        timestamp: "1970-01-01T00:00:01.000Z",
        type: "interaction_closed",
        payload: decision.payload,
      },
    ]);
  });

  test("goes on where it ended when the store is opened again", async (context) => {
    const opened = verifiable(context);
    await addSession(opened.store, "s1");
    const texts = ["plain", 'Naïve "quotes" and 🙂', "half a pair \ud800", "NUL \0", ""];
    const events = texts.map((text, index) => textEvent(`a${index}`, text));
    await commit(opened.store, { sessionId: "s1", events: [...events, decision] });
    opened.store = await opened.reopen();
    await commit(opened.store, { sessionId: "s1", events: [textEvent("b")] });
    expect(await opened.verify()).toEqual({ events: 7, problems: [] });
  });

  test("is whole after commits that were refused, and that failed", async (context) => {
    const opened = verifiable(context);
    const { store } = opened;
    await addSession(store, "s1");
    await write(store, insert("principals", principal("p1")), insert("tokens", token("t1")));
    const refused = { table: "sessions", id: "s1", ifVersion: 9, set: {} } as const;
    const failing = insert("tokens", token("t2", { hash: "hash-of-t1" }));
    const results = await Promise.allSettled([
      store.commit({ sessionId: "s1", writes: [], events: [textEvent("a")] }),
      store.commit({ sessionId: "s1", writes: [refused], events: [textEvent("never")] }),
      store.commit({ sessionId: "s1", writes: [], events: [textEvent("b"), textEvent("c")] }),
      store.commit({ sessionId: "s1", writes: [failing], events: [textEvent("never either")] }),
      store.commit({ sessionId: "s1", writes: [], events: [textEvent("d")] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await opened.verify()).toEqual({ events: 4, problems: [] });
  });

  test("is one for each session, whoever writes between", async (context) => {
    const opened = verifiable(context);
    const { store } = opened;
    await Promise.all(["a", "a:b", "b"].map((id) => addSession(store, id)));
    await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        commit(store, {
          sessionId: ["a", "a:b", "b"][index % 3],
          events: [textEvent(`x${index}`), textEvent(`y${index}`)],
        }),
      ),
    );
    expect(await opened.verify()).toEqual({ events: 300, problems: [] });
  });
}
