import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { operate } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

let lives = 0;

/** Two prompts side by side; after the first of them comes a step. */
const both = defineTool<{ id: string }>({
  name: "t_both",
  description: "Asks two people at once",
  durable: "replay",
  parameters: { type: "object" },
  async handler(_args, ctx) {
    lives++;
    const ask = (key: string) =>
      ctx.requestInteraction({
        type: "approval",
        key,
        prompt: key,
        timeoutMs: null,
        onResponse: ({ action }) => ({ complete: action }),
      });
    return Promise.all([
      ask("buyer").then((answer) => ctx.step("note", () => answer)),
      ask("manager"),
    ]);
  },
});

async function isSuspended(world: World, sessionId: string): Promise<void> {
  const look = async () => {
    await world.advance(300);
    return (await world.store.activeRuns(sessionId)).map(({ status }) => status);
  };
  await expect.poll(look, { interval: 5 }).toEqual(["suspended"]);
}

for (const first of ["buyer", "manager"]) {
  inEveryMode(
    `a call that has one of its two answers rests again, is entered once at a start, and at no later one: ${first}`,
    { tools: [both] },
    async (world) => {
      lives = 0;
      let { session, client } = await world.conversation();
      const headers = { "x-tool-call-id": "mine" };
      void operate(world, session.id, "t_both", {}, headers).catch(() => {});
      const prompt = (name: string) =>
        client.event("interaction_request", (request) => request.prompt === name);
      await prompt("manager");
      await client.answer(await prompt(first), { action: "approve" });
      await isSuspended(world, session.id);
      const before = lives;
      for (const _start of [1, 2, 3]) {
        await world.crash();
        client = await world.person();
        await client.subscribe(session.id);
        await world.advance(20_000);
        await isSuspended(world, session.id);
        expect(lives).toBe(before + 1);
      }
      const [run] = await world.store.activeRuns(session.id);
      expect(run).toMatchObject({ owner: null, leaseUntil: null });
      const second = first === "buyer" ? "manager" : "buyer";
      await client.answer(await prompt(second), { action: "approve" });
      const { payload } = await client.event("tool_result");
      expect(payload.result).toEqual(["approve", "approve"]);
    },
  );
}
