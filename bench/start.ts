import { setTimeout as pause } from "node:timers/promises";
import { withDirectory } from "./directories.ts";
import { figure, type Figures, under } from "./figures.ts";
import { takeTurns } from "./lanes.ts";
import { withBeckon } from "./place.ts";
import { type StartedServer, withServer } from "./server-process.ts";
import type { Sizes } from "./sizes.ts";

const TARGETS = { startMs: 1_000, idleMb: 120 };
const BARE =
  'require("http").createServer().listen(0, "127.0.0.1", () => console.log("listening"))';

interface Start {
  startMs: number;
  idleMb: number;
}

/** How long a server takes to listen and what it weighs when idle, beside a bare HTTP server. */
export async function measureStart(sizes: Sizes, rival?: string): Promise<Figures> {
  const { rounds, idleMs } = sizes;
  const weigh = async ({ startMs, usage }: StartedServer) => {
    await pause(idleMs);
    return { startMs, idleMb: (await usage()).rss / 2 ** 20 };
  };
  const start = (checkout?: string) => () =>
    withDirectory((data) => withBeckon(data, weigh, { checkout }));
  const starts = {
    bare: () => withServer(["-e", BARE], weigh),
    beckon: start(),
    rival: rival === undefined ? undefined : start(rival),
  };
  const took = await takeTurns(starts, rounds, (measure) => measure());
  const compared = (what: string, unit: string, of: keyof Start) =>
    figure({
      what,
      reference: "an HTTP server of Node that answers nothing",
      unit,
      beckon: took.beckon.map((one) => one[of]),
      bare: took.bare.map((one) => one[of]),
      rival: took.rival.map((one) => one[of]),
      target: under(TARGETS[of]),
    });
  return {
    "start.listening": compared("start to listening", "ms", "startMs"),
    "start.memory": compared("resident memory when idle", "MiB", "idleMb"),
  };
}
