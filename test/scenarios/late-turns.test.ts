import { expect } from "vitest";
import { story } from "./story.ts";
import { FOLLOW_UP, Gate, VALUE_FORM, askingTool, echo, queuedCall, submit } from "./tools.ts";
import { verifies } from "./verifies.ts";

const MESSAGE = "We mailed you.";
const mail = askingTool("mail", () => ({
  type: "input",
  prompt: "Which file?",
  inputSchema: VALUE_FORM,
  timeoutMs: 5_000,
  onResponse: echo,
  onTimeout: () => ({ pending: { message: MESSAGE } }),
}));
verifies(
  ["late-answer:follow-up", "late-answer:stays-open"],
  "a killed server changes nothing: a queued prompt is answered after it, once",
  { tools: [mail] },
  async (world) => {
    const { session, request } = await queuedCall(world, "mail");
    await world.crash();
    const client = await world.person();
    await client.subscribe(session.id);
    await client.answer(request, submit("after"));
    // Again before the turn had time to run: the message is stored with the answer.
    await world.crash();
    const again = await world.person();
    await again.subscribe(session.id);
    await again.event("turn_end", 2);
    expect(await again.answer(request, submit("later still"))).toMatchObject({
      code: "already_answered",
    });
    expect((await story(world, session.id)).slice(9)).toEqual([
      "interaction_response submit late",
      ...FOLLOW_UP,
    ]);
  },
);

const gate = new Gate();
const slow = askingTool("slow", () => ({ type: "approval", onResponse: echo }), {
  async handler() {
    await gate.pass();
    return "slow";
  },
});

verifies(
  "late-answer:new-turn",
  "late answers that come while a turn runs wait for it, each with a turn of its own, in order",
  { tools: [mail, slow] },
  async (world) => {
    gate.reset();
    const { session, client } = await world.conversation();
    await client.say(session.id, "/parallel mail {} | mail {}");
    const requests = [
      await client.event("interaction_request", 1),
      await client.event("interaction_request", 2),
    ] as const;
    await world.advance(5_000);
    await client.event("turn_end");
    await client.say(session.id, "/call slow {}");
    await gate.reached;
    await client.answer(requests[1], submit("two"));
    await client.answer(requests[0], submit("one"));
    await client.say(session.id, "hello");
    const before = (await story(world, session.id)).length;
    expect((await story(world, session.id)).slice(-5)).toEqual([
      "interaction_response submit late",
      "user_message late_answer",
      "interaction_response submit late",
      "user_message late_answer",
      "user_message user",
    ]);
    gate.open();
    await client.event("turn_end", 5);
    const turn = (trigger: string) => [`turn_start ${trigger}`, "text", "turn_end completed"];
    expect((await story(world, session.id)).slice(before)).toEqual([
      ...["tool_result ok", "text", "turn_end completed"],
      ...[...turn("late_answer"), ...turn("late_answer"), ...turn("user")],
    ]);
    const starts = client.events().filter((event) => event.type === "turn_start");
    const messages = client.events().filter((event) => event.type === "user_message");
    const ids = (events: typeof starts | typeof messages) =>
      events.map((event) => event.payload.messageId);
    expect(ids(starts)).toEqual(ids(messages));
  },
);

const bound = askingTool("bound", () => ({ type: "approval", onResponse: echo }), {
  durable: "orphan",
});

verifies(
  ["late-answer:stays-open", "late-answer:follow-up", "late-answer:new-turn"],
  "the answer to a prompt whose call died with its server arrives as a message, too",
  { tools: [bound] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call bound {}");
    const request = await client.event("interaction_request");
    await world.crash();
    const again = await world.person();
    await again.subscribe(session.id);
    await again.event("turn_end");
    const { body } = await world.http("GET", "/api/interactions?status=pending");
    expect(body.interactions).toMatchObject([{ waiting: "orphaned", status: "pending" }]);
    expect(body.interactions[0]).not.toHaveProperty("expiresAt");
    await world.advance(600_000);
    expect(await again.answer(request, { action: "approve" })).toMatchObject({ ok: true });
    await again.event("turn_end", 2);
    expect((await story(world, session.id)).slice(3)).toEqual([
      "interaction_pending true",
      "interaction_request 1",
      "tool_result tool_interrupted",
      "interaction_pending false orphaned",
      "text",
      "turn_end completed",
      "interaction_response approve late",
      ...FOLLOW_UP,
    ]);
    const message = await again.event("user_message", 2);
    expect(message.payload.interactionId).toBe(request.payload.interactionId);
  },
);
