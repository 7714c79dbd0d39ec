import { expect, test } from "vitest";
import { session } from "./rows.ts";
import { addSession, type Subject, textEvent } from "./subject.ts";
import { commit, insert } from "./writes.ts";

const texts = (count: number, text?: string) =>
  Array.from({ length: count }, (_, index) => textEvent(`e${index + 1}`, text));

export function logTests(subject: Subject): void {
  test("numbers events from 1 and gives them as they went in", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const at = Date.UTC(2026, 4, 17, 10, 20, 30, 456);
    const lastSeq = await commit(store, {
      sessionId: "s1",
      events: [
        { id: "e1", type: "turn_start", at, turnId: "r1", payload: { trigger: "user" } },
        {
          id: "e2",
          type: "tool_call",
          at,
          turnId: "r1",
          responseId: "m1",
          callId: "c1",
          interactionId: "i1",
          actorId: "p1",
          payload: { toolCallId: "c1", toolName: "deploy", input: null, origin: "agent" },
        },
      ],
    });
    expect(lastSeq).toBe(2);
    const timestamp = "2026-05-17T10:20:30.456Z";
    const envelope = { sessionId: "s1", timestamp, turnId: "r1" };
    expect(await store.events({ sessionId: "s1", limit: 10 })).toEqual([
      { id: "e1", seq: 1, ...envelope, type: "turn_start", payload: { trigger: "user" } },
      {
        id: "e2",
        seq: 2,
        ...envelope,
        responseId: "m1",
        type: "tool_call",
        payload: { toolCallId: "c1", toolName: "deploy", input: null, origin: "agent" },
      },
    ]);
  });

  test("counts in the session row without touching its version", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await commit(store, { sessionId: "s1", events: texts(3) });
    expect(await store.session("s1")).toEqual(session("s1", { lastSeq: 3 }));
  });

  test("a commit without events tells where the log stands", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await commit(store, { sessionId: "s1", events: texts(3) });
    expect(await commit(store, { sessionId: "s1" })).toBe(3);
    expect(await commit(store, {})).toBe(0);
  });

  test("one commit can make a session and begin its log", async () => {
    const { store } = subject();
    const writes = [insert("sessions", session("s1"))];
    expect(await commit(store, { sessionId: "s1", writes, events: texts(2) })).toBe(2);
  });

  test("each session has its own, even where ids share a beginning", async () => {
    const { store } = subject();
    await addSession(store, "a");
    await addSession(store, "a:b");
    await commit(store, { sessionId: "a", events: [textEvent("e1")] });
    await commit(store, { sessionId: "a:b", events: [textEvent("e2"), textEvent("e3")] });
    const ids = async (sessionId: string) =>
      (await store.events({ sessionId, limit: 10 })).map(({ id, seq }) => [id, seq]);
    expect(await ids("a")).toEqual([["e1", 1]]);
    expect(await ids("a:b")).toEqual([
      ["e2", 1],
      ["e3", 2],
    ]);
  });

  test("events of an unknown session, or of none, are an error", async () => {
    const { store } = subject();
    const commit = { writes: [], events: texts(1) };
    await expect(store.commit({ sessionId: "nowhere", ...commit })).rejects.toThrow(/nowhere/);
    await expect(store.commit(commit)).rejects.toThrow(/session/);
  });

  test("is read after a seq, before one, or between two", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await commit(store, { sessionId: "s1", events: texts(10) });
    const seqs = async (query: { after?: number; before?: number; limit: number }) =>
      (await store.events({ sessionId: "s1", ...query })).map((event) => event.seq);
    expect(await seqs({ limit: 3 })).toEqual([1, 2, 3]);
    expect(await seqs({ after: 4, limit: 3 })).toEqual([5, 6, 7]);
    expect(await seqs({ after: 9, limit: 3 })).toEqual([10]);
    expect(await seqs({ after: 10, limit: 3 })).toEqual([]);
    expect(await seqs({ after: 99, limit: 3 })).toEqual([]);
    expect(await seqs({ before: 8, limit: 3 })).toEqual([5, 6, 7]);
    expect(await seqs({ before: 3, limit: 9 })).toEqual([1, 2]);
    expect(await seqs({ before: 99, limit: 2 })).toEqual([9, 10]);
    expect(await seqs({ after: 2, before: 6, limit: 9 })).toEqual([3, 4, 5]);
  });

  test("stops at a number of bytes, but never before the first event", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await commit(store, { sessionId: "s1", events: texts(10, "é".repeat(5_000)) });
    const seqs = async (query: { after?: number; before?: number; maxBytes: number }) =>
      (await store.events({ sessionId: "s1", limit: 10, ...query })).map((event) => event.seq);
    expect(await seqs({ maxBytes: 35_000 })).toEqual([1, 2, 3]);
    expect(await seqs({ after: 5, maxBytes: 1 })).toEqual([6]);
    expect(await seqs({ before: 9, maxBytes: 25_000 })).toEqual([7, 8]);
    expect(await seqs({ before: 9, maxBytes: 0 })).toEqual([8]);
  });

  test("is given as text that says the same", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await commit(store, { sessionId: "s1", events: texts(10, 'a "quoted" é \u2028 \ud83d text') });
    for (const query of [{}, { after: 3 }, { before: 8, maxBytes: 700 }]) {
      const found = await store.eventTexts({ sessionId: "s1", limit: 4, ...query });
      const events = await store.events({ sessionId: "s1", limit: 4, ...query });
      expect(events.length).toBeGreaterThan(0);
      expect(found.map(({ json }) => JSON.parse(json))).toEqual(events);
      expect(found.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
    }
  });

  test("of an unknown session is empty", async () => {
    const { store } = subject();
    expect(await store.events({ sessionId: "nowhere", limit: 10 })).toEqual([]);
  });
}
