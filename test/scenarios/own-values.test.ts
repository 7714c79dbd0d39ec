import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { createDoor } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";

const TAGS = {
  type: "form" as const,
  fields: [
    {
      id: "tags",
      type: "multiselect" as const,
      label: "Tags",
      options: [
        { value: "a", label: "a" },
        { value: "b", label: "b" },
      ],
    },
  ],
};

let door = createDoor();
const scribbler = defineTool({
  name: "scribbler",
  description: "Writes into everything that it is given",
  parameters: { type: "object" },
  durable: "replay",
  async handler(_args, ctx) {
    const value = (await ctx.requestInteraction({
      type: "input",
      inputSchema: TAGS,
      onResponse(response, { responder }) {
        const tags = response.input?.["tags"] as string[];
        const complete = { tags: [...tags] };
        tags.push("scribbled");
        (responder as { name?: string }).name = "scribbled";
        return { complete };
      },
    })) as { tags: string[] };
    const seen = structuredClone(value);
    value.tags.push("scribbled");
    door.arrive();
    await door.opened;
    return seen;
  },
});

inEveryMode(
  "what a tool does to an answer or an outcome that it was given changes nothing for others",
  { tools: [scribbler] },
  async (world) => {
    door = createDoor();
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call scribbler {}");
    const request = await client.event("interaction_request");
    await client.answer(request, { action: "submit", input: { tags: ["a"] } });
    await door.reached;
    await world.advance(1_000);
    const { interactionId } = request.payload;
    const stored = {
      response: { input: { tags: ["a"] }, responder: { name: "Owner" } },
      result: { tags: ["a"] },
    };
    const found = await world.http("GET", `/api/interactions/${interactionId}`);
    expect(found.body).toMatchObject(stored);
    expect(await world.interaction(interactionId)).toMatchObject({ response: stored.response });

    const crashing = world.crash();
    door.open();
    await crashing;
    door = createDoor();
    await door.reached;
    const again = await world.http("GET", `/api/interactions/${interactionId}`);
    expect(again.body).toMatchObject(stored);
    door.open();
    const late = await world.person();
    await late.subscribe(session.id);
    const result = await late.event("tool_result");
    expect(result.payload).toMatchObject({ ok: true, result: { tags: ["a"] } });
  },
);
