import { expect } from "vitest";
import type { HookOutcome } from "../../src/core/index.ts";
import { story } from "./story.ts";
import { askingTool, crashBefore, echo, Gate, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

const gate = new Gate();
const OUTCOMES: Record<string, HookOutcome> = {
  complete: { complete: "gave up" },
  reprompt: { reprompt: { type: "input", error: "Still there?" } },
  pending: { pending: { message: "We mailed you." } },
};
/** Its onTimeout takes as long as the test wants, and then does what it was called with. */
const expiring = askingTool<{ outcome: string }>("expiring", ({ outcome }) => ({
  type: "input",
  inputSchema: VALUE_FORM,
  timeoutMs: 10_000,
  onResponse: echo,
  async onTimeout() {
    await gate.pass();
    return OUTCOMES[outcome] as HookOutcome;
  },
}));

const HELD = {
  complete: {
    id: "timeout:hook-completes",
    expected: { ok: false, code: "interaction_closed", reason: "timed_out" },
  },
  reprompt: {
    id: "timeout:hook-reprompts",
    expected: { ok: false, code: "stale_interaction" },
  },
  pending: {
    id: "late-answer:follow-up",
    expected: { ok: true, response: { late: true, input: { value: "held" } } },
  },
} as const;

for (const [outcome, { id, expected }] of Object.entries(HELD)) {
  verifies(
    id,
    `an answer while onTimeout runs is held until it has decided: ${outcome}`,
    { tools: [expiring] },
    async (world) => {
      gate.reset();
      const { session, client } = await world.conversation();
      await client.say(session.id, `/call expiring ${JSON.stringify({ outcome })}`);
      const request = await client.event("interaction_request");
      await world.advance(10_000);
      await gate.reached;
      let replied = false;
      const answering = client.answer(request, submit("held"));
      void answering.then(() => (replied = true));
      await world.clock.settle();
      expect(replied).toBe(false);
      const { body } = await world.http("GET", "/api/interactions?status=pending");
      expect(body.interactions).toMatchObject([{ status: "pending", waiting: "live" }]);
      expect((await story(world, session.id)).at(-1)).toBe("interaction_request 1");
      gate.open();
      const reply = await answering;
      expect(reply).toMatchObject(expected);
      if (outcome === "reprompt") {
        const next = await client.event("interaction_request", 2);
        expect(reply["current"]).toBe(next.payload.interactionId);
        expect(reply).not.toHaveProperty("response");
      }
      if (outcome === "pending") {
        const message = await client.event("user_message", 2);
        expect(message.payload).toMatchObject({
          source: "late_answer",
          interactionId: request.payload.interactionId,
        });
      }
    },
  );
}

verifies(
  "timeout:hook-completes",
  "an answer is held for 30 seconds at most",
  { tools: [expiring] },
  async (world) => {
    gate.reset();
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call expiring {"outcome":"complete"}');
    const request = await client.event("interaction_request");
    await world.advance(10_000);
    await gate.reached;
    let replied = false;
    const answering = client.answer(request, submit("held"));
    void answering.then(() => (replied = true));
    await world.advance(29_000);
    expect(replied).toBe(false);
    await world.advance(1_000);
    expect(await answering).toMatchObject({ ok: false, code: "interaction_closed" });
    gate.open();
    expect((await client.event("tool_result")).payload.result).toBe("gave up");
  },
);

verifies(
  ["timeout:hook-completes", "late-answer:queued-result"],
  "a server killed while onTimeout runs asks the hook again, and then decides once",
  { tools: [expiring] },
  async (world) => {
    for (const [outcome, ending] of [
      ["complete", ["interaction_closed timed_out", "interaction_pending false", "tool_result ok"]],
      ["pending", ["tool_result ok", "interaction_pending false queued"]],
    ] as const) {
      gate.reset();
      const { session, client } = await world.conversation();
      await client.say(session.id, `/call expiring ${JSON.stringify({ outcome })}`);
      await client.event("interaction_request");
      await world.advance(10_000);
      await crashBefore(gate, world);
      const again = await world.person();
      await again.subscribe(session.id);
      await again.event("turn_end");
      const told = await story(world, session.id);
      expect(told.slice(5)).toEqual([...ending, "text", "turn_end completed"]);
    }
  },
);

const both = askingTool("both", () => ({
  type: "input",
  inputSchema: VALUE_FORM,
  timeoutMs: 1_000,
  onResponse: () => ({ complete: "answered" }),
  onTimeout: () => ({ complete: "timed out" }),
}));

verifies(
  ["timeout:answered-in-time", "timeout:own-end"],
  "answer and timeout in the same moment: one of them wins, and everybody is told which",
  { tools: [both] },
  async (world) => {
    const { session, client } = await world.conversation();
    const winners = new Set<string>();
    for (let round = 1; round <= 12; round++) {
      await client.say(session.id, "/call both {}");
      const request = await client.event("interaction_request", round);
      await world.advance(999);
      const moving = world.advance(1);
      // Over a network the timeout takes longer than any number of turns.
      if (round < 12) await turns(round * 3);
      else await moving;
      const reply = await client.answer(request, submit("now"));
      await moving;
      const { payload } = await client.event("tool_result", round);
      await client.event("turn_end", round);
      const row = await world.interaction(request.payload.interactionId);
      expect(row.status).toBe(reply["ok"] ? "answered" : "timed_out");
      expect(payload.result).toBe(reply["ok"] ? "answered" : "timed out");
      if (!reply["ok"]) expect(reply["code"]).toBe("interaction_closed");
      winners.add(row.status);
    }
    await story(world, session.id);
    expect([...winners].sort()).toEqual(["answered", "timed_out"]);
  },
);

/** Lets the loop turn, so that the two meet at another point in each round. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
