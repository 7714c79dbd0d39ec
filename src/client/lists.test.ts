import { describe, expect, test } from "vitest";
import { LogWriter } from "../../test/support/log-writer.ts";
import type { SessionRecord } from "../protocol/index.ts";
import { createFakeTransport, fakeSession } from "../testing/fake-transport.ts";
import { TransportError } from "../transport/index.ts";
import { createInbox } from "./inbox.ts";
import { createSessionList } from "./session-list.ts";

/** Lets promises settle that wait for nothing but each other. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await Promise.resolve();
}

describe("the inbox", () => {
  const writer = new LogWriter();
  const record = (minute: number, sessionId = "s") => {
    const id = writer.ask("call");
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    return writer.record(id, { createdAt, sessionId });
  };

  test("lists what is open over all sessions, oldest first, and follows it", async () => {
    const transport = createFakeTransport();
    const inbox = createInbox(transport);
    let told = 0;
    inbox.subscribe(() => told++);
    const [first, second, third] = [record(1), record(2, "t"), record(3)];
    expect(inbox.get().status).toBe("loading");
    transport.list(third, first);
    transport.update(second);
    await settled();
    expect(inbox.get()).toEqual({ status: "ready", interactions: [first, second, third] });
    expect(told).toBe(1);
    transport.update({ ...first, status: "answered" });
    transport.update({ ...record(4), status: "cancelled" });
    await settled();
    expect(inbox.get().interactions).toEqual([second, third]);
    transport.list(third);
    await settled();
    expect(inbox.get().interactions).toEqual([third]);
  });

  test("forgets the prompts of a session that is deleted", async () => {
    const transport = createFakeTransport();
    const inbox = createInbox(transport);
    const [mine, other] = [record(1), record(2, "t")];
    transport.list(mine, other);
    transport.sessionDeleted("s");
    await settled();
    expect(inbox.get().interactions).toEqual([other]);
    inbox.close();
    expect(transport.following).toBe(0);
  });
});

describe("the list of sessions", () => {
  const session = (id: string, hour: number, more: Partial<SessionRecord> = {}) =>
    fakeSession(id, { updatedAt: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(), ...more });
  const idsIn = (list: ReturnType<typeof createSessionList>) =>
    list.get().sessions.map(({ id }) => id);

  test("is read page by page, the latest first, and counts what waits", async () => {
    const transport = createFakeTransport();
    transport.script(
      "sessions",
      { sessions: [session("c", 3), session("b", 2, { pendingCount: 2 })], next: "more" },
      { sessions: [session("a", 1, { pendingCount: 1 })] },
    );
    const list = createSessionList(transport);
    expect(list.get()).toMatchObject({ status: "loading", sessions: [] });
    await settled();
    expect(list.get()).toMatchObject({ status: "ready", hasMore: true, waitingCount: 2 });
    await list.loadMore();
    await list.loadMore();
    await settled();
    expect(transport.argumentsOf("sessions")).toEqual([[{}], [{ cursor: "more" }]]);
    expect(idsIn(list)).toEqual(["c", "b", "a"]);
    expect(list.get()).toMatchObject({ hasMore: false, waitingCount: 3 });
  });

  test("follows updates and deletions", async () => {
    const transport = createFakeTransport();
    transport.script("sessions", { sessions: [session("b", 2), session("a", 1)] });
    const list = createSessionList(transport);
    await settled();
    transport.sessionUpdated(session("a", 3, { pendingCount: 1 }));
    transport.sessionUpdated(session("new", 4));
    transport.sessionDeleted("b");
    await settled();
    expect(idsIn(list)).toEqual(["new", "a"]);
    expect(list.get().waitingCount).toBe(1);
  });

  test("believes what it was told while a page was on its way", async () => {
    const transport = createFakeTransport();
    let arrive!: () => void;
    transport.script("sessions", async () => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return { sessions: [session("a", 1, { title: "Old" }), session("gone", 2)] };
    });
    const list = createSessionList(transport);
    await settled();
    transport.sessionUpdated(session("a", 3, { title: "New" }));
    transport.sessionDeleted("gone");
    arrive();
    await settled();
    expect(list.get().sessions).toMatchObject([{ id: "a", title: "New" }]);
  });

  test("is read again, as far as before, when something may have been missed", async () => {
    const transport = createFakeTransport();
    transport.script(
      "sessions",
      { sessions: [session("b", 2)], next: "more" },
      { sessions: [session("a", 1)] },
      { sessions: [session("c", 3)], next: "again" },
      { sessions: [session("b", 2)] },
    );
    const list = createSessionList(transport);
    await settled();
    await list.loadMore();
    transport.sessionsStale();
    await settled();
    expect(idsIn(list)).toEqual(["c", "b"]);
    expect(transport.argumentsOf("sessions").slice(2)).toEqual([[{}], [{ cursor: "again" }]]);
  });

  test("is read once more when something was missed while it was read", async () => {
    const transport = createFakeTransport();
    transport.script("sessions", { sessions: [] }, { sessions: [session("late", 1)] });
    const list = createSessionList(transport);
    transport.sessionsStale();
    await settled();
    expect(idsIn(list)).toEqual(["late"]);
  });

  test("is read once more when something was missed while a read failed", async () => {
    const transport = createFakeTransport();
    transport.script("sessions", new TransportError("unreachable", "Nobody answered."), {
      sessions: [session("late", 1)],
    });
    const list = createSessionList(transport);
    transport.sessionsStale();
    await settled();
    expect(list.get()).toMatchObject({ status: "ready", sessions: [{ id: "late" }] });
  });

  test("is read once more when something was missed while more was read", async () => {
    const transport = createFakeTransport();
    transport.script(
      "sessions",
      { sessions: [session("b", 2)], next: "more" },
      { sessions: [session("a", 1)] },
      { sessions: [session("c", 3)] },
    );
    const list = createSessionList(transport);
    await settled();
    const more = list.loadMore();
    transport.sessionsStale();
    await more;
    await settled();
    expect(idsIn(list)).toEqual(["c"]);
  });

  test("goes on to the next page also when that is wanted while it is read again", async () => {
    const transport = createFakeTransport();
    transport.script(
      "sessions",
      { sessions: [session("b", 2)], next: "more" },
      { sessions: [session("b", 2)], next: "again" },
      { sessions: [session("a", 1)] },
    );
    const list = createSessionList(transport);
    await settled();
    transport.sessionsStale();
    await Promise.all([list.loadMore(), list.loadMore()]);
    expect(transport.argumentsOf("sessions")).toEqual([[{}], [{}], [{ cursor: "again" }]]);
    await settled();
    expect(idsIn(list)).toEqual(["b", "a"]);
  });

  test("says when it could not be read, and can be tried again", async () => {
    const transport = createFakeTransport();
    transport.script("sessions", new TransportError("unreachable", "Nobody answered."), {
      sessions: [session("a", 1)],
    });
    const list = createSessionList(transport);
    await settled();
    expect(list.get().status).toBe("failed");
    await list.reload();
    await settled();
    expect(list.get()).toMatchObject({ status: "ready", sessions: [{ id: "a" }] });
    list.close();
    expect(transport.following).toBe(0);
  });
});
