import { expect, test } from "vitest";
import { untilState, WatchedInbox, WatchedSessions } from "./listeners.ts";
import { promptOf, type Subject } from "./subject.ts";

export function listTests(subject: Subject): void {
  test("the inbox holds what is open, then hears what is asked and answered", async () => {
    const { prompt } = await subject().prompt("contract_approval");
    const transport = subject().connect();
    const inbox = new WatchedInbox();
    transport.watchInbox(inbox);
    await inbox.until(() => inbox.open.has(prompt.interactionId));
    expect(inbox.lists).toBe(1);
    const other = await subject().prompt("contract_name");
    const { interactionId } = other.prompt;
    await inbox.until(() => inbox.open.has(interactionId));
    await transport.respond(prompt, { action: "deny" });
    await inbox.until(() => inbox.ended.has(prompt.interactionId));
    expect(inbox.ended.get(prompt.interactionId)).toMatchObject({
      status: "answered",
      response: { action: "deny" },
    });
    expect([...inbox.open.keys()]).toEqual([interactionId]);
    expect(inbox.open.get(interactionId)).toEqual(await transport.interaction(interactionId));
  });

  test("the inbox is right again after a broken line", async () => {
    const { prompt, transport, sessionId, followed } = await subject().prompt("contract_name");
    const inbox = new WatchedInbox();
    const second = new WatchedInbox();
    transport.watchInbox(inbox);
    transport.watchInbox(second)();
    await inbox.until(() => inbox.open.has(prompt.interactionId));
    subject().subject.mute();
    const submit = { action: "submit", input: { name: "A" } } as const;
    expect(await subject().witness().respond(prompt, submit)).toEqual({ ok: true });
    subject().subject.cut();
    const { interactionId } = await promptOf(followed, 2);
    await inbox.until(() => inbox.open.has(interactionId) && inbox.open.size === 1);
    await transport.cancel(sessionId);
    await inbox.until(() => inbox.open.size === 0);
  });

  test("the inbox lets go of what was asked in a session that is deleted", async () => {
    const { prompt, transport, sessionId } = await subject().prompt("contract_approval");
    const inbox = new WatchedInbox();
    transport.watchInbox(inbox);
    await inbox.until(() => inbox.open.has(prompt.interactionId));
    await subject().witness().deleteSession(sessionId);
    await inbox.until(() => inbox.open.size === 0);
    expect(inbox.lists + inbox.ended.size).toBe(2);
  });

  test("sessions: who watches hears of changes and of deletions", async () => {
    const stage = subject();
    const transport = stage.connect();
    const sessions = new WatchedSessions();
    const silent = new WatchedSessions();
    transport.watchSessions(sessions);
    transport.watchSessions(silent)();
    await untilState(transport, "online");
    await sessions.until(() => sessions.staleCount > 0);
    const { id } = await transport.createSession({ title: "One" });
    await sessions.until(() => sessions.updates.some((one) => one.id === id));
    expect(await transport.updateSession(id, { title: "Two" })).toMatchObject({ title: "Two" });
    await stage.letItTell();
    await sessions.until(() => sessions.updates.some(({ title }) => title === "Two"));
    expect((await transport.sessions()).sessions.map(({ title }) => title)).toEqual(["Two"]);
    await transport.deleteSession(id);
    await sessions.until(() => sessions.deletions.includes(id));
    await expect(transport.session(id)).rejects.toMatchObject({
      code: "session_not_found",
      status: 404,
    });
    expect(silent.updates).toEqual([]);
  });

  test("sessions: who watches is told to read them again after the server was away", async () => {
    const transport = subject().connect();
    const sessions = new WatchedSessions();
    transport.watchSessions(sessions);
    await sessions.until(() => sessions.staleCount > 0);
    const before = sessions.staleCount;
    await subject().subject.down();
    await untilState(transport, "offline");
    await subject().subject.up();
    await sessions.until(() => sessions.staleCount > before);
    expect(transport.connection()).toEqual({ state: "online" });
  });

  test("agents, events, grants: each by one request", async () => {
    const { transport, sessionId, followed } = await subject().conversation();
    expect((await transport.agents())[0]).toMatchObject({ id: "demo", name: expect.any(String) });
    await transport.sendMessage(sessionId, { text: "Hello" });
    await followed.nth("turn_end");
    const { events } = followed;
    const before = await transport.events(sessionId, { before: 3 });
    expect(before).toMatchObject({ lastSeq: events.length, logId: expect.any(String) });
    expect(before.events).toEqual(events.slice(0, 2));
    const after = await transport.events(sessionId, { after: 1, limit: 1 });
    expect(after.events).toEqual(events.slice(1, 2));
    expect(await transport.grants()).toEqual([]);
    await expect(transport.revokeGrant("nothing")).rejects.toMatchObject({ status: 404 });
  });
}
