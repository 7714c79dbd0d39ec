import { expect } from "vitest";
import { story } from "./story.ts";
import { askingTool, echo } from "./tools.ts";
import { verifies } from "./verifies.ts";

const options = askingTool("options", () => ({
  type: "approval",
  approvalOptions: [
    { id: "yes", label: "Yes, run it", decision: "approve" },
    { id: "all", label: "Yes, always", decision: "approve", covers: ["npm test"] },
    { id: "no", label: "No", decision: "deny" },
  ],
  onResponse: echo,
}));

verifies(
  "respond:reaches-hook",
  "an agent's own choices are answered by their id, and only as what they mean",
  { tools: [options] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call options {}");
    const request = await client.event("interaction_request");
    expect(request.payload.approvalOptions).toHaveLength(3);
    for (const bad of [
      { action: "approve", optionId: "other" },
      { action: "approve", optionId: "no" },
      { action: "deny", optionId: "all" },
      { action: "approve", approvalScope: "always" },
    ]) {
      const reply = await client.answer(request, bad);
      expect(reply, JSON.stringify(bad)).toMatchObject({ ok: false, code: "invalid_response" });
    }
    const reply = await client.answer(request, { action: "approve", optionId: "all" });
    expect(reply).toMatchObject({ ok: true, response: { optionId: "all" } });
    const result = await client.event("tool_result");
    expect(result.payload.result).toMatchObject({ action: "approve", optionId: "all" });
  },
);

const parameters = {
  type: "object",
  properties: { command: { type: "string" }, times: { type: "integer" } },
  required: ["command"],
  additionalProperties: false,
};
const editable = askingTool(
  "editable",
  () => ({ type: "approval", editable: true, onResponse: echo }),
  { parameters },
);
const fixed = askingTool("fixed", () => ({ type: "approval", onResponse: echo }), { parameters });

verifies(
  "respond:reaches-hook",
  "an edited input is checked against the tool's schema and reaches the hook",
  { tools: [editable, fixed] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call editable {"command":"rm -r x"}');
    const request = await client.event("interaction_request");
    expect(request.payload).toMatchObject({ editable: true, toolInput: { command: "rm -r x" } });
    const path = `/api/interactions/${request.payload.interactionId}/respond`;
    for (const [updatedInput, field] of [
      [{ command: 5 }, "command"],
      [{ command: "rm x", more: 1 }, "more"],
      [{ command: "rm x", times: 1.5 }, "times"],
      [{}, "command"],
      ["rm x", ""],
      [null, ""],
    ] as const) {
      const { status, body } = await world.http("POST", path, { action: "approve", updatedInput });
      expect({ status, code: body.code }).toEqual({ status: 422, code: "invalid_response" });
      expect(Object.keys(body.fieldErrors), JSON.stringify(updatedInput)).toContain(field);
    }
    const updatedInput = { command: "rm x", times: 2 };
    const denied = await world.http("POST", path, { action: "deny", updatedInput });
    expect(denied.status).toBe(422);
    const good = await world.http("POST", path, { action: "approve", updatedInput });
    expect(good).toMatchObject({
      status: 200,
      body: { status: "answered", response: { updatedInput } },
    });
    const result = await client.event("tool_result");
    expect(result.payload.result).toMatchObject({ action: "approve", updatedInput });
    await client.event("turn_end");

    await client.say(session.id, '/call fixed {"command":"rm -r x"}');
    const other = await client.event("interaction_request", 2);
    const reply = await client.answer(other, { action: "approve", updatedInput });
    expect(reply).toMatchObject({ ok: false, code: "invalid_response" });
  },
);

verifies(
  "respond:reaches-hook",
  "deny with stop ends the call, the calls beside it and the turn in one go",
  { tools: [fixed] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/parallel fixed {"command":"a"} | fixed {"command":"b"}');
    const stopped = await client.event("interaction_request", 1);
    await client.event("interaction_request", 2);
    await client.say(session.id, "and then this");
    const before = (await world.log(session.id)).length;
    for (const bad of [
      { action: "approve", stop: true },
      { action: "approve", stop: false },
    ]) {
      expect(await client.answer(stopped, bad)).toMatchObject({ code: "invalid_response" });
    }
    await client.answer(stopped, { action: "deny", stop: true, reason: "all wrong" });
    const end = await client.event("turn_end");
    expect(end.payload.status).toBe("cancelled");
    await client.event("turn_end", 2);
    const told = await story(world, session.id);
    expect(told.slice(before)).toEqual([
      "interaction_response deny",
      "interaction_pending false",
      "tool_result ok",
      "interaction_closed cancelled",
      "interaction_pending false",
      "tool_result tool_cancelled",
      "turn_end cancelled",
      "turn_start user",
      "text",
      "turn_end completed",
    ]);
    const log = await world.log(session.id);
    const ok = log.find((event) => event.type === "tool_result");
    expect(ok?.payload).toMatchObject({
      toolCallId: stopped.payload.toolCallId,
      result: { action: "deny", stop: true, reason: "all wrong" },
    });
  },
);
