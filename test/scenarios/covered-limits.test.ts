import { expect } from "vitest";
import { type AgentRuntime, defineTool } from "../../src/core/index.ts";
import { callTool, operate, startTurn } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

interface Args {
  key: string;
  id: string;
  asks?: boolean;
}

/** Runs when somebody allows it, and may ask something of its own then. */
const guarded = (name: string, durable: "replay" | "orphan" = "replay") =>
  defineTool<Args>({
    name,
    description: "Runs when somebody allows it",
    durable,
    parameters: { type: "object" },
    approval: {
      complete: (args) => ({ ...args, key: args.key.toLowerCase() }),
      key: ({ key }) => key,
      scopes: ["once", "session", "always"],
    },
    handler: ({ asks }, ctx) =>
      asks
        ? ctx.requestInteraction({
            type: "approval",
            prompt: "Really?",
            timeoutMs: null,
            approvalScopes: ["once", "session", "always"],
            onResponse: ({ action }) => ({ complete: action }),
          })
        : "ran",
  });
const tools = [guarded("t_guarded"), guarded("t_twin"), guarded("t_mortal", "orphan")];
const ALWAYS = { action: "approve", approvalScope: "always" };
const call = (tool: string, args: Args) => `${tool} ${JSON.stringify(args)}`;

async function openPrompts(world: World): Promise<string[]> {
  const { interactions } = (await world.http("GET", "/api/interactions")).body;
  return interactions.map(({ id }: { id: string }) => id).toSorted();
}

inEveryMode(
  "what is allowed for a session answers no prompt of another tool or session, and none that a tool asks by itself",
  { tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.session();
    await client.subscribe(other.id);
    const asked = async (id: string) => {
      const { payload } = await client.event(
        "interaction_request",
        ({ toolInput, prompt }) => (toolInput as Partial<Args>).id === id && prompt === undefined,
      );
      return payload;
    };
    void operate(world, other.id, "t_guarded", { key: "a", id: "elsewhere" }).catch(() => {});
    const elsewhere = await asked("elsewhere");
    const calls = [
      call("t_guarded", { key: "a", id: "given" }),
      call("t_guarded", { key: "a", id: "asking", asks: true }),
      call("t_twin", { key: "a", id: "twin" }),
    ];
    await startTurn(client, session.id, `/parallel ${calls.join(" | ")}`);
    const [given, asking, twin] = [
      await asked("given"),
      await asked("asking"),
      await asked("twin"),
    ];
    const answer = (one: typeof given, body: Record<string, unknown>) =>
      world.http("POST", `/api/interactions/${one.interactionId}/respond`, body);
    await answer(asking, { action: "approve" });
    const own = await client.event("interaction_request", ({ prompt }) => prompt === "Really?");
    await answer(given, { action: "approve", approvalScope: "session" });
    const { toolCallId } = given;
    await client.event("tool_result", (result) => result.toolCallId === toolCallId);
    const left = [elsewhere, twin, own.payload].map(({ interactionId }) => interactionId);
    expect(await openPrompts(world)).toEqual(left.toSorted());
  },
);

inEveryMode(
  "a call that no process holds any more goes on when what is allowed covers it, and the log keeps who decided",
  { tools },
  async (world) => {
    let { session, client } = await world.conversation();
    const headers = { "x-tool-call-id": "before" };
    const input = { key: "A", id: "1" };
    void operate(world, session.id, "t_guarded", input, headers).catch(() => {});
    await client.event("interaction_request");
    await world.crash();
    client = await world.person();
    await client.subscribe(session.id);
    const turn = await callTool(client, session.id, "t_guarded", { key: "a", id: "2" });
    await client.answer(await turn.request(), ALWAYS);
    const { payload } = await client.event("tool_result", (one) => one.toolCallId === "before");
    expect(payload).toMatchObject({ ok: true, authorizedBy: expect.stringMatching(/^grant:/) });
    await turn.end();
    const rows = await world.sql(
      "SELECT audit FROM events WHERE type = 'interaction_response' ORDER BY seq",
    );
    const [given = {}, covered] = rows.map(
      ({ audit }) => JSON.parse(String(audit)) as Record<string, unknown>,
    );
    const { shownDigest: _shown, actionDigest: _action, ...who } = given;
    expect(who).toMatchObject({ principalId: "owner", tokenId: expect.any(String) });
    expect(covered).toMatchObject({
      ...who,
      shownDigest: expect.any(String),
      actionDigest: expect.any(String),
    });
  },
);

inEveryMode(
  "an orphan, whose answer its agent hears as a message, is answered by nothing but an answer",
  { tools },
  async (world) => {
    let { session, client } = await world.conversation();
    const first = await callTool(client, session.id, "t_mortal", { key: "a", id: "1" });
    const orphan = (await first.request()).payload.interactionId;
    await world.crash();
    client = await world.person();
    await client.subscribe(session.id);
    await client.event("turn_end");
    const again = await callTool(client, session.id, "t_mortal", { key: "a", id: "2" });
    await client.answer(await again.request(), ALWAYS);
    await again.end();
    expect(await openPrompts(world)).toEqual([orphan]);
  },
);

/** Asks about the same command twice at once, and offers the second time only to allow it once. */
const runtime: AgentRuntime = {
  id: "runtime",
  name: "Runtime",
  description: "For tests.",
  capabilities: { reenter: "none", steer: false },
  async run(turn) {
    const ask = async (nativeId: string, scopes: ("once" | "session")[]) => {
      const use = { nativeId, toolName: "Bash", input: { command: "ls" } };
      const native = await turn.startCall(use);
      await native.approve({ scopes });
      await native.end({ ok: true, result: nativeId });
    };
    await Promise.all([ask("toolu_1", ["once", "session"]), ask("toolu_2", ["once"])]);
    return { status: "completed" };
  },
};

inEveryMode(
  "what is allowed answers no prompt that does not offer as much",
  { agents: [runtime] },
  async (world) => {
    const client = await world.person();
    const session = await world.session({ agent: "runtime" });
    await client.subscribe(session.id);
    await client.say(session.id, "go");
    const asked = (id: string) =>
      client.event("interaction_request", ({ toolCallId }) => toolCallId === id);
    const [wide, narrow] = [await asked("toolu_1"), await asked("toolu_2")];
    await client.answer(wide, { action: "approve", approvalScope: "session" });
    await client.event("tool_result", ({ toolCallId }) => toolCallId === "toolu_1");
    expect(await openPrompts(world)).toEqual([narrow.payload.interactionId]);
    await client.answer(narrow, { action: "approve" });
    await client.event("turn_end");
  },
);
