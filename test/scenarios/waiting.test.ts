import { expect } from "vitest";
import { createClaudeAgent } from "../../src/agents/index.ts";
import { type AgentRuntime, defineTool } from "../../src/core/index.ts";
import type { ChatEvent } from "../../src/protocol/index.ts";
import type { EventOf } from "./client.ts";
import { PERMISSION, post } from "./hook-calls.ts";
import { approvalTool, askingTool, echo } from "./tools.ts";
import { inEveryMode } from "./verifies.ts";
import { Watch } from "./watch.ts";
import type { World } from "./world.ts";

const MONTH = 30 * 86_400_000;
const QUESTIONS = [
  { header: "Colour", question: "Which?", options: [{ label: "Red" }, { label: "Blue" }] },
];
/** What asks people, as a message to the demo agent. */
const ASKING = {
  ask_user: '/call ask_user {"question":"Which port?"}',
  ask_questions: `/call ask_questions ${JSON.stringify({ questions: QUESTIONS })}`,
  "an approval by the gate": "/call t_guarded {}",
};
const LATE = askingTool("t_late", () => ({
  type: "approval",
  onResponse: echo,
  onTimeout: () => ({ complete: "over" }),
}));
const guarded = defineTool({
  name: "t_guarded",
  description: "Runs when a person has approved it",
  durable: "replay",
  parameters: { type: "object" },
  approval: {},
  handler: () => "ran",
});
const tools = [guarded, approvalTool, LATE];

/** A prompt that the demo agent causes while nobody is there; a reader is no one. */
async function askAlone(world: World, message: string) {
  const session = await world.session();
  const path = `/api/sessions/${session.id}/messages`;
  await world.http("POST", path, { content: message });
  const off = await world.person({ interaction: { supported: false, enabled: false } });
  await off.subscribe(session.id);
  const isEnd = (type: string) => type === "interaction_request" || type === "tool_result";
  const frame = await off.until((one) => isEnd(one["event"]?.type));
  const event = frame["event"] as ChatEvent;
  return { session, event, off };
}

for (const [name, message] of Object.entries(ASKING)) {
  inEveryMode(`${name} waits for people, be it a month`, { tools }, async (world) => {
    const { event, off } = await askAlone(world, message);
    expect(event.type).toBe("interaction_request");
    const request = event as EventOf<"interaction_request">;
    expect(request.payload).not.toHaveProperty("timeoutMs");
    expect(request.payload).not.toHaveProperty("expiresAt");
    world.clock.jump(MONTH);
    await world.advance(600_000);
    const { interactionId } = request.payload;
    expect((await world.interaction(interactionId)).status).toBe("open");
    const path = `/api/interactions/${interactionId}/respond`;
    const body = request.payload.interactionType === "approval" ? "deny" : "cancel";
    expect((await world.http("POST", path, { action: body })).status).toBe(200);
    await off.event("turn_end");
  });
}

inEveryMode("a tool's own prompt keeps its five minutes", { tools }, async (world) => {
  const { event } = await askAlone(world, "/call t_ask {}");
  expect(event.payload).toMatchObject({ ok: false, error: { code: "interaction_unavailable" } });
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call t_ask {}");
  const request = await client.event("interaction_request");
  expect(request.payload).toMatchObject({ timeoutMs: 300_000, afterTimeout: "fail" });
  await client.say(session.id, "/call t_late {}", { delivery: "interrupt" });
  const late = await client.event("interaction_request", 2);
  expect(late.payload).toMatchObject({ timeoutMs: 300_000, afterTimeout: "tool" });
});

const claude = { agents: [createClaudeAgent()] };
inEveryMode("a hook of Claude Code waits without a deadline", claude, async (world) => {
  const watch = await Watch.start(world);
  const held = post(world, PERMISSION);
  const asked = await watch.prompt();
  expect(asked.request).not.toHaveProperty("timeoutMs");
  await world.http("POST", `/api/interactions/${asked.id}/respond`, { action: "approve" });
  expect((await held).status).toBe(200);
});

/** Asks something about a call that it executes itself. */
const runtime: AgentRuntime = {
  id: "runtime",
  name: "Runtime",
  description: "For tests.",
  capabilities: { reenter: "none", steer: false },
  async run(turn) {
    const call = await turn.startCall({ nativeId: "toolu_1", toolName: "Look", input: {} });
    const result = await call.ask({ type: "approval", onResponse: echo });
    await call.end({ ok: true, result });
    return { status: "completed" };
  },
};
inEveryMode(
  "what a runtime asks waits without a deadline",
  { agents: [runtime] },
  async (world) => {
    const { id } = await world.session({ agent: "runtime" });
    const client = await world.person({ interaction: { supported: false, enabled: false } });
    await client.subscribe(id);
    await client.say(id, "go");
    const asked = await client.event("interaction_request");
    expect(asked.payload).not.toHaveProperty("timeoutMs");
    const path = `/api/interactions/${asked.payload.interactionId}/respond`;
    await world.http("POST", path, { action: "approve" });
    await client.event("turn_end");
  },
);

const hurried = { tools, ...claude, defaults: { timeoutMs: 60_000 } };
inEveryMode("the default time of the settings counts for each", hurried, async (world) => {
  const { session, client } = await world.conversation();
  const messages = [...Object.values(ASKING), "/call t_ask {}"];
  for (const [index, content] of messages.entries()) {
    await client.say(session.id, content, { delivery: "interrupt" });
    const request = await client.event("interaction_request", index + 1);
    expect(request.payload).toMatchObject({ timeoutMs: 60_000, expiresAt: expect.any(String) });
  }
  const body = { type: "approval", prompt: "Ship it?", requestId: "r1" };
  const asked = await world.http("POST", "/api/interactions", body);
  expect(asked.body.request.timeoutMs).toBe(60_000);
  expect((await world.http("POST", "/api/interactions", body)).status).toBe(200);
  // What a prompt says itself counts, also that it waits for ever.
  const patiently = { ...body, requestId: "r2", timeoutMs: null };
  const waits = await world.http("POST", "/api/interactions", patiently);
  expect(waits.body.request).not.toHaveProperty("timeoutMs");
  const watch = await Watch.start(world);
  void post(world, PERMISSION).catch(() => {});
  // Of those before, one node may hear late.
  const isOfHook = ({ request }: any) => request.toolName === PERMISSION.tool_name;
  let prompt = await watch.prompt();
  while (!isOfHook(prompt)) prompt = await watch.prompt();
  expect(prompt.request.timeoutMs).toBe(60_000);
});

const choosy = { tools, ...claude, defaults: { whenUnavailable: "throw" } as const };
inEveryMode("the settings can let each fail when nobody is there", choosy, async (world) => {
  for (const message of Object.values(ASKING)) {
    const { event } = await askAlone(world, message);
    expect(event.payload).toMatchObject({ ok: false, error: { code: "interaction_unavailable" } });
  }
  const body = { type: "approval", prompt: "Ship it?" };
  expect((await world.http("POST", "/api/interactions", body)).body.code).toBe(
    "interaction_unavailable",
  );
});

const patient = { tools, defaults: { timeoutMs: null, whenUnavailable: "wait" } as const };
inEveryMode("the settings can let every tool wait for ever", patient, async (world) => {
  const { event } = await askAlone(world, "/call t_ask {}");
  expect(event.type).toBe("interaction_request");
  expect(event.payload).not.toHaveProperty("expiresAt");
});
