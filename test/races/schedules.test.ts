import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defineTool, type Who } from "../../src/core/index.ts";
import { type ChatEvent, ProtocolError } from "../../src/protocol/index.ts";
import { type Engine, startEngine, turns } from "./engine.ts";
import { checkLog } from "../scenarios/always-true.ts";

const SCHEDULES = Number(process.env["BECKON_SCHEDULES"] ?? 10_000);
const PER_RUN = 100;
const REFUSALS = new Set<string>(["already_answered", "interaction_closed"]);

interface Schedule {
  timeoutMs: number;
  hook: boolean;
  durable: boolean;
  /** After how many turns of the loop each answer and the cancel come. */
  answers: number[];
  cancel: number | null;
}

const moment = fc.nat({ max: 40 });
const schedule: fc.Arbitrary<Schedule> = fc.record({
  timeoutMs: fc.integer({ min: 1_000, max: 1_060 }),
  hook: fc.boolean(),
  durable: fc.boolean(),
  answers: fc.array(moment, { maxLength: 3 }),
  cancel: fc.option(moment),
});

const racer = (name: string, durable: "replay" | "orphan") =>
  defineTool<{ timeoutMs: number; hook: boolean }>({
    name,
    description: "Asks once.",
    parameters: { type: "object" },
    durable,
    handler: (args, ctx) =>
      ctx.requestInteraction({
        type: "approval",
        timeoutMs: args.timeoutMs,
        onResponse: (response) => ({ complete: `answered ${response.reason}` }),
        ...(args.hook ? { onTimeout: () => ({ complete: "timed out" }) } : {}),
      }),
  });

test(`${SCHEDULES} schedules of answer, timeout and cancel have exactly one winner each`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(schedule, { minLength: PER_RUN, maxLength: PER_RUN }),
      fc.nat(),
      fc.boolean(),
      async (schedules, seed, alwaysOrphan) => {
        const tools = [racer("kept", "replay"), racer("fleeting", "orphan")];
        const engine = await startEngine(tools, { seed, alwaysOrphan });
        const clock = { running: true };
        let time = Promise.resolve();
        try {
          const races = await Promise.all(schedules.map((one) => prepare(engine, one)));
          await engine.clock.advance(990);
          time = (async () => {
            while (clock.running) await engine.clock.advance(4);
          })();
          await Promise.all(races.map((race) => race()));
        } finally {
          clock.running = false;
          await time;
          await engine.close();
        }
      },
    ),
    { numRuns: Math.ceil(SCHEDULES / PER_RUN), endOnFailure: true },
  );
}, 600_000);

/** Asks; what is returned lets answers, cancel and deadline loose on the prompt. */
async function prepare(engine: Engine, schedule: Schedule): Promise<() => Promise<void>> {
  const { core, person } = engine;
  const session = await core.createSession(person, {});
  const ended = engine.turnEnded(session.id);
  const asked = engine.asked(session.id);
  const tool = schedule.durable ? "kept" : "fleeting";
  await core.sendMessage(person, session.id, { text: `/call ${tool} ${JSON.stringify(schedule)}` });
  const id = await asked;
  return async () => {
    const answers = schedule.answers.map(async (after, index) => {
      await turns(after);
      return reply(engine, person, id, `a${index}`);
    });
    const replies = await Promise.all([...answers, cancel(engine, session.id, schedule.cancel)]);
    await ended;
    const { events } = await core.events(person, { sessionId: session.id, limit: 1_000 });
    checkLog(events);
    checkWinner(events, replies);
  };
}

async function cancel({ core, person }: Engine, sessionId: string, after: number | null) {
  if (after === null) return "none";
  await turns(after);
  return (await core.cancel(person, sessionId)).stopped ? "stopped" : "none";
}

async function reply({ core }: Engine, who: Who, id: string, name: string): Promise<string> {
  try {
    const body = { action: "approve", responseId: name, reason: name } as const;
    await core.respond(who, { interactionId: id, via: "direct", body });
    return name;
  } catch (error) {
    if (error instanceof ProtocolError && REFUSALS.has(error.code)) return error.code;
    throw error;
  }
}

/** Who was told that he won is the one that the log says has won; nobody else was told so. */
function checkWinner(events: ChatEvent[], replies: string[]): void {
  const winners = replies.filter((one) => /^a\d$/.test(one));
  const response = events.find((event) => event.type === "interaction_response");
  expect(winners).toEqual(response ? [response.payload.answerId] : []);
  const closed = events.find((event) => event.type === "interaction_closed");
  expect([response, closed].filter(Boolean)).toHaveLength(1);
  const result = events.find((event) => event.type === "tool_result")?.payload;
  const end = events.find((event) => event.type === "turn_end")?.payload.status;
  const wasCancelled = result?.error?.code === "tool_cancelled";
  if (wasCancelled) expect(end).toBe("cancelled");
  else if (response) expect(result?.result).toBe(`answered ${response.payload.answerId}`);
  else expect(result?.error?.code ?? result?.result).toMatch(/interaction_timeout|timed out/);
  if (replies.includes("stopped")) expect(end).toBe("cancelled");
}
