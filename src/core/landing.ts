import type { Env } from "./env.ts";
import { claimWrite, wakeWrite } from "./run-writes.ts";
import type { RunRow, Write } from "./ports.ts";

/**
 * An answer, a timeout or another end lands on an interaction. Whoever commits it also makes sure
 * that its run goes on: a run that nobody owns becomes ours, an owned one is marked so that its
 * owner cannot fall asleep without looking.
 */
export interface Landing {
  writes: Write[];
  /** To be called when the commit is stored; or decided, by who may go ahead of the disk. */
  proceed(): void;
}

export function land(env: Env, run: RunRow | null): Landing {
  if (!run || run.status === "ended" || run.status === "queued") {
    return { writes: [], proceed: () => {} };
  }
  const write = run.status === "suspended" ? claimWrite(env, run) : wakeWrite(run);
  const after: RunRow = { ...run, ...write.set, version: run.version + 1 };
  return {
    writes: [write],
    proceed() {
      const held = env.live.get(run.id);
      if (run.status === "live") {
        if (held) held.refresh(after);
        else env.bus.publish({ type: "run", runId: run.id });
        return;
      }
      // Whoever still holds the closures of exactly this epoch simply goes on with them.
      if (held && !held.lost && held.row.epoch === run.epoch) {
        held.row = after;
        void held
          .lookAgain()
          .catch((error: unknown) => env.log.error({ error }, "could not go on"));
        return;
      }
      held?.lose();
      env.enterRun(after, "again");
    },
  };
}
