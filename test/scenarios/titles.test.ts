import { expect } from "vitest";
import { LIMITS } from "../../src/protocol/index.ts";
import { approvalTool } from "./tools.ts";
import { operate } from "./turns.ts";
import { verifies } from "./verifies.ts";
import type { World } from "./world.ts";

const unnamed = async (world: World) => (await world.http("POST", "/api/sessions", {})).body;
const titleOf = async (world: World, id: string) =>
  (await world.http("GET", `/api/sessions/${id}`)).body.title;
const send = (world: World, id: string, body: object) =>
  world.http("POST", `/api/sessions/${id}/messages`, body);

verifies([], "a session without a name is called after its first message", {}, async (world) => {
  const { id, title } = await unnamed(world);
  expect(title).toBe("New session");
  await send(world, id, { content: "  Find the leak\nin the cellar" });
  expect(await titleOf(world, id)).toBe("Find the leak");
  await send(world, id, { content: "And then?" });
  expect(await titleOf(world, id)).toBe("Find the leak");

  const long = await unnamed(world);
  await send(world, long.id, { content: "é".repeat(LIMITS.titleCharacters + 1) });
  expect(await titleOf(world, long.id)).toBe(`${"é".repeat(60)}…`);

  const { body } = await world.http("POST", "/api/sessions", { title: "Cellar" });
  await send(world, body.id, { content: "Find the leak" });
  expect(await titleOf(world, body.id)).toBe("Cellar");
});

verifies(
  [],
  "a session without a name is called after the first question that is asked in it",
  { tools: [approvalTool] },
  async (world) => {
    const asked = await unnamed(world);
    const question = { sessionId: asked.id, type: "approval", prompt: "Deploy it?" };
    await world.http("POST", "/api/interactions", question);
    expect(await titleOf(world, asked.id)).toBe("Deploy it?");

    const called = await unnamed(world);
    const client = await world.person();
    await client.subscribe(called.id);
    const result = operate(world, called.id, "t_ask");
    const request = await client.event("interaction_request");
    expect(await titleOf(world, called.id)).toBe(request.payload.prompt ?? "t_ask");
    await client.answer(request, { action: "approve" });
    await result;
  },
);

verifies([], "over HTTP a message's words are content or text, and not both", {}, async (world) => {
  const { id } = await unnamed(world);
  expect((await send(world, id, { text: "as text" })).status).toBe(202);
  expect((await send(world, id, { content: "the same", text: "the same" })).status).toBe(202);
  const log = await world.log(id);
  const words = log.flatMap((event) => (event.type === "user_message" ? [event.payload.text] : []));
  expect(words).toEqual(["as text", "the same"]);
  for (const body of [{}, { text: "" }, { content: "one", text: "another" }]) {
    expect(await send(world, id, body)).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
  }
});
