import type { CallEnd } from "../../src/core/index.ts";
import { type ChatEvent, ProtocolError } from "../../src/protocol/index.ts";
import { person } from "../scenarios/rig.ts";
import { type Engine, startEngine } from "./engine.ts";
import { type Act, play } from "./play.ts";
import { BEFORE_MS, racerOf, RACERS, type Round, type Schedule } from "./schedule.ts";

/** What everybody was told: the name of the answer that won, a refusal, what the cancel stopped. */
type Reply = string;

const REFUSALS = new Set<string>(["already_answered", "interaction_closed"]);

/** One schedule in its session. */
interface Race {
  schedule: Schedule;
  sessionId: string;
  /** What was told to whom, once they have ended. */
  replies: Promise<Reply>[];
  /** Resolves when the run that asked is over. */
  ended: Promise<unknown>;
}

/** Begins what asks in the session; the returned promise is over when that is. */
type Begin = (engine: Engine, sessionId: string, schedule: Schedule) => Promise<unknown>;

/** A turn of the agent in which it calls the tool. */
export async function turn(engine: Engine, sessionId: string, schedule: Schedule): Promise<void> {
  const ended = engine.turnEnded(sessionId);
  const text = `/call ${racerOf(schedule)} ${JSON.stringify(schedule)}`;
  await engine.core.sendMessage(person, sessionId, { text });
  await ended;
}

/** A call outside any turn; ends with what its caller is told. */
export function call({ core }: Engine, sessionId: string, schedule: Schedule): Promise<CallEnd> {
  const toolName = racerOf(schedule);
  return core.callTool(person, { sessionId, toolName, input: schedule, origin: "http" });
}

/** What became of it, as the log says, as everybody was told, and as what began was told. */
type Check = (log: ChatEvent[], replies: Reply[], end: unknown) => void;

/** Lets everybody loose on the prompts of a round until all runs have ended. */
type LetLoose = (engine: Engine, acts: Act[], ended: Promise<unknown>[]) => Promise<void>;

/** A millisecond passes with every turn of the loop, from just before the first deadline on. */
const inTime: LetLoose = async (engine, acts, ended) => {
  engine.clock.pass(BEFORE_MS - 1);
  await play(engine, acts, ended);
};

/** Opens all prompts of a round, lets everybody loose on them, and checks what became of each. */
export async function runRound(
  round: Round,
  begin: Begin,
  check: Check,
  letLoose: LetLoose = inTime,
): Promise<void> {
  const engine = await startEngine({ tools: RACERS, ...round });
  try {
    const opening = round.schedules.map((schedule) => open(engine, schedule, begin));
    await play(engine, [], opening, 0);
    const races = await Promise.all(opening);
    const acts = races.flatMap(({ race, id }) => actsOf(engine, race, id));
    const ended = races.map(({ race }) => race.ended);
    await letLoose(engine, acts, ended);
    for (const [index, { race }] of races.entries()) {
      const log = await engine.store.events({ sessionId: race.sessionId, limit: 1_000 });
      try {
        check(log, await Promise.all(race.replies), await race.ended);
      } catch (error) {
        throw new Error(told(index, race, log, error), { cause: error });
      }
    }
  } finally {
    await engine.close();
  }
}

async function open(engine: Engine, schedule: Schedule, begin: Begin) {
  const { id: sessionId } = await engine.core.createSession(person, {});
  const race: Race = { schedule, sessionId, replies: [], ended: Promise.resolve() };
  const asked = new Promise<string>((resolve) => {
    engine.onPrompt(sessionId, ({ id }) => {
      if (schedule.eager) race.replies.push(answer(engine, id, "a9"));
      resolve(id);
    });
  });
  race.ended = begin(engine, sessionId, schedule);
  return { race, id: await asked };
}

function actsOf(engine: Engine, race: Race, id: string): Act[] {
  const { answers, cancel } = race.schedule;
  const reply = (at: number, act: () => Promise<Reply>): Act => ({
    at,
    act() {
      const mine = act();
      race.replies.push(mine);
      return mine;
    },
  });
  return [
    ...answers.map((at, index) => reply(at, () => answer(engine, id, `a${index}`))),
    ...(cancel === null ? [] : [reply(cancel, () => stop(engine, race.sessionId))]),
  ];
}

async function stop({ core }: Engine, sessionId: string): Promise<Reply> {
  return (await core.cancel(person, sessionId)).stopped ? "stopped" : "nothing to stop";
}

/** Gives its own name if it won, and else why not. */
async function answer({ core }: Engine, id: string, name: string): Promise<Reply> {
  try {
    const body = { action: "approve", responseId: name, reason: name } as const;
    await core.respond(person, { interactionId: id, via: "direct", body });
    return name;
  } catch (error) {
    if (error instanceof ProtocolError && REFUSALS.has(error.code)) return error.code;
    throw error;
  }
}

function told(index: number, { schedule }: Race, log: ChatEvent[], error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  const story = log.map((event) => `  ${event.type} ${JSON.stringify(event.payload)}`);
  return [`Schedule ${index}: ${JSON.stringify(schedule)}`, why, "Its log:", ...story].join("\n");
}
