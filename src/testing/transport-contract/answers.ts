import { expect, test } from "vitest";
import { Followed } from "./listeners.ts";
import { promptOf, type Subject } from "./subject.ts";

export function answerTests(subject: Subject): void {
  test("reach the tool, and the log says which client they came from", async () => {
    const { transport, prompt, followed } = await subject().prompt("contract_approval");
    const body = { action: "approve", approvalScope: "session", reason: "fine" } as const;
    expect(await transport.respond(prompt, body)).toEqual({ ok: true });
    const { payload } = await followed.nth("interaction_response");
    expect(payload).toMatchObject(body);
    expect(payload.responder.clientId).toBe(transport.clientId);
    expect((await followed.nth("tool_result")).payload.result).toEqual(body);
  });

  test("that were under way when the line broke count once", async () => {
    const { transport, sessionId, prompt } = await subject().prompt("contract_approval");
    const seen = new Followed();
    subject().witness().subscribe(sessionId, {}, seen);
    await promptOf(seen);
    subject().subject.mute();
    const replying = transport.respond(prompt, { action: "deny", reason: "once" });
    await seen.nth("turn_end");
    subject().subject.cut();
    expect(await replying).toEqual({ ok: true });
    expect(await subject().count(sessionId, "interaction_response")).toBe(1);
  });

  test("that are given while the server is away arrive when it is back", async () => {
    const { transport, sessionId, prompt } = await subject().prompt("contract_approval");
    await subject().subject.down();
    const replying = transport.respond(prompt, { action: "approve" });
    await subject().subject.up();
    expect(await replying).toEqual({ ok: true });
    expect(await subject().count(sessionId, "interaction_response")).toBe(1);
  });

  test("that are sent twice under one id are one", async () => {
    const { transport, sessionId, prompt } = await subject().prompt("contract_approval");
    const body = { action: "approve", responseId: "mine" } as const;
    const replies = await Promise.all([1, 2, 3].map(() => transport.respond(prompt, body)));
    expect(replies).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect(await subject().count(sessionId, "interaction_response")).toBe(1);
  });

  test("of two clients at once: one wins, the other is told what the winner chose", async () => {
    const { transport, prompt } = await subject().prompt("contract_approval");
    const other = subject().connect();
    const replies = await Promise.all([
      transport.respond(prompt, { action: "approve" }),
      other.respond(prompt, { action: "deny" }),
    ]);
    const winner = replies.findIndex(({ ok }) => ok);
    expect(replies[winner]).toEqual({ ok: true });
    expect(replies[1 - winner]).toEqual({
      ok: false,
      code: "already_answered",
      error: expect.stringMatching(/\w+ \w+/),
      response: expect.objectContaining({
        action: winner === 0 ? "approve" : "deny",
        responder: expect.objectContaining({ clientId: [transport, other][winner]?.clientId }),
      }),
    });
  });

  test("to a prompt that was replaced name the one that is open", async () => {
    const { transport, followed, prompt } = await subject().prompt("contract_name");
    await transport.respond(prompt, { action: "submit", input: { name: "A" } });
    const current = await promptOf(followed, 2);
    const again = { action: "submit", input: { name: "Ann" } } as const;
    expect(await transport.respond(prompt, again)).toMatchObject({
      ok: false,
      code: "stale_interaction",
      current: current.interactionId,
    });
    expect(await transport.respond(current, again)).toEqual({ ok: true });
  });

  test("to a prompt that was closed say why", async () => {
    const { transport, sessionId, followed, prompt } = await subject().prompt("contract_approval");
    expect(await transport.cancel(sessionId)).toEqual({ stopped: true });
    await followed.nth("turn_end");
    expect(await transport.cancel(sessionId)).toEqual({ stopped: false });
    expect(await transport.respond(prompt, { action: "approve" })).toEqual({
      ok: false,
      code: "interaction_closed",
      error: expect.stringMatching(/\w+ \w+/),
      reason: "cancelled",
    });
  });

  test("that are not valid say which field is wrong, and the prompt stays open", async () => {
    const { transport, sessionId, prompt } = await subject().prompt("contract_name");
    expect(await transport.respond(prompt, { action: "submit", input: {} })).toMatchObject({
      ok: false,
      code: "invalid_response",
      fieldErrors: { name: expect.any(String) },
    });
    const long = { action: "submit", input: { name: "x".repeat(300_000) } } as const;
    expect(await transport.respond(prompt, long)).toMatchObject({ ok: false, code: "too_large" });
    const text = { action: "submit", input: { name: "x".repeat(100_000) } } as const;
    expect(await transport.respond(prompt, text)).toMatchObject({ ok: false, code: "too_large" });
    expect(await subject().count(sessionId, "interaction_response")).toBe(0);
    const good = { action: "submit", input: { name: "Ann" } } as const;
    expect(await transport.respond(prompt, good)).toEqual({ ok: true });
  });

  test("to a prompt that is not there are refused", async () => {
    const { transport, prompt } = await subject().prompt("contract_approval");
    const wrong = { ...prompt, interactionId: "nothing" };
    expect(await transport.respond(wrong, { action: "approve" })).toMatchObject({
      ok: false,
      code: "interaction_not_found",
    });
  });

  test("are refused while the client's interactive mode is off", async () => {
    const { transport, sessionId, prompt } = await subject().prompt("contract_approval");
    transport.setInteractive(false);
    const refused = { ok: false, code: "interaction_disabled", error: expect.any(String) };
    expect(await transport.respond(prompt, { action: "approve" })).toEqual(refused);
    expect(await transport.approveTool(sessionId, prompt.toolCallId)).toEqual(refused);
    subject().subject.cut();
    expect(await transport.respond(prompt, { action: "approve" })).toEqual(refused);
    transport.setInteractive(true);
    expect(await transport.respond(prompt, { action: "approve" })).toEqual({ ok: true });
  });
}
