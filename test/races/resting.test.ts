import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { person } from "../scenarios/rig.ts";
import { VALUE_FORM } from "../scenarios/tools.ts";
import { type Engine, startEngine } from "./engine.ts";

test("of many runs that wait only the newest are held, and the others are replayed when somebody answers", async () => {
  const entered: string[] = [];
  const aborted: string[] = [];
  const ask = defineTool({
    name: "ask",
    description: "Asks for a value.",
    parameters: { type: "object" },
    durable: "replay",
    handler: (_args, ctx) => {
      entered.push(ctx.sessionId);
      ctx.signal.addEventListener("abort", () => aborted.push(ctx.sessionId));
      return ctx.requestInteraction({
        type: "input",
        inputSchema: VALUE_FORM,
        onResponse: ({ input }) => ({ complete: input?.["value"] }),
      });
    },
  });
  const engine = await startEngine({ tools: [ask], seed: 1, mostResting: 2 });
  try {
    const waiting = [];
    for (let count = 0; count < 5; count++) waiting.push(await open(engine));
    const ids = waiting.map(({ sessionId }) => sessionId);
    await expect.poll(() => aborted).toEqual(ids.slice(0, 3));
    for (const [index, { promptId, end }] of waiting.entries()) {
      const body = { action: "submit", input: { value: `value ${index}` } } as const;
      await engine.core.respond(person, { interactionId: promptId, via: "direct", body });
      expect(await end).toEqual({ ok: true, result: `value ${index}` });
    }
    expect(entered).toEqual([...ids, ...ids.slice(0, 3)]);
  } finally {
    await engine.close();
  }
});

async function open(engine: Engine) {
  const { core } = engine;
  const { id: sessionId } = await core.createSession(person, {});
  const asked = new Promise<string>((resolve) =>
    engine.onPrompt(sessionId, ({ id }) => resolve(id)),
  );
  const call = { sessionId, toolName: "ask", input: {}, origin: "http" } as const;
  const end = core.callTool(person, call);
  return { sessionId, promptId: await asked, end };
}
