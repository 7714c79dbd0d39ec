import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { person } from "../scenarios/rig.ts";
import { startEngine } from "./engine.ts";

const guarded = defineTool({
  name: "guarded",
  description: "Runs when somebody allows it.",
  parameters: { type: "object" },
  durable: "replay",
  approval: { key: () => "same" },
  handler: () => "ran",
});

test("40 schedules of a grant and a denial of a prompt that it covers: each prompt ends once", async () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 40; seed++) {
    const engine = await startEngine({
      tools: [guarded],
      seed,
      alwaysOrphan: seed % 2 === 0,
      hooksAsk: true,
    });
    try {
      const { id: sessionId } = await engine.core.createSession(person, {});
      const call = { sessionId, toolName: "guarded", input: {}, origin: "http" as const };
      const ends = [engine.core.callTool(person, call), engine.core.callTool(person, call)];
      const open = async () => (await engine.store.openInteractions({ sessionId, limit: 9 })).rows;
      await expect.poll(async () => (await open()).length, { interval: 1 }).toBe(2);
      const [first, second] = (await open()).map(({ id }) => id) as [string, string];
      const respond = (interactionId: string, body: object) =>
        engine.core.respond(person, { interactionId, via: "direct", body: body as never });
      const granting = respond(first, { action: "approve", approvalScope: "session" });
      for (let turn = 0; turn < seed % 12; turn++) await new Promise(setImmediate);
      const denied = await respond(second, { action: "deny" }).then(
        () => "denied",
        (error: { code: string }) => error.code,
      );
      await granting;
      const oks = (await Promise.all(ends)).filter(({ ok }) => ok).length;
      expect([denied, oks]).toEqual(denied === "denied" ? ["denied", 1] : ["already_answered", 2]);
      seen.add(denied);
      const events = await engine.store.events({ sessionId, limit: 1_000 });
      const answers = events.filter(({ type }) => type === "interaction_response");
      expect(answers).toHaveLength(2);
      expect(await open()).toEqual([]);
      const calls = events.flatMap(({ type, payload }) =>
        type === "tool_result" ? [payload as { authorizedBy?: string }] : [],
      );
      const granted = calls.filter(({ authorizedBy }) => authorizedBy?.startsWith("grant:"));
      expect(granted).toHaveLength(oks - 1);
    } finally {
      await engine.close();
    }
  }
  expect(seen).toEqual(new Set(["denied", "already_answered"]));
});
