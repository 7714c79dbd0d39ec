import { expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import { approvalTool } from "../scenarios/tools.ts";
import { person } from "../scenarios/rig.ts";
import { type Engine, startEngine } from "./engine.ts";
import { play } from "./play.ts";

/*
 * A client in the same process hears of a prompt while whoever asked is still telling. Its answer,
 * made inside that call, must find a waiter all the same.
 */
type Answer = (interactionId: string) => void;
const clients: Record<string, (engine: Engine, sessionId: string, answer: Answer) => unknown> = {
  "that watches all sessions": ({ core }, sessionId, answer) =>
    core.watch({
      who: person,
      interactionUpdated(record) {
        if (record.sessionId === sessionId && record.status === "pending") answer(record.id);
      },
    }),
  "that follows the log": ({ core }, sessionId, answer) =>
    core.subscribe(
      person,
      { sessionId },
      {
        send({ json }) {
          const event = JSON.parse(json) as { type: string; payload: { interactionId: string } };
          if (event.type === "interaction_request") answer(event.payload.interactionId);
        },
        drained: () => Promise.resolve(),
      },
      () => {},
    ),
  "that hears it before the engine does": (engine, sessionId, answer) =>
    engine.onPrompt(sessionId, ({ id }) => answer(id)),
};

for (const [name, listen] of Object.entries(clients)) {
  for (const alwaysOrphan of [false, true]) {
    const how = alwaysOrphan ? ", and the call is replayed" : "";
    test(`a client ${name} answers from inside the broadcast${how}`, async () => {
      for (let seed = 1; seed <= 8; seed++) {
        const engine = await startEngine({ tools: [approvalTool], seed, alwaysOrphan });
        const told = tellStory(engine, listen);
        await play(engine, [], [told], 0);
        const { log, answers } = await told;
        checkLog(log);
        expect(await Promise.all(answers)).toMatchObject([{ status: "answered" }]);
        expect(log.find((event) => event.type === "tool_result")?.payload.result).toBe("approve");
        await engine.close();
      }
    });
  }
}

async function tellStory(engine: Engine, listen: (typeof clients)[string]) {
  const { core, store } = engine;
  const { id: sessionId } = await core.createSession(person, {});
  const answers: Promise<unknown>[] = [];
  await listen(engine, sessionId, (interactionId) => {
    const body = { action: "approve" } as const;
    answers.push(core.respond(person, { interactionId, via: "direct", body }));
  });
  const ended = engine.turnEnded(sessionId);
  await core.sendMessage(person, sessionId, { text: "/call t_ask {}" });
  await ended;
  return { log: await store.events({ sessionId, limit: 1_000 }), answers };
}
