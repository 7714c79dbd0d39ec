import { expect } from "vitest";
import { emptyView, reduceAll } from "../../src/client/index.ts";
import { defineTool } from "../../src/core/index.ts";
import { approvalTool, askingTool, Gate, nameTool, queuedCall, VALUE_FORM } from "./tools.ts";
import { inEveryMode, verifies } from "./verifies.ts";
import { outline, sharedView } from "./views.ts";
import type { World } from "./world.ts";

const echo = defineTool<{ text: string }>({
  name: "t_echo",
  description: "Gives back what it gets.",
  parameters: { type: "object" },
  durable: "replay",
  handler: ({ text }) => Promise.resolve(text),
});

verifies(
  ["view:in-its-turn", "view:grouped", "view:ungrouped", "view:event-order", "page:own-prompt"],
  "calls of a turn share a block until one asks, which then stands alone in every client's view",
  { tools: [approvalTool, echo] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/parallel t_echo {} | t_ask {"n":1} | t_ask {"n":2}');
    const second = await client.event("interaction_request", 2);
    await client.event("tool_result");
    const first = await client.event("interaction_request", 1);
    expect(outline(await sharedView(world, client, session.id))).toEqual([
      ["message", "t_echo", "t_ask open", "t_ask open"],
    ]);
    await client.answer(second, { action: "deny" });
    await client.event("tool_result", 2);
    const between = await sharedView(world, client, session.id);
    expect(between.interactions.get(first.payload.interactionId)?.state).toBe("open");
    expect(between.interactions.get(second.payload.interactionId)?.state).toBe("answered");
    await client.answer(first, { action: "approve" });
    await client.event("turn_end");
    const view = await sharedView(world, client, session.id);
    expect(outline(view)).toEqual([
      ["message", "t_echo", "t_ask answered", "t_ask answered", "text", "text", "text"],
    ]);
    expect(view).toMatchObject({ status: "idle", typing: false, pending: [] });
    await client.say(session.id, "/parallel t_echo {} | t_echo {}");
    await client.event("turn_end", 2);
    expect(outline(await sharedView(world, client, session.id))[1]).toEqual([
      "message",
      "t_echo + t_echo",
      "text",
      "text",
    ]);
  },
);

verifies(
  ["page:standalone-block", "view:no-placeholder"],
  "a questionnaire stands by itself, and its result adds no block, wherever the log is cut",
  {},
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call ask_user {"question":"Which colour?"}');
    const request = await client.event("interaction_request");
    await client.answer(request, { action: "submit", input: { answer: "blue" } });
    await client.event("turn_end");
    const view = await sharedView(world, client, session.id);
    expect(outline(view)).toEqual([["message", "questionnaire answered", "text"]]);
    const log = await world.log(session.id);
    const result = log.findIndex((event) => event.type === "tool_result");
    for (let cut = 0; cut < result; cut++) {
      const tail = reduceAll(emptyView(session.id), log.slice(cut));
      expect(outline(tail).flat()).not.toContain("ask_user");
    }
  },
);

const outsideApproval = askingTool("out_approve", () => ({
  type: "approval",
  onResponse: ({ action }) => ({ complete: action }),
}));
const outsideQuestion = askingTool("out_question", () => ({
  type: "input",
  presentation: "questionnaire",
  inputSchema: VALUE_FORM,
  onResponse: ({ action }) => ({ complete: action }),
}));

/** Calls a tool as a script would: in a session, outside of any turn. */
function callFromOutside(world: World, sessionId: string, operation: string) {
  const headers = { "x-session-id": sessionId };
  return world.http("POST", `/api/plugins/out/operations/${operation}`, {}, headers);
}

verifies(
  ["view:anchored-on-call", "view:fallback-turn", "view:outside-approval", "view:placeholder"],
  "an approval that is asked from outside has its own turn and block, also without its call",
  { tools: [outsideApproval] },
  async (world) => {
    const { session, client } = await world.conversation();
    const calling = callFromOutside(world, session.id, "approve");
    const request = await client.event("interaction_request");
    expect(request).not.toHaveProperty("turnId");
    const open = await sharedView(world, client, session.id);
    expect(outline(open)).toEqual([["out_approve open"]]);
    const call = await client.event("tool_call");
    expect(open.turns[0]).toMatchObject({ id: call.id, kind: "outside" });
    expect(open).toMatchObject({ status: "waiting", pending: [request.payload.interactionId] });
    const log = await world.log(session.id);
    const withoutCall = reduceAll(emptyView(session.id), log.slice(1));
    expect(outline(withoutCall)).toEqual([["out_approve open"]]);
    expect(withoutCall.calls.get(request.payload.toolCallId)?.placeholder).toBe(true);
    await client.answer(request, { action: "approve" });
    expect((await calling).body).toEqual({ ok: true, result: "approve" });
    const view = await sharedView(world, client, session.id);
    expect(outline(view)).toEqual([["out_approve answered"]]);
    expect(view).toMatchObject({ status: "idle", pending: [] });
  },
);

verifies(
  "view:outside-questionnaire",
  "a questionnaire that is asked from outside stands by itself in its own turn",
  { tools: [outsideQuestion] },
  async (world) => {
    const { session, client } = await world.conversation();
    const calling = callFromOutside(world, session.id, "question");
    const request = await client.event("interaction_request");
    await client.say(session.id, "Meanwhile");
    await client.event("turn_end");
    const view = await sharedView(world, client, session.id);
    expect(outline(view)).toEqual([["questionnaire open"], ["message", "text"]]);
    await client.answer(request, { action: "submit", input: { value: "x" } });
    await calling;
    expect(outline(await sharedView(world, client, session.id))[0]).toEqual([
      "questionnaire answered",
    ]);
  },
);

verifies(
  "view:reprompt-replaces",
  "a re-prompt is shown by the block of the prompt before it",
  { tools: [nameTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call t_name {}");
    const first = await client.event("interaction_request");
    const before = await sharedView(world, client, session.id);
    await client.answer(first, { action: "submit", input: { name: "x" } });
    const second = await client.event("interaction_request", 2);
    const view = await sharedView(world, client, session.id);
    expect(outline(view)).toEqual([["message", "t_name open"]]);
    expect(view.turns[0]?.blocks[1]?.id).toBe(before.turns[0]?.blocks[1]?.id);
    expect(view.interactions.get(first.payload.interactionId)?.state).toBe("replaced");
    expect(view.interactions.get(second.payload.interactionId)).toMatchObject({
      state: "open",
      request: { error: "Too short" },
    });
  },
);

const gate = new Gate();
const slow = askingTool("t_slow", () => ({
  type: "approval",
  onResponse: async () => {
    await gate.pass();
    return { complete: "done" };
  },
}));

verifies(
  "page:typing",
  "typing is off while a prompt is pending and comes back with the answer, before any result",
  { tools: [slow] },
  async (world) => {
    gate.reset();
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call t_slow {}");
    const request = await client.event("interaction_request");
    expect(await sharedView(world, client, session.id)).toMatchObject({
      typing: false,
      status: "waiting",
      pending: [request.payload.interactionId],
    });
    await client.answer(request, { action: "approve" });
    await gate.reached;
    expect(await sharedView(world, client, session.id)).toMatchObject({
      typing: true,
      status: "running",
      pending: [],
    });
    gate.open();
    await client.event("turn_end");
    expect((await sharedView(world, client, session.id)).typing).toBe(false);
  },
);

const quick = askingTool("t_quick", () => ({
  type: "approval",
  timeoutMs: 5_000,
  onResponse: ({ action }) => ({ complete: action }),
}));

verifies(
  ["view:failed-call", "view:typing-cleared"],
  "a call that ends without an answer leaves nothing to answer and nothing pending",
  { tools: [quick] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call t_quick {}");
    const timedOut = await client.event("interaction_request");
    await world.advance(5_000);
    await client.event("turn_end");
    await client.say(session.id, "/call t_quick {}");
    const cancelled = await client.event("interaction_request", 2);
    await client.ask({ type: "cancel", sessionId: session.id });
    await client.event("turn_end", 2);
    const view = await sharedView(world, client, session.id);
    const ends = [timedOut, cancelled].map(
      ({ payload }) => view.interactions.get(payload.interactionId)?.reason,
    );
    expect(ends).toEqual(["timed_out", "cancelled"]);
    expect(view).toMatchObject({ pending: [], status: "idle", typing: false });
    // Also where nothing but the result says that the call has failed.
    const log = (await world.log(session.id)).filter(
      ({ type, payload }) =>
        type !== "interaction_closed" && !(type === "interaction_pending" && !payload.pending),
    );
    const untold = reduceAll(emptyView(session.id), log);
    expect([...untold.interactions.values()].map((prompt) => prompt.state)).toEqual([
      "closed",
      "closed",
    ]);
    expect(untold.pending).toEqual([]);
  },
);

const later = askingTool("t_later", () => ({
  type: "approval",
  timeoutMs: 5_000,
  onResponse: ({ action }) => ({ complete: action }),
  onTimeout: () => ({ pending: { message: "Later" } }),
}));

inEveryMode(
  "a queued prompt stays open in its block, and its answer's message names it",
  { tools: [later] },
  async (world) => {
    const { session, client, request } = await queuedCall(world, "t_later");
    const { interactionId } = request.payload;
    const queued = await sharedView(world, client, session.id);
    expect(queued.interactions.get(interactionId)).toMatchObject({ state: "open", late: "queued" });
    expect(queued).toMatchObject({ pending: [], status: "idle" });
    await client.answer(request, { action: "approve" });
    await client.event("turn_end", 2);
    const view = await sharedView(world, client, session.id);
    expect(outline(view)).toEqual([
      ["message", "t_later answered", "text"],
      ["message", "text"],
    ]);
    expect(view.turns[1]?.blocks[0]).toMatchObject({ source: "late_answer", interactionId });
  },
);
