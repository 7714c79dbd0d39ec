import type { Env } from "./env.ts";
import type { LiveRun } from "./live-run.ts";
import { claimWrite, wakeWrite } from "./run-writes.ts";
import type { RunRow, Write } from "./ports.ts";

/**
 * An answer, a timeout or another end lands on an interaction. Whoever commits it also makes sure
 * that its run goes on: a run that nobody owns becomes ours, an owned one is marked so that its
 * owner cannot fall asleep without looking.
 */
export interface Landing {
  writes: Write[];
  /** The run as this process holds it, if it can go on at once: else it has to be entered again. */
  held(): LiveRun | undefined;
  /** To be called when the commit is stored; or when it is decided, for a run that is held. */
  proceed(): void;
}

export function land(env: Env, run: RunRow | null): Landing {
  if (!run || run.status === "ended" || run.status === "queued") {
    return { writes: [], held: () => undefined, proceed: () => {} };
  }
  const write = run.status === "suspended" ? claimWrite(env, run) : wakeWrite(run);
  const after: RunRow = { ...run, ...write.set, version: run.version + 1 };
  // Whoever still holds the closures of exactly this epoch simply goes on with them.
  const held = () => {
    const found = env.live.get(run.id);
    return found && !found.lost && found.row.epoch === run.epoch ? found : undefined;
  };
  return {
    writes: [write],
    held,
    proceed() {
      const found = env.live.get(run.id);
      if (run.status === "live") {
        if (found) found.refresh(after);
        else env.bus.publish({ type: "run", runId: run.id });
        return;
      }
      const going = held();
      if (going) {
        going.row = after;
        void going
          .lookAgain()
          .catch((error: unknown) => env.log.error({ error }, "could not go on"));
        return;
      }
      found?.lose();
      env.enterRun(after, "again");
    },
  };
}
