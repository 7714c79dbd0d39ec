import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { callTool, createDoor, startTurn } from "./turns.ts";
import { INTERACTION_EVENTS, NAME_FORM, nameTool } from "./tools.ts";
import { verifies } from "./verifies.ts";

verifies(
  "events:stored-and-sent",
  "whatever a client hears is in the log already, as the very same event",
  { tools: [nameTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_name");
    const seen = async () => {
      const heard = client.events();
      const log = await world.log(session.id);
      expect(log.slice(0, heard.length)).toEqual(heard);
      return heard.filter((event) => INTERACTION_EVENTS.has(event.type)).length;
    };
    const first = await turn.request();
    expect(await seen()).toBe(2);
    await client.answer(first, { action: "submit", input: { name: "A" } });
    const second = await turn.request(2);
    expect(await seen()).toBe(6);
    await client.answer(second, { action: "submit", input: { name: "Ada" } });
    await turn.end();
    expect(await seen()).toBe(8);
    for (const frame of client.frames.filter(({ type }) => type === "chat_event")) {
      expect(frame["sessionId"]).toBe(session.id);
    }
  },
);

let door = createDoor();
const slow = defineTool({
  name: "t_slow",
  description: "Has a hook that takes its time",
  durable: "replay",
  parameters: { type: "object" },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "input",
      inputSchema: NAME_FORM,
      async onResponse({ input }) {
        door.arrive();
        await door.opened;
        return { complete: input };
      },
    }),
});

verifies(
  "events:response-before-hook",
  "an answer is stored and told to everybody while its hook still works",
  { tools: [slow] },
  async (world) => {
    door = createDoor();
    const { session, client } = await world.conversation();
    const other = await world.person();
    await other.subscribe(session.id);
    const turn = await callTool(client, session.id, "t_slow");
    const request = await turn.request();
    const sent = { action: "submit", input: { name: "Ada" } };
    expect((await client.answer(request, { ...sent, responseId: "r1" })).ok).toBe(true);
    await door.reached;
    for (const one of [client, other]) {
      const response = await one.event("interaction_response");
      expect(response.payload).toMatchObject({
        ...sent,
        answerId: "r1",
        responder: { id: "owner" },
      });
      expect(response.payload.late).toBeUndefined();
    }
    const log = await world.log(session.id);
    expect(log.map(({ type }) => type).slice(-2)).toEqual([
      "interaction_response",
      "interaction_pending",
    ]);
    expect(client.events().some(({ type }) => type === "tool_result")).toBe(false);
    door.open();
    expect((await turn.result()).payload.result).toEqual({ name: "Ada" });
  },
);

verifies(
  "events:unique-id",
  "every prompt has an id of its own, also of the same millisecond",
  { tools: [nameTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const uses = Array.from({ length: 10 }, () => "t_name {}").join(" | ");
    const turn = await startTurn(client, session.id, `/parallel ${uses}`);
    await client.event("interaction_request", 10);
    for (const event of client.events()) {
      if (event.type !== "interaction_request") continue;
      await client.answer(event, { action: "submit", input: { name: "A" } });
    }
    const last = await client.event("interaction_request", 20);
    const prompts = client.events().filter(({ type }) => type === "interaction_request");
    const times = new Set(prompts.map(({ timestamp }) => timestamp));
    expect([...times]).toEqual([last.timestamp]);
    const ids = prompts.map(({ payload }) => String(payload["interactionId" as never]));
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{20,}$/);
    await client.ask({ type: "cancel", sessionId: session.id });
    await turn.end();
  },
);
