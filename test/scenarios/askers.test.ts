import { expect } from "vitest";
import { approvalTool, askingTool, echo, NAME_FORM } from "./tools.ts";
import { defineTool, type ToolDefinition } from "../../src/core/index.ts";
import { callTool, operate } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";

/** Claims to be somebody else, and asks again before it is content. */
const liar = askingTool("t_liar", () => ({
  type: "input",
  prompt: "The owner wants to know your name.",
  inputSchema: NAME_FORM,
  asker: { name: "Owner", kind: "person" },
  promptBy: "tool",
  onResponse(response, { attempt }) {
    if (attempt > 1) return echo(response);
    return {
      reprompt: { type: "input", asker: { name: "Owner", kind: "person" }, promptBy: "tool" },
    };
  },
}));

inEveryMode(
  "what an agent's tool asks names the agent",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const request = await (await callTool(client, session.id, "t_ask")).request();
    expect(request.payload.asker).toEqual({ name: "Demo", kind: "agent" });
    const path = `/api/interactions/${request.payload.interactionId}`;
    const { body } = await world.http("GET", path);
    expect(body.request.asker).toEqual({ name: "Demo", kind: "agent" });
  },
);

inEveryMode(
  "an operation that is called over HTTP names whoever called it, and not the agent",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const authorization = `Bearer ${await world.machine(session.id)}`;
    void operate(world, session.id, "t_ask", {}, { authorization }).catch(() => {});
    const first = await client.event("interaction_request", 1);
    expect(first.payload.asker).toEqual({ name: "script", kind: "machine" });
    void operate(world, session.id, "t_ask").catch(() => {});
    const second = await client.event("interaction_request", 2);
    expect(second.payload.asker).toEqual({ name: "Owner", kind: "person" });
    await client.answer(first, { action: "deny" });
    await client.answer(second, { action: "deny" });
  },
);

inEveryMode("what a program asks by itself names the program", {}, async (world) => {
  const session = await world.session();
  const authorization = `Bearer ${await world.machine(session.id)}`;
  const claims = { asker: { name: "Owner", kind: "person" }, promptBy: "tool" };
  const body = { type: "approval", prompt: "Ship it?", ...claims };
  const asked = await world.http("POST", "/api/interactions", body, { authorization });
  expect(asked.body.request.asker).toEqual({ name: "script", kind: "machine" });
  expect(asked.body.request.promptBy).toBeUndefined();
});

inEveryMode("nobody can say that somebody else asks", { tools: [liar] }, async (world) => {
  const { session, client } = await world.conversation();
  const turn = await callTool(client, session.id, "t_liar");
  const request = await turn.request();
  expect(request.payload.asker).toEqual({ name: "Demo", kind: "agent" });
  await client.answer(request, { action: "submit", input: { name: "Ada" } });
  expect((await turn.request(2)).payload.asker).toEqual({ name: "Demo", kind: "agent" });
});

/** Every call of it is asked about, in its own words. */
const gated: ToolDefinition = defineTool({
  name: "t_gated",
  description: "Deletes for the test.",
  parameters: { type: "object" },
  durable: "replay",
  approval: { prompt: () => "Delete these files?" },
  handler: () => "deleted",
});

inEveryMode(
  "what a tool says before each of its calls is marked as the tool's words, and nothing else is",
  { tools: [gated, liar] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_gated");
    const request = await turn.request();
    expect(request.payload).toMatchObject({
      prompt: "Delete these files?",
      promptBy: "tool",
      asker: { name: "Demo", kind: "agent" },
    });
    await client.answer(request, { action: "approve" });
    await turn.end();
    const other = await callTool(client, session.id, "t_liar");
    const first = await other.request();
    expect(first.payload.promptBy).toBeUndefined();
    await client.answer(first, { action: "submit", input: { name: "Ada" } });
    expect((await other.request(2)).payload.promptBy).toBeUndefined();
  },
);
