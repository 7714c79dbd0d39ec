import { expect } from "vitest";
import { story } from "./story.ts";
import { askingTool, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

/** Gives back all that its hook was called with. */
const approval = askingTool("approval", () => ({
  type: "approval",
  onResponse: (response, info) => ({ complete: { response, info } }),
}));
const input = askingTool("input", () => ({
  type: "input",
  inputSchema: VALUE_FORM,
  onResponse: (response, info) => ({ complete: { response, info } }),
}));

verifies(
  "respond:reaches-hook",
  "the hook gets the action, scope, input and reason that were sent, and who sent them",
  { tools: [approval, input] },
  async (world) => {
    const session = await world.session();
    const client = await world.person({
      client: { id: "phone" },
      interaction: { supported: true, enabled: true },
    });
    await client.subscribe(session.id);
    const cases = [
      ["approval", { action: "approve" }, { action: "approve", approvalScope: "once" }],
      ["approval", { action: "approve", approvalScope: "session", reason: "ok" }],
      ["approval", { action: "deny", reason: "not today" }],
      ["input", { action: "submit", input: { value: "v" } }],
      ["input", { action: "cancel", reason: "later" }],
      ["input", { action: "deny" }],
    ] as const;
    for (const [index, [tool, sent, heard = sent]] of cases.entries()) {
      await client.say(session.id, `/call ${tool} {}`);
      const request = await client.event("interaction_request", index + 1);
      expect(await client.answer(request, sent)).toMatchObject({ ok: true, response: heard });
      const { payload } = await client.event("tool_result", index + 1);
      expect(payload.ok).toBe(true);
      expect(payload.result).toEqual({
        response: heard,
        info: {
          interactionId: request.payload.interactionId,
          attempt: 1,
          responder: { id: "owner", name: expect.any(String), clientId: "phone" },
        },
      });
      await client.event("turn_end", index + 1);
    }
  },
);

verifies(
  "respond:names-prompt",
  "an answer that names no prompt, or a call or session that is not the prompt's, finds nothing",
  { tools: [input] },
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.session();
    await client.say(session.id, "/parallel input {} | input {}");
    const first = await client.event("interaction_request", 1);
    const second = await client.event("interaction_request", 2);
    const before = await story(world, session.id);
    const right = {
      sessionId: session.id,
      callId: first.payload.toolCallId,
      interactionId: first.payload.interactionId,
    };
    for (const wrong of [
      { interactionId: "nothing" },
      { callId: second.payload.toolCallId },
      { callId: "nothing" },
      { sessionId: other.id },
      { sessionId: "nothing" },
    ]) {
      const frame = { type: "tool_interaction_response", ...right, ...submit("a"), ...wrong };
      expect(await client.ask(frame)).toMatchObject({
        type: "interaction_result",
        ok: false,
        code: "interaction_not_found",
        interactionId: frame.interactionId,
      });
    }
    const missing = await world.http("POST", "/api/interactions/nothing/respond", submit("a"));
    expect(missing).toMatchObject({ status: 404, body: { code: "interaction_not_found" } });
    expect(await story(world, session.id)).toEqual(before);
    await client.answer(first, submit("mine"));
    const result = await client.event("tool_result");
    expect(result.payload.toolCallId).toBe(first.payload.toolCallId);
    const open = (await world.http("GET", "/api/interactions?status=pending")).body.interactions;
    expect(open.map((one: { id: string }) => one.id)).toEqual([second.payload.interactionId]);
  },
);
