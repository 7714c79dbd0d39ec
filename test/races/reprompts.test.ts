import * as fc from "fast-check";
import { test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import {
  type ChatEvent,
  type InteractionResponse,
  ProtocolError,
} from "../../src/protocol/index.ts";
import { checkLog } from "../scenarios/always-true.ts";
import { person } from "../scenarios/rig.ts";
import { VALUE_FORM } from "../scenarios/tools.ts";
import { type Engine, startEngine } from "./engine.ts";
import { holds, SCHEDULES } from "./generated.ts";
import { play } from "./play.ts";
import { must } from "./winner.ts";

/*
 * A tool asks again while the answer is bad, and people answer the prompt that they see, which may
 * have been replaced meanwhile.
 */
const SIDE_BY_SIDE = 50;
const RACES = Math.ceil(SCHEDULES / 50);
const TIMEOUT_MS = 1_000;

interface Schedule {
  /** When people begin to answer, and with how old a view of the prompt. */
  answers: { at: number; good: boolean; stale: boolean }[];
}

const answerOf = fc.record({ at: fc.nat({ max: 80 }), good: fc.boolean(), stale: fc.boolean() });
const schedule: fc.Arbitrary<Schedule> = fc.record({
  answers: fc.array(answerOf, { minLength: 2, maxLength: 6 }),
});

const untilGood = defineTool({
  name: "until_good",
  description: "Asks until the value is good.",
  parameters: { type: "object" },
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "input",
      timeoutMs: TIMEOUT_MS,
      inputSchema: VALUE_FORM,
      onResponse: ({ input }) => {
        const value = String(input?.["value"]);
        if (value.startsWith("good")) return { complete: value };
        return { reprompt: { type: "input", error: "Not good." } };
      },
    }),
});

interface Reply {
  id: string;
  value: string;
  refused?: { code: string; current?: string; response?: InteractionResponse };
}

let stale = 0;
test(`${RACES} schedules of answers and re-prompts: each prompt has one winner, and who is late is told the newer one`, async () => {
  stale = 0;
  await holds(
    fc.asyncProperty(
      fc.array(schedule, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE }),
      fc.nat(),
      fc.boolean(),
      runRound,
    ),
    Math.ceil(RACES / SIDE_BY_SIDE),
  );
  must(stale > RACES / 10, `Only ${stale} answers came to a prompt that was replaced.`);
}, 600_000);

async function runRound(schedules: Schedule[], seed: number, alwaysOrphan: boolean): Promise<void> {
  const engine = await startEngine({ tools: [untilGood], seed, alwaysOrphan });
  try {
    const opening = schedules.map(() => open(engine));
    await play(engine, [], opening, 0);
    const races = await Promise.all(opening);
    const acts = races.flatMap(({ seen, replies }, index) =>
      (schedules[index]?.answers ?? []).map((given, nth) => ({
        at: given.at,
        async act() {
          const id = seen.at(given.stale ? -2 : -1) ?? seen[0] ?? "";
          replies.push(await answer(engine, id, `${given.good ? "good" : "bad"} ${nth}`));
        },
      })),
    );
    await play(
      engine,
      acts,
      races.map(({ end }) => end),
    );
    for (const [index, { sessionId, replies }] of races.entries()) {
      const log = await engine.store.events({ sessionId, limit: 1_000 });
      checkLog(log);
      checkKept(log);
      for (const reply of replies) check(log, reply, JSON.stringify(schedules[index]));
    }
  } finally {
    await engine.close();
  }
}

async function open(engine: Engine) {
  const { id: sessionId } = await engine.core.createSession(person, {});
  const seen: string[] = [];
  const asked = new Promise<void>((resolve) => {
    const listen = (): void =>
      engine.onPrompt(sessionId, ({ id, status }) => {
        listen();
        if (status === "open") seen.push(id);
        resolve();
      });
    listen();
  });
  const call = { sessionId, toolName: "until_good", input: {}, origin: "http" } as const;
  const end = engine.core.callTool(person, call);
  await asked;
  return { sessionId, seen, end, replies: [] as Reply[] };
}

async function answer({ core }: Engine, id: string, value: string): Promise<Reply> {
  try {
    const body = { action: "submit", input: { value } } as const;
    await core.respond(person, { interactionId: id, via: "direct", body });
    return { id, value };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { id, value, refused: { ...error.details, code: error.code } };
  }
}

/** The log knows one response a prompt; everybody else was told of it, and of the prompt to answer. */
function check(log: ChatEvent[], { id, value, refused }: Reply, told: string): void {
  const response = log.find(
    (event) => event.type === "interaction_response" && event.payload.interactionId === id,
  )?.payload as InteractionResponse | undefined;
  const say = (problem: string) =>
    `${problem} ${value} to ${id}: ${JSON.stringify(refused)} ${told}`;
  if (!refused) return must(response?.input?.["value"] === value, say("It did not win:"));
  must(refused.response?.answerId === response?.answerId, say("It was told another answer:"));
  if (refused.code !== "stale_interaction") {
    return must(
      refused.code === (response ? "already_answered" : "interaction_closed"),
      say("Not so:"),
    );
  }
  stale++;
  const attempts = requestsIn(log).map((request) => request.interactionId);
  const newer = attempts.indexOf(refused.current ?? "");
  must(newer > attempts.indexOf(id), say("The prompt that it was sent to is no newer one:"));
}

/** What was typed into a prompt stands in the one that replaces it. */
function checkKept(log: ChatEvent[]): void {
  const typed = log.flatMap((event) =>
    event.type === "interaction_response" ? [event.payload.input?.["value"]] : [],
  );
  for (const [index, { inputSchema }] of requestsIn(log).slice(1).entries()) {
    const shown = inputSchema?.initialValues?.["value"];
    const problem = `${JSON.stringify(typed[index])} was typed, ${JSON.stringify(shown)} is shown.`;
    must(shown === typed[index], problem);
  }
}

function requestsIn(log: ChatEvent[]) {
  return log.flatMap((event) => (event.type === "interaction_request" ? [event.payload] : []));
}
