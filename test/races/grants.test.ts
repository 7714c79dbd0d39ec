import * as fc from "fast-check";
import { test } from "vitest";
import { type ApprovalScope, ProtocolError } from "../../src/protocol/index.ts";
import { checkLog } from "../scenarios/always-true.ts";
import { guarded } from "../scenarios/guarded-tool.ts";
import { person } from "../scenarios/rig.ts";
import { type Engine, startEngine } from "./engine.ts";
import { holds, SCHEDULES } from "./generated.ts";
import { play } from "./play.ts";
import { must } from "./winner.ts";

/*
 * Something was approved and is remembered; then calls that need it and people who revoke it come
 * at random moments. Every call is denied when it asks, so that whatever works, works by the grant.
 */
const SIDE_BY_SIDE = 20;
const RACES = Math.ceil(SCHEDULES / 50);

interface Schedule {
  scope: ApprovalScope;
  calls: number[];
  revokes: number[];
}

const moment = fc.nat({ max: 30 });
const schedule: fc.Arbitrary<Schedule> = fc.record({
  scope: fc.constantFrom<ApprovalScope[]>("once", "session", "always"),
  calls: fc.array(moment, { minLength: 1, maxLength: 3 }),
  revokes: fc.array(moment, { maxLength: 2 }),
});

/** One call that needed the grant. */
interface Use {
  /** Somebody had been told that the grant is revoked before the call began. */
  after: boolean;
  worked: boolean;
}

interface Race {
  schedule: Schedule;
  sessionId: string;
  key: string;
  grantId: string;
  uses: Use[];
  /** How many of those who revoked were told that they did. */
  revoked: number;
}

let worked = 0;
const tool = guarded("t_work", () => worked++);

test(`${RACES} schedules of a grant that is used and revoked: nothing runs on it after it is gone`, async () => {
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

async function runRound(schedules: Schedule[], seed: number, alwaysOrphan: boolean) {
  const engine = await startEngine({ tools: [tool], seed, alwaysOrphan, hooksAsk: true });
  try {
    const granting = schedules.map((one, index) => grant(engine, one, `k${index}`));
    await play(engine, [], granting, 0);
    const races = await Promise.all(granting);
    worked = 0;
    await play(
      engine,
      races.flatMap((race) => actsOf(engine, race)),
    );
    const used = races.flatMap((race) => race.uses).filter((use) => use.worked).length;
    must(worked === used, `The work was done ${worked} times for ${used} calls.`);
    for (const race of races) await check(engine, race);
  } finally {
    await engine.close();
  }
}

async function grant(engine: Engine, schedule: Schedule, key: string): Promise<Race> {
  const { core, store } = engine;
  const { id: sessionId } = await core.createSession(person, {});
  const { scope: approvalScope } = schedule;
  engine.onPrompt(sessionId, ({ id: interactionId }) => {
    const body = { action: "approve", approvalScope } as const;
    void core.respond(person, { interactionId, via: "direct", body });
  });
  await use(engine, sessionId, { key, scopes: [approvalScope], keep: approvalScope });
  const [found] = await store.grants({ tool: tool.name, key, sessionId });
  return { schedule, sessionId, key, grantId: found?.id ?? "", uses: [], revoked: 0 };
}

function use({ core }: Engine, sessionId: string, input: Record<string, unknown>) {
  return core.callTool(person, { sessionId, toolName: tool.name, input, origin: "http" });
}

function actsOf(engine: Engine, race: Race) {
  const { core } = engine;
  const denyNext = (): void =>
    engine.onPrompt(race.sessionId, ({ id: interactionId, status }) => {
      denyNext();
      if (status !== "open") return;
      void core.respond(person, { interactionId, via: "direct", body: { action: "deny" } });
    });
  denyNext();
  return [
    ...race.schedule.calls.map((at) => ({
      at,
      async act() {
        const after = race.revoked > 0;
        const end = await use(engine, race.sessionId, { key: race.key });
        race.uses.push({ after, worked: JSON.stringify(end).includes("remembered") });
      },
    })),
    ...race.schedule.revokes.map((at) => ({ at, act: () => revoke(engine, race) })),
  ];
}

async function revoke({ core }: Engine, race: Race): Promise<void> {
  try {
    await core.revokeGrant(person, race.grantId);
    race.revoked++;
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== "not_found") throw error;
  }
}

async function check({ store }: Engine, race: Race): Promise<void> {
  const { schedule, sessionId, key, uses } = race;
  const say = (problem: string) => `${problem} ${JSON.stringify({ schedule, uses })}`;
  checkLog(await store.events({ sessionId, limit: 1_000 }));
  must(!uses.some((one) => one.after && one.worked), say("A revoked grant was used."));
  const wanted = schedule.revokes.length > 0 ? 1 : 0;
  must(race.revoked === wanted, say(`${race.revoked} were told that they revoked it.`));
  const times = uses.filter((one) => one.worked).length;
  if (schedule.scope === "once") must(times <= 1, say("A grant for once was used twice."));
  const most = schedule.scope === "once" ? 1 : uses.length;
  must(wanted > 0 || times === most, say(`It was used ${times} times, not ${most}.`));
  const left = await store.grants({ tool: tool.name, key, sessionId });
  const isLeft = wanted === 0 && schedule.scope !== "once";
  must(left.length === (isLeft ? 1 : 0), say(`${left.length} grants are left.`));
}
