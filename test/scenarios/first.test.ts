import { expect } from "vitest";
import { verifies } from "./verifies.ts";

verifies(
  "ask:happy-path",
  "a tool call pauses, a person answers, the call goes on with the answer",
  {},
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call ask_user {"question":"Which colour?"}');
    const request = await client.event("interaction_request");
    expect(request.payload.inputSchema?.fields?.[0]).toMatchObject({
      id: "answer",
      label: "Which colour?",
    });
    const reply = await client.answer(request, { action: "submit", input: { answer: "blue" } });
    expect(reply).toMatchObject({ type: "interaction_result", ok: true });
    const result = await client.event("tool_result");
    expect(result.payload).toMatchObject({ ok: true, result: { ok: true, answer: "blue" } });
    await client.event("turn_end");
    expect((await world.log(session.id)).map((event) => event.type)).toEqual([
      "user_message",
      "turn_start",
      "tool_call",
      "interaction_pending",
      "interaction_request",
      "interaction_response",
      "interaction_pending",
      "tool_result",
      "text",
      "turn_end",
    ]);
    expect(client.events()).toEqual(await world.log(session.id));
  },
);

// #region restart
verifies(
  "replay:restart",
  "a killed server changes nothing: the prompt is listed, shown and answerable",
  {},
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call ask_user {"question":"Still there?"}');
    await client.event("interaction_request");
    await world.crash();
    const listed = (await world.http("GET", "/api/interactions?status=pending")).body;
    expect(listed.interactions).toHaveLength(1);
    const again = await world.person();
    await again.subscribe(session.id);
    const request = await again.event("interaction_request");
    expect((await again.answer(request, { action: "submit", input: { answer: "yes" } })).ok).toBe(
      true,
    );
    expect((await again.event("tool_result")).payload).toMatchObject({
      ok: true,
      result: { answer: "yes" },
    });
    expect((await again.event("turn_end")).payload.status).toBe("completed");
  },
);
// #endregion restart
