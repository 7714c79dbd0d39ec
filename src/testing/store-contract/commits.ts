import { expect, test } from "vitest";
import type { Commit } from "../../core/ports.ts";
import { grant } from "./interaction-rows.ts";
import { principal, session, token } from "./rows.ts";
import { addSession, type Subject, textEvent } from "./subject.ts";
import { commit, insert, update, write } from "./writes.ts";

export function commitTests(subject: Subject): void {
  test("inserts a row at version 1 and gives it back whole", async () => {
    const { store } = subject();
    const row = session("s1", {
      title: 'Naïve "quotes" and 🙂',
      settings: { permissionMode: "plan", model: "large" },
      runtimeState: { list: [1, null, { deep: true }], text: "\ud800\0" },
    });
    await write(store, insert("sessions", row));
    expect(await store.session("s1")).toEqual(row);
  });

  test("changes the named columns only, and the version grows by one", async () => {
    const { store } = subject();
    await addSession(store, "s1", { cwd: "/home", title: "before" });
    await write(store, update("sessions", "s1", 1, { title: "after" }));
    const row = session("s1", { cwd: "/home", title: "after", version: 2 });
    expect(await store.session("s1")).toEqual(row);
  });

  test("sets a column to null, and leaves one that is undefined as it is", async () => {
    const { store } = subject();
    await addSession(store, "s1", { cwd: "/home", runtimeState: { a: 1 }, activeRunId: "r1" });
    await write(store, update("sessions", "s1", 1, { cwd: null, runtimeState: null }));
    await write(store, update("sessions", "s1", 2, { activeRunId: undefined }));
    expect(await store.session("s1")).toEqual(session("s1", { activeRunId: "r1", version: 3 }));
  });

  test("gives columns that an insert does not name their null or default", async () => {
    const { store } = subject();
    const { cwd: _cwd, lastSeq: _lastSeq, ...rest } = session("s1");
    await write(store, { table: "sessions", id: "s1", ifVersion: 0, set: rest });
    expect(await store.session("s1")).toEqual(session("s1"));
  });

  test("does not take the version, the log's count or the id from the written columns", async () => {
    const { store } = subject();
    await addSession(store, "s1", { version: 7, lastSeq: 9 });
    await commit(store, { sessionId: "s1", events: [textEvent("e1")] });
    await write(store, update("sessions", "s1", 1, { id: "s2", lastSeq: 0, version: 9 }));
    expect(await store.session("s1")).toMatchObject({ id: "s1", lastSeq: 1, version: 2 });
    expect(await store.session("s2")).toBeNull();
  });

  test("to insert what exists is a conflict that shows the row", async () => {
    const { store } = subject();
    await addSession(store, "s1", { title: "first" });
    const writes = [insert("sessions", session("s1", { title: "second" }))];
    expect(await store.commit({ writes, events: [] })).toEqual({
      ok: false,
      reason: "conflict",
      table: "sessions",
      id: "s1",
      current: session("s1", { title: "first" }),
    });
  });

  test("to change an old version is a conflict that shows the row", async () => {
    const { store } = subject();
    await write(store, insert("grants", grant("g1")));
    await write(store, update("grants", "g1", 1, { uses: 1 }));
    const writes = [update("grants", "g1", 1, { uses: 5 })];
    expect(await store.commit({ writes, events: [] })).toEqual({
      ok: false,
      reason: "conflict",
      table: "grants",
      id: "g1",
      current: grant("g1", { uses: 1, version: 2 }),
    });
  });

  test("to change what does not exist is a conflict with null", async () => {
    const { store } = subject();
    const writes = [update("tool_calls", ["s1", "c1"], 3, { ok: true })];
    expect(await store.commit({ writes, events: [] })).toEqual({
      ok: false,
      reason: "conflict",
      table: "tool_calls",
      id: ["s1", "c1"],
      current: null,
    });
  });

  test("a conflict in its last write leaves nothing of it", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const result = await store.commit({
      sessionId: "s1",
      writes: [
        insert("grants", grant("g1")),
        update("sessions", "s1", 1, { title: "changed" }),
        update("sessions", "missing", 1, { title: "changed" }),
      ],
      events: [textEvent("e1")],
    });
    expect(result).toMatchObject({ ok: false, reason: "conflict", id: "missing" });
    expect(await store.session("s1")).toEqual(session("s1"));
    expect(await store.grant("g1")).toBeNull();
    expect(await store.events({ sessionId: "s1", limit: 10 })).toEqual([]);
  });

  test("a conflict comes before whatever else is wrong with it", async () => {
    const { store } = subject();
    await write(store, insert("principals", principal("p1")), insert("tokens", token("t1")));
    const again = [insert("tokens", token("t1"))];
    expect(await store.commit({ writes: again, events: [] })).toMatchObject({
      reason: "conflict",
      id: "t1",
    });
    const writes = [
      insert("tokens", token("t2", { hash: "hash-of-t1" })),
      insert("tokens", token("t3", { principalId: "missing" })),
      update("principals", "p1", 7, { name: "changed" }),
    ];
    expect(await store.commit({ writes, events: [] })).toEqual({
      ok: false,
      reason: "conflict",
      table: "principals",
      id: "p1",
      current: principal("p1"),
    });
  });

  test("a failure in its last write leaves nothing of it, and is not a refusal", async () => {
    const { store } = subject();
    await write(store, insert("principals", principal("p1")), insert("tokens", token("t1")));
    const writes = [
      insert("sessions", session("s1")),
      insert("tokens", token("t2", { hash: "hash-of-t1" })),
    ];
    await expect(store.commit({ writes, events: [] })).rejects.toThrow(/./);
    expect(await store.session("s1")).toBeNull();
    expect(await store.credentialById("t2")).toBeNull();
  });

  test("one that fails does not disturb those given beside it", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("principals", principal("p1")), insert("tokens", token("t1")));
    const results = await Promise.allSettled([
      commit(store, { sessionId: "s1", events: [textEvent("e1")] }),
      commit(store, {
        sessionId: "s1",
        writes: [
          insert("sessions", session("s2")),
          insert("tokens", token("t2", { hash: "hash-of-t1" })),
        ],
        events: [textEvent("e2")],
      }),
      commit(store, { sessionId: "s1", events: [textEvent("e3")] }),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await store.session("s1")).toMatchObject({ lastSeq: 2 });
    expect(await store.session("s2")).toBeNull();
  });

  test("stores what was given, not what the caller made of it afterwards", async () => {
    const { store } = subject();
    const settings: { permissionMode: "default" | "plan" } = { permissionMode: "default" };
    const given: Commit = { writes: [insert("sessions", session("s1", { settings }))], events: [] };
    const committed = store.commit(given);
    settings.permissionMode = "plan";
    given.writes.length = 0;
    await committed;
    expect(await store.session("s1")).toMatchObject({ settings: { permissionMode: "default" } });
  });

  test("takes rows of any column that JSON can hold, and a large one", async () => {
    const { store } = subject();
    const runtimeState = { text: "x".repeat(3 * 1024 * 1024), ["__proto__x"]: [] };
    await addSession(store, "s1", { runtimeState });
    expect((await store.session("s1"))?.runtimeState).toEqual(runtimeState);
  });

  test("text with a NUL is refused by writes and reads, never cut short", async () => {
    const { store } = subject();
    await addSession(store, "a");
    await write(store, insert("grants", grant("g1", { key: "ls" })));
    const refusal = expect.objectContaining({ code: "invalid_request" });
    await expect(addSession(store, "b\0c")).rejects.toEqual(refusal);
    await expect(addSession(store, "b", { title: "b\0c" })).rejects.toEqual(refusal);
    await expect(store.session("a\0b")).rejects.toEqual(refusal);
    await expect(store.grants({ tool: "deploy", key: "ls\0; rm" })).rejects.toEqual(refusal);
    expect(await store.session("b")).toBeNull();
  });

  test("one that writes nothing is fine", async () => {
    const { store } = subject();
    expect(await commit(store, {})).toBe(0);
  });
}
