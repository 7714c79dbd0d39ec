import * as fc from "fast-check";
import { test } from "vitest";
import { type Store, StoreUnavailable } from "../../src/core/index.ts";
import { ProtocolError } from "../../src/protocol/index.ts";
import { checkLog } from "../scenarios/always-true.ts";
import { asking, person } from "../scenarios/rig.ts";
import { type Engine, startEngine } from "./engine.ts";
import { holds, SCHEDULES } from "./generated.ts";
import { play } from "./play.ts";
import { must } from "./winner.ts";

/*
 * A session is deleted while calls outside a turn begin in it. Whoever is first: nothing of the
 * session stays open, and every caller is told an end.
 */
const SIDE_BY_SIDE = 20;
const RACES = Math.ceil(SCHEDULES / 50);

interface Schedule {
  calls: { at: number; durable: boolean }[];
  deletion: number;
}

const moment = fc.nat({ max: 30 });
const schedule: fc.Arbitrary<Schedule> = fc.record({
  calls: fc.array(fc.record({ at: moment, durable: fc.boolean() }), { minLength: 1, maxLength: 2 }),
  deletion: moment,
});
const TOOLS = [asking("kept", "replay"), asking("fleeting", "orphan")];

for (const disk of ["", ", also when the disk fails right after the deletion"]) {
  test(`${RACES} schedules of calls and the deletion of their session leave nothing open${disk}`, async () => {
    await holds(
      fc.asyncProperty(
        fc.array(schedule, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE }),
        fc.nat(),
        fc.boolean(),
        (schedules, seed, alwaysOrphan) =>
          runRound(schedules, {
            seed,
            alwaysOrphan,
            ...(disk ? { wrap: failingAfterDeletion } : {}),
          }),
      ),
      Math.ceil(RACES / SIDE_BY_SIDE),
    );
  }, 600_000);
}

/** Once a deletion is stored, the next look at what runs in that session fails. */
function failingAfterDeletion(store: Store): Store {
  const failing = new Set<string>();
  return {
    ...store,
    async commit(commit) {
      const result = await store.commit(commit);
      const deletes = commit.writes.some(
        (write) => write.table === "sessions" && write.set.deletedAt,
      );
      if (result.ok && deletes && commit.sessionId) failing.add(commit.sessionId);
      return result;
    },
    async activeRuns(sessionId) {
      if (failing.delete(sessionId)) throw new StoreUnavailable("The disk failed.");
      return store.activeRuns(sessionId);
    },
  };
}

async function runRound(
  schedules: Schedule[],
  options: { seed: number; alwaysOrphan: boolean; wrap?: (store: Store) => Store },
): Promise<void> {
  const engine = await startEngine({ tools: TOOLS, ...options });
  try {
    const making = schedules.map(() => engine.core.createSession(person, {}));
    await play(engine, [], making, 0);
    const ids = (await Promise.all(making)).map(({ id }) => id);
    const acts = schedules.flatMap((one, index) => actsOf(engine, one, ids[index] ?? ""));
    await play(engine, acts);
    for (const [index, id] of ids.entries()) {
      const told = JSON.stringify(schedules[index]);
      const { length: running } = await engine.store.activeRuns(id);
      must(running === 0, `${running} runs go on in the deleted session: ${told}`);
      const open = await engine.store.openCount(id);
      must(open === 0, `${open} prompts are open in the deleted session: ${told}`);
      await checkEnded(engine, id);
    }
  } finally {
    await engine.close();
  }
}

function actsOf(engine: Engine, { calls, deletion }: Schedule, sessionId: string) {
  return [
    { at: deletion, act: () => remove(engine, sessionId) },
    ...calls.map(({ at, durable }) => ({ at, act: () => begin(engine, sessionId, durable) })),
  ];
}

async function remove({ core }: Engine, sessionId: string): Promise<void> {
  try {
    await core.deleteSession(person, sessionId);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/** It is cancelled with its session, or finds none. */
async function begin({ core }: Engine, sessionId: string, durable: boolean): Promise<void> {
  const toolName = durable ? "kept" : "fleeting";
  try {
    const end = await core.callTool(person, { sessionId, toolName, input: {}, origin: "http" });
    must(!end.ok && end.error.code === "tool_cancelled", `A caller heard ${JSON.stringify(end)}`);
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== "session_not_found") throw error;
  }
}

async function checkEnded({ store }: Engine, sessionId: string): Promise<void> {
  const log = await store.events({ sessionId, limit: 1_000 });
  checkLog(log);
  const count = (type: string) => log.filter((event) => event.type === type).length;
  must(count("tool_call") === count("tool_result"), "A call in the deleted session has no end.");
}
