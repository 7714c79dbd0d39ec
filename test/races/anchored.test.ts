import * as fc from "fast-check";
import { test } from "vitest";
import { ProtocolError } from "../../src/protocol/index.ts";
import { checkLog } from "../scenarios/always-true.ts";
import { asking, person } from "../scenarios/rig.ts";
import { type Engine, startEngine } from "./engine.ts";
import { holds, SCHEDULES } from "./generated.ts";
import { play } from "./play.ts";
import { must } from "./winner.ts";

/*
 * Programs ask and call operations in the place of a call, while that call ends, its turn is
 * cancelled or its session is deleted. Whoever is first: nothing stays open, every caller is told an
 * end, and the log holds the one call and its one result.
 */
const SIDE_BY_SIDE = 20;
const RACES = Math.ceil(SCHEDULES / 20);

type Kind = "kept" | "fleeting" | "ask";
type Ending = "answer" | "cancel" | "delete";
interface Schedule {
  guests: { at: number; kind: Kind }[];
  /** When somebody answers whatever prompts of guests are open. */
  answers: number[];
  end: { at: number; how: Ending };
}

const moment = fc.nat({ max: 40 });
const schedule: fc.Arbitrary<Schedule> = fc.record({
  guests: fc.array(
    fc.record({ at: moment, kind: fc.constantFrom<Kind>("kept", "fleeting", "ask") }),
    { minLength: 1, maxLength: 3 },
  ),
  answers: fc.array(moment, { maxLength: 2 }),
  end: fc.record({ at: moment, how: fc.constantFrom<Ending>("answer", "cancel", "delete") }),
});
const TOOLS = [asking("host", "replay"), asking("kept", "replay"), asking("fleeting", "orphan")];

test(`${RACES} schedules of guests in a call and of its end leave nothing open`, async () => {
  await holds(
    fc.asyncProperty(
      fc.array(schedule, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE }),
      fc.nat(),
      fc.boolean(),
      runRound,
    ),
    Math.ceil(RACES / SIDE_BY_SIDE),
  );
}, 600_000);

interface Host {
  sessionId: string;
  callId: string;
  interactionId: string;
}

async function runRound(schedules: Schedule[], seed: number, alwaysOrphan: boolean): Promise<void> {
  const engine = await startEngine({ tools: TOOLS, seed, alwaysOrphan });
  try {
    const opening = schedules.map(() => openHost(engine));
    await play(engine, [], opening, 0);
    const hosts = await Promise.all(opening);
    const ended = hosts.map(({ sessionId }) => engine.turnEnded(sessionId));
    const acts = schedules.flatMap((one, index) => actsOf(engine, one, hosts[index] as Host));
    await play(engine, acts, ended);
    for (const [index, host] of hosts.entries()) {
      await checkOver(engine, host, JSON.stringify(schedules[index]));
    }
  } finally {
    await engine.close();
  }
}

async function openHost(engine: Engine): Promise<Host> {
  const { id: sessionId } = await engine.core.createSession(person, {});
  const asked = new Promise<Host>((resolve) => {
    engine.onPrompt(sessionId, ({ id, callId }) =>
      resolve({ sessionId, callId, interactionId: id }),
    );
  });
  await engine.core.sendMessage(person, sessionId, { text: "/call host {}" });
  return asked;
}

function actsOf(engine: Engine, { guests, answers, end }: Schedule, host: Host) {
  return [
    ...guests.map(({ at, kind }) => ({ at, act: () => visit(engine, host, kind) })),
    ...answers.map((at) => ({ at, act: () => answerGuests(engine, host) })),
    { at: end.at, act: () => endHost(engine, host, end.how) },
  ];
}

/** Who comes too late is told so. */
const TOO_LATE = new Set(["invalid_request", "session_not_found"]);
const ENDS = new Set(["tool_interrupted", "tool_cancelled"]);

async function visit({ core }: Engine, host: Host, kind: Kind): Promise<void> {
  const { sessionId, callId: toolCallId } = host;
  const at = { sessionId, toolCallId, origin: "http" } as const;
  try {
    if (kind === "ask") {
      await core.ask(person, { ...at, prompt: { type: "approval", prompt: "And this?" } });
      return;
    }
    const end = await core.callTool(person, { ...at, toolName: kind, input: {} });
    const known = end.ok ? end.result === "approve" : ENDS.has(end.error.code);
    must(known, `A caller heard ${JSON.stringify(end)}`);
  } catch (error) {
    if (!(error instanceof ProtocolError) || !TOO_LATE.has(error.code)) throw error;
  }
}

async function answerGuests({ core, store }: Engine, host: Host): Promise<void> {
  const { rows } = await store.openInteractions({ sessionId: host.sessionId, limit: 20 });
  for (const { id } of rows.filter((row) => row.id !== host.interactionId)) {
    await answer(core, id);
  }
}

async function endHost({ core }: Engine, host: Host, how: Ending): Promise<void> {
  if (how === "answer") await answer(core, host.interactionId);
  else if (how === "cancel") await core.cancel(person, host.sessionId);
  else await core.deleteSession(person, host.sessionId);
}

async function answer(core: Engine["core"], interactionId: string): Promise<void> {
  try {
    await core.respond(person, { interactionId, via: "direct", body: { action: "approve" } });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}

async function checkOver({ store }: Engine, { sessionId }: Host, told: string): Promise<void> {
  const running = await store.activeRuns(sessionId);
  must(running.length === 0, `${running.length} runs go on: ${told}`);
  const open = await store.openCount(sessionId);
  must(open === 0, `${open} prompts are open: ${told}`);
  const log = await store.events({ sessionId, limit: 1_000 });
  checkLog(log);
  const count = (type: string) => log.filter((event) => event.type === type).length;
  must(count("tool_call") === 1, `The log holds ${count("tool_call")} calls: ${told}`);
  must(count("tool_result") === 1, `The log holds ${count("tool_result")} results: ${told}`);
}
