import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { callTool, createDoor } from "./turns.ts";
import { verifies } from "./verifies.ts";

const did: string[] = [];
let door = createDoor();
const OBJECT = { type: "object" };

/** Three steps around a prompt, one of them in its hook, each of which can be held up by a test. */
const journeyed = defineTool<{ hold: string }>({
  name: "t_journey",
  description: "Does three things, one of them after an answer",
  durable: "replay",
  parameters: OBJECT,
  async handler({ hold }, ctx) {
    const pass = async (place: string) => {
      if (place !== hold || did.includes(`held at ${place}`)) return;
      did.push(`held at ${place}`);
      door.arrive();
      await door.opened;
    };
    const made = await ctx.step("before", () => {
      did.push("before");
      return { id: ctx.uuid(), at: ctx.now() };
    });
    await pass("between");
    const answer = await ctx.requestInteraction({
      type: "approval",
      prompt: made.id,
      async onResponse({ action }) {
        await ctx.step("in hook", () => did.push("in hook"));
        await pass("hook");
        return { complete: action };
      },
    });
    await ctx.step("after", () => did.push("after"));
    await pass("end");
    return { answer, made };
  },
});

for (const hold of ["between", "hook", "end", "nowhere"]) {
  verifies(
    "replay:restart",
    `a call that is killed goes on where it was, and no step is done twice: held ${hold}`,
    { tools: [journeyed] },
    async (world) => {
      did.length = 0;
      door = createDoor();
      let { session, client } = await world.conversation();
      const crash = async () => {
        const state = { crashed: false };
        const crashing = world.crash().finally(() => (state.crashed = true));
        // The old process may still compute; nothing of it is stored any more.
        door.open();
        while (!state.crashed) await world.advance(50);
        await crashing;
        client = await world.person();
        await client.subscribe(session.id);
      };
      await callTool(client, session.id, "t_journey", { hold });
      if (hold === "between") {
        await door.reached;
        expect(client.events().some(({ type }) => type === "interaction_request")).toBe(false);
        await crash();
      }
      const request = await client.event("interaction_request");
      if (hold === "nowhere") {
        await crash();
        await crash();
      }
      const replied = await client.answer(request, { action: "approve", responseId: "r1" });
      expect(replied.ok).toBe(true);
      if (hold === "hook" || hold === "end") {
        await door.reached;
        await crash();
        // Who did not hear the reply sends the same again and hears the same.
        const again = await client.answer(request, { action: "approve", responseId: "r1" });
        expect(again.ok).toBe(true);
      }
      const result = (await client.event("tool_result")).payload;
      expect(result).toMatchObject({ ok: true, result: { answer: "approve" } });
      expect(request.payload.prompt).toBe((result.result as any).made.id);
      await client.event("turn_end");
      expect(did.filter((one) => !one.startsWith("held"))).toEqual(["before", "in hook", "after"]);
      const log = await world.log(session.id);
      expect(log.filter(({ type }) => type === "interaction_request")).toHaveLength(1);
      expect(log.filter(({ type }) => type === "text")).toHaveLength(1);
      checkLog(log);
    },
  );
}

const orphan = defineTool<{ timeoutMs?: number; secret?: boolean }>({
  name: "t_orphan",
  description: "Asks, and cannot be run again",
  parameters: OBJECT,
  handler: ({ timeoutMs = 60_000, secret }, ctx) =>
    ctx.requestInteraction({
      type: "input",
      prompt: "Which port?",
      timeoutMs,
      inputSchema: {
        type: "form",
        fields: [{ id: "port", type: secret ? "secret" : "text", label: "Port", required: true }],
      },
      onResponse: () => ({ complete: did.push("hook") }),
    }),
});

verifies(
  "replay:restart",
  "the call of a tool that cannot be run again ends with a crash; its answer arrives as a message",
  { tools: [orphan] },
  async (world) => {
    did.length = 0;
    const { session, client: before } = await world.conversation();
    const turn = await callTool(before, session.id, "t_orphan");
    const request = await turn.request();
    await world.crash();
    const client = await world.person();
    await client.subscribe(session.id);
    const result = await client.event("tool_result");
    expect(result.payload).toMatchObject({ ok: false, error: { code: "tool_interrupted" } });
    const state = await client.event("interaction_pending", 2);
    expect(state.seq).toBe(result.seq + 1);
    expect(state.payload).toMatchObject({
      interactionId: request.payload.interactionId,
      pending: false,
      orphaned: true,
    });
    await client.event("turn_end");
    // It has no deadline any more, and another crash changes nothing.
    await world.advance(600_000);
    await world.crash();
    const again = await world.person();
    await again.subscribe(session.id);
    const { interactions } = (await world.http("GET", "/api/interactions")).body;
    expect(interactions).toMatchObject([{ status: "pending", waiting: "orphaned" }]);

    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        again.answer(request, { action: "submit", input: { port: "80" }, responseId: "r1" }),
      ),
    );
    for (const answer of answers) expect(answer.ok).toBe(true);
    const message = await again.event("user_message", (one) => one.source === "late_answer");
    expect(message.payload.interactionId).toBe(request.payload.interactionId);
    expect(message.payload.text).toContain("80");
    const started = await again.event("turn_start", (one) => one.trigger === "late_answer");
    await again.event("turn_end", (_end, event) => event.turnId === started.turnId);
    const log = await world.log(session.id);
    const late = log.filter(({ type }) => type === "interaction_response");
    expect(late).toMatchObject([{ payload: { late: true } }]);
    expect(log.filter(({ type }) => type === "user_message")).toHaveLength(2);
    expect(did).toEqual([]);
    checkLog(log);
  },
);

verifies(
  "replay:restart",
  "a prompt that asks for a secret, or whose time is up, does not outlive its run",
  { tools: [orphan] },
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.session();
    await client.subscribe(other.id);
    await (await callTool(client, session.id, "t_orphan", { secret: true })).request();
    await (await callTool(client, other.id, "t_orphan", { timeoutMs: 1_000 })).request();
    world.clock.jump(1_000);
    await world.crash();
    const after = await world.person();
    await after.subscribe(session.id);
    expect((await after.event("interaction_closed")).payload.reason).toBe("cancelled");
    await after.subscribe(other.id);
    const overdue = await after.event("interaction_closed", 2);
    expect(overdue).toMatchObject({ sessionId: other.id, payload: { reason: "timed_out" } });
    await after.event("turn_end", 2);
    expect((await world.http("GET", "/api/interactions")).body).toEqual({ interactions: [] });
    checkLog(await world.log(session.id));
    checkLog(await world.log(other.id));
  },
);
