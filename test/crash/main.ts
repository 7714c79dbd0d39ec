/**
 * Kills a real server again and again and checks that it keeps its promises.
 *
 *   npm run test:crash -- [--kills 200] [--answers 10000] [--seed N] [--sessions 12]
 *   npm run test:crash -- --matrix      every crash point in every story, once and three times
 */
import { parseArgs } from "node:util";
import { CrashWorld } from "./crash-world.ts";
import { runLoad } from "./load.ts";
import { casesOf, runCase } from "./matrix.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    answers: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sessions: { type: "string", default: "12" },
    matrix: { type: "boolean", default: false },
  },
});

const started = performance.now();
const broken = values.matrix ? await matrix() : await load();
console.log(`${Math.round((performance.now() - started) / 1_000)} s, ${broken} violations`);
process.exitCode = broken > 0 ? 1 : 0;

async function load(): Promise<number> {
  const [kills, answers, seed, sessions] = [
    values.kills,
    values.answers,
    values.seed,
    values.sessions,
  ].map(Number) as [number, number, number, number];
  console.log(`seed ${seed}: ${kills} kills, ${answers} answers, ${sessions} sessions at once`);
  const report = await runLoad({ kills, answers, seed, sessions, progress: console.log });
  for (const [point, times] of [...report.deaths].sort(([, a], [, b]) => b - a)) {
    console.log(`${String(times).padStart(5)}  ${point}`);
  }
  for (const violation of report.violations) console.error(`seed ${seed}: ${violation}`);
  console.log(`${report.kills} SIGKILLs, ${report.answers} acknowledged answers, seed ${seed}`);
  return report.violations.length;
}

async function matrix(): Promise<number> {
  let broken = 0;
  let world = await CrashWorld.start();
  for (const one of [...casesOf(1), ...casesOf(3)]) {
    const name = `${one.story}, ${one.times} × at ${one.point}`;
    const found = await runCase(world, one).catch((error: unknown) => [String(error)]);
    console.log(`${found.length === 0 ? "kept  " : "BROKEN"}  ${name}`);
    for (const violation of found) console.error(`${name}: ${violation}`);
    if (found.length === 0) continue;
    broken += found.length;
    await world.close();
    world = await CrashWorld.start();
  }
  await world.close();
  return broken;
}
