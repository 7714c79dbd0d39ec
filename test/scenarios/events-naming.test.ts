import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { callTool, operate, startTurn } from "./turns.ts";
import { INTERACTION_EVENTS, NAME_FORM, nameTool } from "./tools.ts";
import { verifies } from "./verifies.ts";

verifies(
  "events:correlation",
  "events name call and prompt; inside a turn also turn and response, outside neither",
  { tools: [nameTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_name");
    const request = await turn.request();
    await client.answer(request, { action: "submit", input: { name: "Ada" } });
    await turn.end();
    const inside = client.events().filter(({ type }) => INTERACTION_EVENTS.has(type));
    expect(inside).toHaveLength(4);
    const { toolCallId, interactionId } = request.payload;
    const call = await client.event("tool_call");
    expect(call.payload).toMatchObject({ toolCallId, toolName: "t_name", origin: "agent" });
    expect(call.responseId).toEqual(expect.any(String));
    for (const event of inside) {
      expect(event).toMatchObject({ turnId: turn.turnId, responseId: call.responseId });
      expect(event.payload).toMatchObject({ toolCallId, interactionId });
    }

    const called = operate(world, session.id, "t_name", {}, { "x-tool-call-id": "mine" });
    const alone = await client.event("interaction_request", (one) => one.toolCallId === "mine");
    await client.answer(alone, { action: "submit", input: { name: "Bob" } });
    expect((await called).body).toEqual({ ok: true, result: "Bob" });
    await client.event("tool_result", (result) => result.toolCallId === "mine");
    const outside = client.events().slice(client.events().indexOf(alone) - 2);
    expect(outside.map(({ type }) => type)).toEqual([
      "tool_call",
      "interaction_pending",
      "interaction_request",
      "interaction_response",
      "interaction_pending",
      "tool_result",
    ]);
    for (const event of outside) {
      expect(Object.keys(event)).not.toContain("turnId");
      expect(Object.keys(event)).not.toContain("responseId");
      expect(event.payload).toMatchObject({ toolCallId: "mine" });
    }
    expect(outside[0]?.payload).toMatchObject({ origin: "http" });
    const again = await operate(world, session.id, "t_name", {}, { "x-tool-call-id": "mine" });
    expect(again.body).toEqual({ ok: true, result: "Bob" });
  },
);

const view = { showInputs: true, summaryTemplate: "{{action}}: {{input.name}}" };
verifies(
  "events:self-contained",
  "a request says how it is shown, while it is open and when it is done",
  {
    tools: [
      defineTool({
        name: "t_view",
        description: "Says how it wants to be shown",
        durable: "replay",
        parameters: { type: "object" },
        handler: (_args, ctx) =>
          ctx.requestInteraction({
            type: "input",
            inputSchema: NAME_FORM,
            presentation: "questionnaire",
            completedView: view,
            onResponse: () => ({ complete: 1 }),
          }),
      }),
      nameTool,
    ],
  },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await startTurn(client, session.id, "/parallel t_view {} | t_name {}");
    const told = (await turn.request(1, "t_view")).payload;
    expect(told).toMatchObject({ presentation: "questionnaire", completedView: view });
    const plain = (await turn.request(1, "t_name")).payload;
    expect(plain.presentation).toBe("tool");
    expect(plain).not.toHaveProperty("completedView");
    const record = await world.http("GET", `/api/interactions/${told.interactionId}`);
    expect(record.body.request).toEqual(told);
  },
);
