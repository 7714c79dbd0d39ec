import { expect, test } from "vitest";
import { untilState, WatchedSessions } from "./listeners.ts";
import type { Subject } from "./subject.ts";

export function lifetimeTests(subject: Subject): void {
  test("it goes online by itself, and back online after the server was away", async () => {
    const { transport } = await subject().conversation();
    await untilState(transport, "online");
    await subject().subject.down();
    const offline = await untilState(transport, "offline");
    expect(offline.retryAt).toEqual(expect.any(Number));
    await expect(transport.agents()).rejects.toMatchObject({
      name: "TransportError",
      code: "unreachable",
    });
    await subject().subject.up();
    transport.reconnect();
    await untilState(transport, "online");
    expect(await transport.agents()).not.toEqual([]);
  });

  test("a request that nobody answers rejects", async () => {
    const transport = subject().connect();
    await untilState(transport, "online");
    const seen = new WatchedSessions();
    subject().witness().watchSessions(seen);
    await seen.until(() => seen.staleCount > 0);
    subject().subject.mute();
    const asking = transport.createSession();
    asking.catch(() => {});
    await seen.until(() => seen.updates.length > 0);
    subject().subject.cut();
    await expect(asking).rejects.toMatchObject({ code: "unreachable" });
  });

  test("a credential that ends signs it out", async () => {
    const { token, revoke } = await subject().subject.token();
    const { transport, prompt } = await subject().prompt("contract_approval");
    const guest = subject().connect(token);
    await subject().conversation(guest);
    await untilState(guest, "online");
    await revoke();
    await untilState(guest, "signed_out");
    expect(guest.connection()).toEqual({ state: "signed_out" });
    expect(await transport.respond(prompt, { action: "approve" })).toEqual({ ok: true });
  });

  test("a credential that was never good signs it out", async () => {
    const transport = subject().connect("not-a-token");
    await untilState(transport, "signed_out");
    await expect(transport.sessions()).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("when it is closed nothing of it is left", async () => {
    const { transport, sessionId, followed, prompt } = await subject().prompt("contract_approval");
    transport.watchInbox({ list() {}, updated() {} });
    transport.watchSessions({ updated() {}, deleted() {}, stale() {} });
    subject().subject.mute();
    const answering = transport.respond(prompt, { action: "approve" });
    const approving = transport.approveTool(sessionId, prompt.toolCallId);
    const asking = transport.agents();
    const heard = followed.events.length;
    transport.close();
    transport.close();
    for (const one of [answering, approving, asking]) {
      await expect(one).rejects.toMatchObject({ name: "TransportError", code: "closed" });
    }
    await expect(transport.agents()).rejects.toMatchObject({ code: "closed" });
    transport.reconnect();
    expect(transport.connection()).toEqual({ state: "offline" });
    expect(subject().subject.armedTimers()).toBe(0);
    expect(followed.events.length).toBe(heard);
  });
}
