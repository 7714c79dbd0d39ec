import { expect } from "vitest";
import { defineTool, type HookOutcome, type UserResponse } from "../../src/core/index.ts";
import { callTool } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";

const FORM = {
  type: "form" as const,
  fields: [{ id: "branch", type: "text" as const, label: "Branch", required: true }],
};
const NEXT = "Deploy that?";

/** Asks for a branch first, or comes to that from an approval; then asks whether to deploy it. */
const deploy = defineTool<{ first: "approval" | "input"; text?: string }>({
  name: "t_deploy",
  description: "Asks for a branch, then for an approval",
  durable: "replay",
  parameters: { type: "object" },
  handler({ first }, ctx) {
    const onResponse = ({ action, reason }: UserResponse): HookOutcome => {
      if (reason === "another") return { reprompt: { type: "input", inputSchema: FORM } };
      if (action === "submit") return { reprompt: { type: "approval", prompt: NEXT } };
      return { complete: action };
    };
    return first === "input"
      ? ctx.requestInteraction({ type: "input", inputSchema: FORM, onResponse })
      : ctx.requestInteraction({ type: "approval", approvalScopes: ["once"], onResponse });
  },
});

inEveryMode(
  "an approval that follows an input shows what is approved, and offers the default scopes",
  { tools: [deploy] },
  async (world) => {
    const { session, client } = await world.conversation();
    const input = { first: "input" };
    const turn = await callTool(client, session.id, "t_deploy", input);
    const branch = { action: "submit", input: { branch: "main" } };
    expect((await turn.request()).payload).not.toHaveProperty("toolInput");
    await client.answer(await turn.request(), branch);
    const { payload } = await turn.request(2);
    expect(payload).toMatchObject({
      prompt: NEXT,
      toolInput: input,
      approvalScopes: ["once", "session"],
    });
    expect(payload).not.toHaveProperty("inputSchema");
    expect((await world.interaction(payload.interactionId)).actionDigest).not.toBeNull();
  },
);

/** Asks by itself whether it may, and remembers nothing of the answer. */
const forgetful = defineTool({
  name: "t_forgetful",
  description: "Asks, and keeps nothing",
  durable: "replay",
  parameters: { type: "object" },
  handler: (_input, ctx) =>
    ctx.requestInteraction({ type: "approval", onResponse: () => ({ complete: "done" }) }),
});

inEveryMode(
  "a wider scope that only its tool could keep is offered as the tool's to keep",
  { tools: [forgetful] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_forgetful", {});
    const { payload } = await turn.request();
    expect(payload).toMatchObject({ approvalScopes: ["once", "session"], rememberedBy: "tool" });
    await client.answer(await turn.request(), { action: "approve", approvalScope: "session" });
    await turn.end();
    expect((await world.http("GET", "/api/grants")).body.grants).toEqual([]);
  },
);

inEveryMode(
  "an approval that comes back after an input offers no more than before",
  { tools: [deploy] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_deploy", { first: "approval" });
    await client.answer(await turn.request(), { action: "deny", reason: "another" });
    const asked = await turn.request(2);
    expect(asked.payload).not.toHaveProperty("approvalScopes");
    await client.answer(asked, { action: "submit", input: { branch: "main" } });
    expect((await turn.request(3)).payload).toMatchObject({
      toolInput: { first: "approval" },
      approvalScopes: ["once"],
    });
  },
);
