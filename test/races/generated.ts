import * as fc from "fast-check";
import { byDepth } from "../support/depth.ts";

/** How many schedules of the engine are run; `test:races` asks for more. */
export const SCHEDULES = Number(
  process.env["BECKON_SCHEDULES"] ?? byDepth({ quick: 300, usual: 1_000, deep: 10_000 }),
);

/**
 * Tries a property with generated values. A failure says how to see exactly this one again: the
 * values, and with them every moment of the race, come from the seed and the path.
 */
export async function holds<Values>(
  property: fc.IAsyncProperty<Values>,
  numRuns: number,
  show: (values: Values) => string = () => "",
): Promise<void> {
  const replay = /^(-?\d+):(.+)$/.exec(process.env["BECKON_REPLAY"] ?? "");
  const again = replay ? { seed: Number(replay[1]), path: replay[2] ?? "" } : {};
  const run = await fc.check(property, { numRuns, endOnFailure: true, ...again });
  if (!run.failed) return;
  const cause = run.errorInstance;
  const why = cause instanceof Error ? cause.message : String(cause);
  const values = run.counterexample ? show(run.counterexample) : "";
  throw new Error(
    `Failed in run ${run.numRuns}. To see it again, run this test alone (-t) with ` +
      `BECKON_REPLAY="${run.seed}:${run.counterexamplePath}"\n${values}\n${why}`,
    { cause: cause instanceof Error ? (cause.cause ?? cause) : cause },
  );
}
