import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { person } from "../scenarios/rig.ts";
import { VALUE_FORM } from "../scenarios/tools.ts";
import { type Engine, startEngine } from "./engine.ts";

test("of many runs that wait only the newest are held, and the others are replayed when somebody answers", async () => {
  const { ask, entered, aborted } = createAsk();
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

test("a run that is let go while it is answered is entered again when the answer is on disk, not before", async () => {
  const { ask, entered, aborted } = createAsk();
  const before: string[][] = [];
  const engine: Engine = await startEngine({
    tools: [ask],
    seed: 1,
    mostResting: 1,
    wrap: (store) => ({
      ...store,
      async commit(commit) {
        if (!commit.writes.some(({ table }) => table === "responses")) return store.commit(commit);
        await openTurn(engine);
        await expect.poll(() => aborted).toHaveLength(1);
        const result = await store.commit(commit);
        // It is decided, and the disk takes its time.
        for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
        before.push([...entered]);
        return result;
      },
    }),
  });
  try {
    const { sessionId, promptId } = await openTurn(engine);
    const ended = engine.turnEnded(sessionId);
    const body = { action: "submit", input: { value: "yes" } } as const;
    await engine.core.respond(person, { interactionId: promptId, via: "direct", body });
    await ended;
    expect(before).toEqual([[sessionId, expect.any(String)]]);
    expect(entered.filter((id) => id === sessionId)).toHaveLength(2);
  } finally {
    await engine.close();
  }
});

test("a run that has one of two answers counts among those that wait, and may be let go", async () => {
  const aborted: string[] = [];
  const pair = defineTool({
    name: "ask",
    description: "Asks twice at once.",
    parameters: { type: "object" },
    durable: "replay",
    handler: (_args, ctx) => {
      ctx.signal.addEventListener("abort", () => aborted.push(ctx.sessionId));
      const ask = (key: string) =>
        ctx.requestInteraction({
          type: "input",
          key,
          inputSchema: VALUE_FORM,
          onResponse: ({ input }) => ({ complete: input?.["value"] }),
        });
      return Promise.all([ask("one"), ask("two")]);
    },
  });
  const engine = await startEngine({ tools: [pair], seed: 1, mostResting: 1 });
  try {
    const answer = (interactionId: string, value: string) =>
      engine.core.respond(person, {
        interactionId,
        via: "direct",
        body: { action: "submit", input: { value } },
      });
    const openPrompts = async (sessionId: string) =>
      (await engine.store.openInteractions({ sessionId, limit: 10 })).rows;
    const waiting = [await open(engine), await open(engine), await open(engine)];
    for (const { sessionId } of waiting) {
      await expect.poll(async () => (await openPrompts(sessionId)).length).toBe(2);
      await answer((await openPrompts(sessionId))[0]?.id ?? "", "first");
    }
    const rests = async () => {
      engine.clock.pass(1_000);
      const runs = waiting.map(({ sessionId }) => engine.store.activeRuns(sessionId));
      return (await Promise.all(runs)).flat().map(({ status }) => status);
    };
    await expect.poll(rests).toEqual(["suspended", "suspended", "suspended"]);
    // One that was let go with a lease is entered once more, and may take the place of the third.
    await expect.poll(() => new Set(aborted).size).toBeGreaterThanOrEqual(2);
    for (const { sessionId, end } of waiting) {
      await answer((await openPrompts(sessionId))[0]?.id ?? "", "second");
      expect((await end).ok).toBe(true);
    }
  } finally {
    await engine.close();
  }
});

/** A tool that asks, and the sessions in which it was entered and told to stop. */
function createAsk() {
  const entered: string[] = [];
  const aborted: string[] = [];
  const ask = defineTool({
    name: "ask",
    description: "Asks for a value.",
    parameters: { type: "object" },
    durable: "replay",
    pureHooks: true,
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
  return { ask, entered, aborted };
}

/** Lets `begin` ask in a session of its own. */
async function openWith<Begun>(engine: Engine, begin: (sessionId: string) => Begun) {
  const { id: sessionId } = await engine.core.createSession(person, {});
  const asked = new Promise<string>((resolve) =>
    engine.onPrompt(sessionId, ({ id }) => resolve(id)),
  );
  const end = begin(sessionId);
  return { sessionId, promptId: await asked, end };
}

const open = (engine: Engine) =>
  openWith(engine, (sessionId) =>
    engine.core.callTool(person, { sessionId, toolName: "ask", input: {}, origin: "http" }),
  );

const openTurn = (engine: Engine) =>
  openWith(engine, (sessionId) =>
    engine.core.sendMessage(person, sessionId, { text: "/call ask {}" }),
  );
