import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { createBeckon } from "../src/beckon.ts";
import type { NewEvent } from "../src/core/ports.ts";
import { openSqliteStore } from "../src/store/index.ts";
import { systemClock, systemIds } from "../src/system.ts";
import { session } from "../src/testing/store-contract/rows.ts";
import { withDirectory } from "./directories.ts";
import { figure, type Figures, under } from "./figures.ts";
import { seedOpenPrompts } from "./seed-open-prompts.ts";
import type { Sizes } from "./sizes.ts";

const TARGETS = { drainMs: 15_000, lagMs: 50 };
/** An overdue prompt of a turn is ended, its call gets a result, the agent a say, the turn an end. */
const COMMITS_PER_PROMPT = 4;
const AT_ONCE = 40;
const POLL_MS = 100;

/**
 * A start after a night in which every prompt fell due. Bare: as many durable commits of one event
 * each, made by nobody but the store; and the lag of a loop in this process that does nothing.
 */
export async function measureOverdue({ overdue: prompts, idleMs }: Sizes): Promise<Figures> {
  const bareMs = await withDirectory((directory) =>
    commitAlone(directory, prompts * COMMITS_PER_PROMPT),
  );
  const idle = watchLag();
  await pause(idleMs);
  const bare = await idle();
  const { drainMs, lag } = await withDirectory((dataDir) => drain(dataDir, prompts));
  const lagged = (what: string, of: keyof typeof lag, limit: number) =>
    figure({
      what: `how late the server's loop is meanwhile, ${what}`,
      reference: "a loop that does nothing",
      unit: "ms",
      beckon: [lag[of]],
      bare: [bare[of]],
      target: under(limit),
    });
  return {
    "overdue.drained": figure({
      what: `start with ${prompts} overdue prompts until all are ended and told`,
      reference: "as many commits of one event by the store alone",
      unit: "ms",
      beckon: [drainMs],
      bare: [bareMs],
      target: under(TARGETS.drainMs),
    }),
    "overdue.lagMedian": lagged("median", "p50", TARGETS.lagMs),
    "overdue.lagP99": lagged("99th percentile", "p99", TARGETS.lagMs),
    "overdue.lagLongest": lagged("longest", "max", TARGETS.lagMs * 10),
  };
}

async function drain(dataDir: string, count: number) {
  const began = Date.now();
  await seedOpenPrompts(dataDir, count, (index) => began - count + index);
  const readLag = watchLag();
  const start = performance.now();
  const beckon = await createBeckon({ dataDir });
  try {
    const headers = { authorization: `Bearer ${beckon.ownerToken}` };
    const read = async (path: string) =>
      (await beckon.fetch(new Request(`http://localhost${path}`, { headers }))).json();
    const isDrained = async () => {
      const open = (await read("/api/interactions?limit=1")) as { interactions: unknown[] };
      if (open.interactions.length > 0) return false;
      const last = (await read("/api/sessions?limit=200")) as { sessions: { status: string }[] };
      return last.sessions.every(({ status }) => status === "idle");
    };
    while (!(await isDrained())) await pause(POLL_MS);
    return { drainMs: performance.now() - start, lag: await readLag() };
  } finally {
    await beckon.close();
  }
}

async function commitAlone(directory: string, count: number): Promise<number> {
  const store = openSqliteStore({ path: join(directory, "bare.db"), clock: systemClock });
  const set = session("s1");
  await store.commit({ writes: [{ table: "sessions", id: "s1", ifVersion: 0, set }], events: [] });
  const start = performance.now();
  for (let done = 0; done < count; done += AT_ONCE) {
    const lot = Array.from({ length: Math.min(AT_ONCE, count - done) }, async () =>
      store.commit({ sessionId: "s1", writes: [], events: [newEvent()] }),
    );
    await Promise.all(lot);
  }
  const took = performance.now() - start;
  await store.close();
  return took;
}

function newEvent(): NewEvent {
  return { id: systemIds.next(), type: "text", at: Date.now(), payload: { text: "bare" } };
}

/** Gives the milliseconds by which the loop was late since it was called. */
function watchLag(): () => Promise<{ p50: number; p99: number; max: number }> {
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  return async () => {
    // Of a loop that was kept from looking nothing is known yet.
    while (lag.count === 0) await pause(1);
    lag.disable();
    const [p50, p99] = [lag.percentile(50) / 1e6, lag.percentile(99) / 1e6];
    return { p50, p99, max: lag.max / 1e6 };
  };
}
