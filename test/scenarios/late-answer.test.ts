import { expect } from "vitest";
import { story } from "./story.ts";
import { FOLLOW_UP, VALUE_FORM, askingTool, echo, queuedCall, submit } from "./tools.ts";
import { verifies } from "./verifies.ts";

const MESSAGE = "We mailed you.";
let heard = 0;
const mail = askingTool("mail", () => ({
  type: "input",
  prompt: "Which file?",
  inputSchema: VALUE_FORM,
  timeoutMs: 5_000,
  onResponse(response) {
    heard++;
    return echo(response);
  },
  onTimeout: () => ({ pending: { message: MESSAGE } }),
}));
/** As in the seed's e-mail example. */
const notify = askingTool("notify", () => ({
  type: "approval",
  timeoutMs: 5_000,
  onResponse: echo,
  onTimeout: () => ({ complete: { pending: true, queued: true, message: MESSAGE, mailId: 7 } }),
}));

const QUEUED = [
  "user_message user",
  "turn_start user",
  "tool_call",
  "interaction_pending true",
  "interaction_request 1",
  "tool_result ok",
  "interaction_pending false queued",
  "text",
  "turn_end completed",
];
verifies(
  ["late-answer:queued-result", "late-answer:stays-open"],
  "pending from onTimeout ends the call at once, and its prompt stays open without a deadline",
  { tools: [mail] },
  async (world) => {
    const { session, request, result } = await queuedCall(world, "mail");
    expect(result.payload).toMatchObject({
      ok: true,
      result: { pending: true, queued: true, message: MESSAGE },
    });
    expect(await story(world, session.id)).toEqual(QUEUED);
    world.clock.jump(30 * 86_400_000);
    await world.advance(600_000);
    const { body } = await world.http("GET", "/api/interactions?status=pending");
    expect(body.interactions).toMatchObject([
      { id: request.payload.interactionId, status: "pending", waiting: "queued" },
    ]);
    expect(body.interactions[0]).not.toHaveProperty("expiresAt");
    expect(await story(world, session.id)).toEqual(QUEUED);
    const about = (await world.http("GET", `/api/sessions/${session.id}`)).body;
    expect(about).toMatchObject({ status: "idle", pendingCount: 1 });
  },
);

verifies(
  [
    "late-answer:follow-up",
    "late-answer:new-turn",
    "late-answer:tells-agent",
    "late-answer:no-hook",
  ],
  "a late answer becomes exactly one message that names the prompt and starts its own turn",
  { tools: [mail] },
  async (world) => {
    const { session, client, request } = await queuedCall(world, "mail");
    heard = 0;
    const bad = await client.answer(request, { action: "submit", input: {} });
    expect(bad).toMatchObject({
      code: "invalid_response",
      fieldErrors: { value: "This is required." },
    });
    const answer = { ...submit("a.txt"), responseId: "mine" };
    const reply = await client.answer(request, answer);
    expect(reply).toMatchObject({ ok: true, response: { late: true, input: { value: "a.txt" } } });
    expect(await client.answer(request, answer)).toMatchObject({ ok: true });
    expect(await client.answer(request, submit("b"))).toMatchObject({
      code: "already_answered",
      response: { answerId: "mine", input: { value: "a.txt" } },
    });
    await client.event("turn_end", 2);
    expect(await story(world, session.id)).toEqual([
      ...QUEUED,
      "interaction_response submit late",
      ...FOLLOW_UP,
    ]);
    const message = await client.event("user_message", 2);
    const start = await client.event("turn_start", 2);
    expect(message.payload).toMatchObject({
      source: "late_answer",
      interactionId: request.payload.interactionId,
      text: expect.stringMatching(/Which file\?.*a\.txt/),
    });
    // The demo agent repeats what it was told.
    const said = await client.event("text", 2);
    expect(said.payload.text).toContain(message.payload.text);
    expect(heard).toBe(0);
    expect(start.payload).toEqual({
      trigger: "late_answer",
      messageId: message.payload.messageId,
    });
    expect((await world.http("GET", "/api/interactions")).body.interactions).toEqual([]);
  },
);

verifies(
  "late-answer:follow-up",
  "a late denial and a late cancel arrive as messages too",
  { tools: [mail] },
  async (world) => {
    for (const action of ["cancel", "deny"]) {
      const { session, client, request } = await queuedCall(world, "mail");
      await client.answer(request, { action, reason: "gone by now" });
      await client.event("turn_end", 2);
      expect((await story(world, session.id)).slice(9)).toEqual([
        `interaction_response ${action} late`,
        ...FOLLOW_UP,
      ]);
      const message = await client.event("user_message", 2);
      expect(message.payload.text).toContain("gone by now");
    }
  },
);

verifies(
  "late-answer:queued-complete",
  "a complete that says of itself that it is queued keeps the prompt open like pending",
  { tools: [notify] },
  async (world) => {
    const { session, client, request, result } = await queuedCall(world, "notify");
    expect(result.payload.result).toEqual({
      pending: true,
      queued: true,
      message: MESSAGE,
      mailId: 7,
    });
    expect(await story(world, session.id)).toEqual(QUEUED);
    await client.answer(request, { action: "approve", approvalScope: "session" });
    await client.event("turn_end", 2);
    expect((await story(world, session.id)).slice(9)).toEqual([
      "interaction_response approve late",
      ...FOLLOW_UP,
    ]);
  },
);
