import { expect, test } from "vitest";
import type { Absence, Limit, Write } from "../../core/ports.ts";
import { interaction } from "./interaction-rows.ts";
import { call, run } from "./rows.ts";
import { addSession, type Subject, textEvent } from "./subject.ts";
import { commit, insert, update, write } from "./writes.ts";

const prompt = (id: string, sessionId = "s1") =>
  insert("interactions", interaction(id, { sessionId }));

export function limitTests(subject: Subject): void {
  const give = (writes: Write[], ...limits: Limit[]) =>
    subject().store.commit({ sessionId: "s1", writes, events: [], limits });

  test("of twenty that open a prompt at once only so many are stored as there may be", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const limit: Limit = { of: "openPrompts", sessionId: "s1", most: 5 };
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => give([prompt(`i${index}`)], limit)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(5);
    expect(results.filter((result) => !result.ok)).toEqual(
      Array.from({ length: 15 }, () => ({ ok: false, reason: "full", limit })),
    );
    expect(await store.openCount("s1")).toBe(5);
  });

  test("a commit that is refused leaves nothing behind", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const result = await store.commit({
      sessionId: "s1",
      writes: [prompt("i1"), update("sessions", "s1", 1, { title: "new" })],
      events: [textEvent("e1")],
      limits: [{ of: "openPrompts", sessionId: "s1", most: 0 }],
    });
    expect(result).toMatchObject({ ok: false, reason: "full" });
    expect(await store.session("s1")).toMatchObject({ title: "", lastSeq: 0, version: 1 });
    expect(await store.interaction("i1")).toBeNull();
  });

  test("what closes as many as it opens is never refused, however many there are", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await commit(store, { sessionId: "s1", writes: [prompt("i1"), prompt("i2")] });
    const limit: Limit = { of: "openPrompts", sessionId: "s1", most: 1 };
    const close = update("interactions", "i1", 1, { status: "superseded" });
    expect(await give([close, prompt("i3")], limit)).toMatchObject({ ok: true });
    expect(await give([prompt("i4")], limit)).toMatchObject({ ok: false });
    expect(await give([], limit)).toMatchObject({ ok: true });
  });

  test("prompts are counted in one session, in all, and in those of a budget", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2", { budgetId: "m1" });
    await addSession(store, "s3", { budgetId: "m2" });
    await commit(store, {
      sessionId: "s1",
      writes: [prompt("i1"), prompt("i2", "s2"), prompt("i3", "s3")],
    });
    const opens = async (id: string, sessionId: string, limit: Limit) =>
      (await give([prompt(id, sessionId)], limit)).ok;
    expect(await opens("a1", "s2", { of: "openPrompts", sessionId: "s2", most: 1 })).toBe(false);
    expect(await opens("a1", "s2", { of: "openPrompts", most: 3 })).toBe(false);
    expect(await opens("a1", "s2", { of: "openPrompts", budgetId: "m1", most: 1 })).toBe(false);
    expect(await opens("a1", "s2", { of: "openPrompts", budgetId: null, most: 2 })).toBe(false);
    expect(await opens("a1", "s1", { of: "openPrompts", budgetId: null, most: 2 })).toBe(true);
    expect(await opens("a2", "s2", { of: "openPrompts", budgetId: "m1", most: 2 })).toBe(true);
    expect(await opens("a3", "s2", { of: "openPrompts", most: 6 })).toBe(true);
  });

  test("queued turns of a session are counted, and nothing else that is queued", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const limit: Limit = { of: "queuedTurns", sessionId: "s1", most: 1 };
    const queued = (id: string, kind: "turn" | "call" = "turn") =>
      insert("runs", run(id, { status: "queued", kind }));
    expect(await give([queued("r1")], limit)).toMatchObject({ ok: true });
    expect(await give([queued("r2")], limit)).toMatchObject({ ok: false, reason: "full" });
    expect(await give([queued("r3", "call")], limit)).toMatchObject({ ok: true });
    const started = update("runs", "r1", 1, { status: "live" });
    expect(await give([started, queued("r4")], limit)).toMatchObject({ ok: true });
  });

  test("a commit that takes a queue to be empty is refused when a turn waits in it", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await addSession(store, "s2");
    const absence: Absence = { of: "queuedTurns", sessionId: "s1" };
    const take = (id: string) =>
      store.commit({
        sessionId: "s1",
        writes: [insert("runs", run(id))],
        events: [textEvent(id)],
        absent: [absence],
      });
    const queued = { status: "queued", kind: "turn" } as const;
    await write(store, insert("runs", run("other", { ...queued, sessionId: "s2" })));
    await write(store, insert("runs", run("call", { ...queued, kind: "call" })));
    expect(await take("r1")).toMatchObject({ ok: true });
    await write(store, insert("runs", run("waits", queued)));
    expect(await take("r2")).toEqual({ ok: false, reason: "present", absence });
    expect(await store.run("r2")).toBeNull();
    expect(await store.session("s1")).toMatchObject({ lastSeq: 1 });
    // What it queues itself was not there before it.
    await write(store, update("runs", "waits", 1, { status: "live" }));
    const own = [insert("runs", run("own", queued))];
    expect(await store.commit({ writes: own, events: [], absent: [absence] })).toMatchObject({
      ok: true,
    });
  });

  test("a commit that takes a question for new is refused when an orphan asked the same", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("tool_calls", call("c1", { inputDigest: "in" })));
    const absence: Absence = {
      of: "orphans",
      sessionId: "s1",
      tool: "deploy",
      inputDigest: "in",
      requestDigest: "question",
    };
    const asked = { toolName: "deploy", callId: "c1", requestDigest: "question" };
    const ask = (absent: Absence) =>
      store.commit({ sessionId: "s1", writes: [prompt("new")], events: [], absent: [absent] });
    await write(store, insert("interactions", interaction("i1", asked)));
    await write(store, update("interactions", "i1", 1, { link: "orphaned" }));
    expect(await ask(absence)).toEqual({ ok: false, reason: "present", absence });
    expect(await store.interaction("new")).toBeNull();
    expect(await ask({ ...absence, requestDigest: "another" })).toMatchObject({ ok: true });
    await write(store, update("interactions", "i1", 2, { adoptedByCall: "c2" }));
    expect(
      await store.commit({
        sessionId: "s1",
        writes: [prompt("i3")],
        events: [],
        absent: [absence],
      }),
    ).toMatchObject({ ok: true });
  });
}
