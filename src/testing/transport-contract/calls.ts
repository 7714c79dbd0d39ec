import { expect, test } from "vitest";
import { Followed } from "./listeners.ts";
import { promptOf, type Subject } from "./subject.ts";

export function callTests(subject: Subject): void {
  test("approve with a scope", async () => {
    const { transport, sessionId, prompt, followed } = await subject().prompt("contract_approval");
    const reply = await transport.approveTool(sessionId, prompt.toolCallId, { scope: "session" });
    expect(reply).toEqual({ ok: true });
    const { payload } = await followed.nth("interaction_response");
    expect(payload).toMatchObject({ action: "approve", approvalScope: "session" });
    expect(payload.responder.clientId).toBe(transport.clientId);
  });

  test("deny with a reason", async () => {
    const { transport, sessionId, prompt, followed } = await subject().prompt("contract_approval");
    const reply = await transport.denyTool(sessionId, prompt.toolCallId, { reason: "No" });
    expect(reply).toEqual({ ok: true });
    const { payload } = await followed.nth("interaction_response");
    expect(payload).toMatchObject({ action: "deny", reason: "No" });
  });

  test("answer questions", async () => {
    const { transport, sessionId, prompt, followed } = await subject().prompt("contract_questions");
    const { toolCallId } = prompt;
    expect(await transport.submitAnswers(sessionId, toolCallId, {})).toMatchObject({
      ok: false,
      code: "invalid_response",
      fieldErrors: expect.anything(),
    });
    expect(await transport.submitAnswers(sessionId, toolCallId, { 0: "Blue" })).toEqual({
      ok: true,
    });
    const { payload } = await followed.nth("tool_result");
    expect(payload.result).toEqual({ answers: { 0: "Blue" } });
  });

  test("are refused where nothing of that kind was asked, or it is answered", async () => {
    const { transport, sessionId, prompt } = await subject().prompt("contract_approval");
    const { toolCallId } = prompt;
    const nothing = { ok: false, code: "no_pending_interaction" };
    expect(await transport.approveTool(sessionId, "nothing")).toMatchObject(nothing);
    expect(await transport.submitAnswers(sessionId, toolCallId, { 0: "Red" })).toMatchObject(
      nothing,
    );
    const first = { responseId: "first" };
    expect(await transport.approveTool(sessionId, toolCallId, first)).toEqual({ ok: true });
    expect(await transport.approveTool(sessionId, toolCallId, first)).toEqual({ ok: true });
    expect(await transport.denyTool(sessionId, toolCallId)).toMatchObject({
      ok: false,
      code: "already_answered",
      response: { action: "approve", answerId: "first" },
    });
  });

  test("that were under way when the line broke count once", async () => {
    const { transport, sessionId, prompt } = await subject().prompt("contract_approval");
    const seen = new Followed();
    subject().witness().subscribe(sessionId, {}, seen);
    await promptOf(seen);
    subject().subject.mute();
    const replying = transport.approveTool(sessionId, prompt.toolCallId);
    await seen.nth("turn_end");
    subject().subject.cut();
    expect(await replying).toEqual({ ok: true });
    expect(await subject().count(sessionId, "interaction_response")).toBe(1);
  });
}
