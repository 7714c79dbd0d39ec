import { expect, test } from "vitest";
import type { InteractionRow } from "../../core/ports.ts";
import { interaction, response } from "./interaction-rows.ts";
import { call, session } from "./rows.ts";
import { addSession, type Subject } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

export function interactionTests(subject: Subject): void {
  test("one comes back whole, with its answer and outcome", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const row = interaction("i1", {
      hasTimeoutHook: true,
      expiresAt: 99,
      status: "answered",
      response: {
        toolCallId: "c1",
        interactionId: "i1",
        answerId: "a1",
        action: "approve",
        responder: { id: "p1" },
      },
      outcome: { kind: "complete", value: { done: true } },
    });
    await write(store, insert("interactions", row));
    expect(await store.interaction("i1")).toEqual(row);
    expect(await store.interaction("nowhere")).toBeNull();
  });

  test("those of one call come oldest first, in any state", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2");
    await write(
      store,
      insert("interactions", interaction("i9", { createdAt: 5, status: "answered" })),
      insert("interactions", interaction("i1", { createdAt: 6 })),
      insert("interactions", interaction("i0", { createdAt: 6 })),
      insert("interactions", interaction("i2", { callId: "c2" })),
      insert("interactions", interaction("i3", { sessionId: "s2" })),
    );
    const rows = await store.interactionsOfCall("s1", "c1");
    expect(rows.map((row) => row.id)).toEqual(["i9", "i1", "i0"]);
  });

  test("an orphan is found among hundreds that asked something else", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("tool_calls", call("c1")));
    const link = "orphaned";
    const others = Array.from({ length: 150 }, (_, index) =>
      insert("interactions", interaction(`other-${index}`, { link, toolName: "ask" })),
    );
    await write(store, ...others);
    await write(store, insert("interactions", interaction("i1", { link, toolName: "deploy" })));
    const rows = await store.orphans({
      sessionId: "s1",
      tool: "deploy",
      inputDigest: "digest",
      requestDigest: "digest",
    });
    expect(rows).toMatchObject([{ id: "i1" }]);
  });

  test("orphans are found by what they asked, until they are adopted or heard", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2");
    const orphan = (id: string, set: Partial<InteractionRow> = {}) =>
      insert("interactions", interaction(id, { link: "orphaned", ...set }));
    await write(
      store,
      insert("tool_calls", call("c1", { tool: "deploy", inputDigest: "in" })),
      insert("tool_calls", call("c2", { tool: "deploy", inputDigest: "other" })),
      insert("tool_calls", call("c1", { sessionId: "s2", tool: "deploy", inputDigest: "in" })),
      orphan("answered", { status: "answered", createdAt: 2 }),
      orphan("open", { createdAt: 1 }),
      orphan("live", { link: "live" }),
      orphan("queued", {
        link: "queued",
        type: "approval",
        createdAt: 3,
        outcome: { kind: "pending", result: null },
      }),
      orphan("queued input", { link: "queued", type: "input" }),
      orphan("closed", { status: "cancelled" }),
      orphan("heard", { status: "answered", outcome: { kind: "reprompt" } }),
      orphan("adopted", { status: "answered", adoptedByCall: "c9" }),
      orphan("other question", { requestDigest: "x" }),
      orphan("other input", { callId: "c2" }),
      orphan("other tool", { toolName: "x" }),
      orphan("other session", { sessionId: "s2" }),
    );
    const rows = await store.orphans({
      sessionId: "s1",
      tool: "deploy",
      inputDigest: "in",
      requestDigest: "digest",
    });
    expect(rows.map((row) => row.id)).toEqual(["open", "answered", "queued"]);
  });

  test("what is overdue comes by deadline, and only while it is open", async () => {
    const { store, clock } = subject();
    await addSession(store, "s1");
    const now = clock.now();
    await write(
      store,
      insert("interactions", interaction("now", { expiresAt: now })),
      insert("interactions", interaction("long ago", { expiresAt: now - 9_000 })),
      insert("interactions", interaction("soon", { expiresAt: now + 1 })),
      insert("interactions", interaction("never", { expiresAt: null })),
      insert("interactions", interaction("expiring", { expiresAt: 1, status: "expiring" })),
      insert("interactions", interaction("answered", { expiresAt: 1, status: "answered" })),
    );
    const due = async (limit: number) => (await store.due(limit)).map((row) => row.id);
    expect(await due(9)).toEqual(["long ago", "now"]);
    expect(await due(1)).toEqual(["long ago"]);
    clock.jump(1);
    expect(await due(9)).toEqual(["long ago", "now", "soon"]);
  });

  test("the next deadline is the earliest of the open ones, passed or not", async () => {
    const { store, clock } = subject();
    await addSession(store, "s1");
    expect(await store.nextDeadline()).toBeNull();
    const later = clock.now() + 400 * 24 * 60 * 60 * 1_000;
    await write(
      store,
      insert("interactions", interaction("i1", { expiresAt: later })),
      insert("interactions", interaction("i2", { expiresAt: null })),
      insert("interactions", interaction("i3", { expiresAt: 1, status: "expiring" })),
    );
    expect(await store.nextDeadline()).toBe(later - clock.now());
    await write(store, insert("interactions", interaction("i4", { expiresAt: 7 })));
    expect(await store.nextDeadline()).toBe(0);
    await write(store, update("interactions", "i4", 1, { status: "timed_out" }));
    expect(await store.nextDeadline()).toBe(later - clock.now());
  });

  test("a response is known by its interaction and the client's id", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const first = response("a1", { input: { name: "Ada" }, stop: true, late: true });
    const second = response("a1", { interactionId: "i2", scope: "session" });
    await write(
      store,
      insert("interactions", interaction("i1")),
      insert("interactions", interaction("i2")),
      insert("responses", first),
      insert("responses", second),
    );
    expect(await store.response("i1", "a1")).toEqual(first);
    expect(await store.response("i2", "a1")).toEqual(second);
    expect(await store.response("i1", "a2")).toBeNull();
  });

  test("are counted while they are open or expiring, in all and in each session", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s1:x");
    const counts = async () => [
      await store.openCount(),
      await store.openCount("s1"),
      await store.openCount("s1:x"),
    ];
    expect(await counts()).toEqual([0, 0, 0]);
    await write(
      store,
      insert("interactions", interaction("i1")),
      insert("interactions", interaction("i2", { status: "expiring" })),
      insert("interactions", interaction("i3", { sessionId: "s1:x" })),
      insert("interactions", interaction("i4", { status: "answered" })),
    );
    expect(await counts()).toEqual([3, 2, 1]);
    await write(store, update("interactions", "i1", 1, { status: "expiring" }));
    await write(store, update("interactions", "i1", 2, { expiresAt: 5 }));
    expect(await counts()).toEqual([3, 2, 1]);
    await write(store, update("interactions", "i1", 3, { status: "open" }));
    await write(store, update("interactions", "i2", 1, { status: "timed_out" }));
    await write(store, update("interactions", "i3", 1, { status: "cancelled" }));
    expect(await counts()).toEqual([1, 1, 0]);
    await write(store, update("interactions", "i3", 2, { status: "open" }));
    expect(await counts()).toEqual([2, 1, 1]);
  });

  test("count to the machine that their session counts to", async () => {
    const { store } = subject();
    await write(
      store,
      insert("sessions", session("s1", { budgetId: "m1", createdAt: 5 })),
      insert("sessions", session("s2", { budgetId: "m1", createdAt: 6 })),
      insert("sessions", session("s3", { budgetId: "m2", createdAt: 6 })),
      insert("sessions", session("s4")),
    );
    const counts = async () => [
      await store.budgetOpenCount(),
      await store.budgetOpenCount("m1"),
      await store.budgetOpenCount("m2"),
      await store.budgetOpenCount("p1"),
    ];
    expect(await counts()).toEqual([0, 0, 0, 0]);
    await write(
      store,
      insert("interactions", interaction("i1")),
      insert("interactions", interaction("i2", { sessionId: "s2", status: "expiring" })),
      insert("interactions", interaction("i3", { sessionId: "s3" })),
      insert("interactions", interaction("i4", { sessionId: "s4" })),
    );
    expect(await counts()).toEqual([3, 2, 1, 0]);
    await write(store, update("interactions", "i1", 1, { status: "answered" }));
    await write(store, update("interactions", "i3", 1, { status: "cancelled" }));
    expect(await counts()).toEqual([1, 1, 0, 0]);
    await write(store, update("interactions", "i3", 2, { status: "open" }));
    expect(await counts()).toEqual([2, 1, 1, 0]);
    expect(await store.budgetSessionCount("m1", 5)).toBe(2);
    expect(await store.budgetSessionCount("m1", 6)).toBe(1);
    expect(await store.budgetSessionCount("p1", 0)).toBe(0);
    await write(store, update("sessions", "s2", 1, { deletedAt: 7 }));
    expect(await store.budgetSessionCount("m1", 5)).toBe(1);
  });

  test("a refused commit does not count", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const writes = [
      insert("interactions", interaction("i1")),
      update("sessions", "s1", 9, { title: "no" }),
    ];
    expect(await store.commit({ writes, events: [] })).toMatchObject({ ok: false });
    const repeated = [insert("interactions", interaction("i1"))];
    const failing = store.commit({
      writes: [...repeated, ...repeated],
      events: [],
    });
    await expect(failing).rejects.toThrow(/./);
    expect(await store.openCount()).toBe(0);
    expect(await store.openCount("s1")).toBe(0);
  });
}
