import { expect, test } from "vitest";
import type { StreamEvent } from "../../protocol/index.ts";
import { Followed } from "./listeners.ts";
import type { Subject } from "./subject.ts";

export function messageTests(subject: Subject): void {
  test("with one id are one message, and never two texts", async () => {
    const { transport, sessionId, followed } = await subject().conversation();
    const message = { text: "Hello", messageId: "m1" };
    const sent = await Promise.all([1, 2].map(() => transport.sendMessage(sessionId, message)));
    expect(sent).toEqual([{ messageId: "m1" }, { messageId: "m1" }]);
    await expect(
      transport.sendMessage(sessionId, { ...message, text: "Other" }),
    ).rejects.toMatchObject({ name: "TransportError", code: "message_id_reused" });
    await followed.nth("turn_end");
    expect(await subject().count(sessionId, "user_message")).toBe(1);
  });

  test("that were under way when the line broke count once", async () => {
    const { transport, sessionId } = await subject().conversation();
    const seen = new Followed();
    subject().witness().subscribe(sessionId, {}, seen);
    await seen.until(() => seen.starts.length > 0);
    subject().subject.mute();
    const sending = transport.sendMessage(sessionId, { text: "Hello" });
    const { payload } = await seen.nth("user_message");
    subject().subject.cut();
    expect(await sending).toEqual({ messageId: payload.messageId });
    expect(await subject().count(sessionId, "user_message")).toBe(1);
  });

  test("keep the order in which they were given", async () => {
    const { transport, sessionId, followed } = await subject().conversation();
    const texts = ["One", "Two", "Three", "Four", "Five"];
    await Promise.all(texts.map((text) => transport.sendMessage(sessionId, { text })));
    await followed.nth("user_message", texts.length);
    const said = followed.events.filter((event) => event.type === "user_message");
    expect(said.map(({ payload }) => payload.text)).toEqual(texts);
  });

  test("to a session that is not there are refused", async () => {
    const sending = subject().connect().sendMessage("nowhere", { text: "Hello" });
    await expect(sending).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("can be followed as stream events, answered on the way, until done", async () => {
    const transport = subject().connect();
    const { id } = await transport.createSession({});
    const seen: StreamEvent[] = [];
    let answered: Promise<unknown> | undefined;
    const message = { text: "/call contract_approval {}" };
    await transport.streamMessage(id, message, (event) => {
      seen.push(event);
      if (event.type !== "approval_required") return;
      answered = transport.approveTool(id, event.data.toolCallId);
    });
    expect(await answered).toEqual({ ok: true });
    const types = seen.map(({ type }) => type);
    expect(types.filter((type) => type !== "session_status" && type !== "text_delta")).toEqual([
      "tool_call_start",
      "tool_call_end",
      "approval_required",
      "tool_result",
      "done",
    ]);
    const stop = new AbortController();
    const again = transport.streamMessage(id, message, () => stop.abort(), stop);
    await again.catch(() => {});
    await expect(transport.streamMessage("nowhere", message, () => {})).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  test("wait for the turn before them, or interrupt it", async () => {
    const { transport, sessionId, followed } = await subject().prompt("contract_approval");
    await transport.sendMessage(sessionId, { text: "Now", delivery: "interrupt" });
    expect((await followed.nth("turn_end")).payload.status).toBe("cancelled");
    expect((await followed.nth("turn_end", 2)).payload.status).toBe("completed");
  });
}
