/**
 * What Beckon promises about time and size, each figure beside a bare reference measured in the
 * same run, so that a busy machine slows both.
 *
 *   npm run bench -- [--quick] [--only NAME] [--rounds N] [--json | --markdown]
 *
 * `--tiny` is for the test of this program: it runs everything and measures nothing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAsk } from "./ask/measure.ts";
import { measureFanOut } from "./fan-out/measure.ts";
import type { Figures } from "./figures.ts";
import { measureGrowth } from "./growth.ts";
import { describeMachine } from "./machine.ts";
import { measureMemory } from "./memory/measure.ts";
import { measureOverdue } from "./overdue.ts";
import { measurePage } from "./page/measure.ts";
import { type Report, toMarkdown, toText } from "./print.ts";
import { measureReplay } from "./replay/measure.ts";
import { measureRestart } from "./restart.ts";
import { root } from "./server-process.ts";
import { type Sizes, SIZES } from "./sizes.ts";
import { measureStart } from "./start.ts";

const BENCHES: Record<string, (sizes: Sizes) => Promise<Figures>> = {
  ask: measureAsk,
  fanout: measureFanOut,
  growth: measureGrowth,
  replay: measureReplay,
  memory: measureMemory,
  start: measureStart,
  restart: measureRestart,
  overdue: measureOverdue,
  page: measurePage,
};

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    markdown: { type: "boolean" },
    quick: { type: "boolean" },
    tiny: { type: "boolean" },
    only: { type: "string" },
    rounds: { type: "string" },
  },
});

const problem = findProblem();
if (problem === undefined) await run();
else {
  console.error(problem);
  process.exitCode = 2;
}

function findProblem(): string | undefined {
  if (values.only !== undefined && !(values.only in BENCHES)) {
    return `--only takes one of ${Object.keys(BENCHES).join(", ")}.`;
  }
  if (values.rounds !== undefined && !/^[1-9]\d*$/.test(values.rounds)) {
    return "--rounds takes a whole number from 1.";
  }
  if (!existsSync(join(root, "dist", "web", "index.html"))) {
    return "There is nothing built to measure: run `npm run build` first.";
  }
  return undefined;
}

async function run(): Promise<void> {
  const size = SIZES[values.tiny ? "tiny" : values.quick ? "quick" : "full"];
  const sizes = { ...size, ...(values.rounds ? { rounds: Number(values.rounds) } : {}) };
  const machine = await describeMachine();
  const began = performance.now();
  const figures: Figures = {};
  const measured = async (name: string) => {
    const start = performance.now();
    const found = await BENCHES[name]?.(sizes);
    console.error(`${name}: measured in ${secondsSince(start)} s`);
    return found;
  };
  const names = values.only === undefined ? Object.keys(BENCHES) : [values.only];
  // One after the other, unless nothing is measured: then only the time counts.
  if (values.tiny) Object.assign(figures, ...(await Promise.all(names.map(measured))));
  else for (const name of names) Object.assign(figures, await measured(name));
  const report: Report = {
    command: ["npm run bench", ...words()].join(" "),
    machine,
    rounds: sizes.rounds,
    seconds: secondsSince(began),
    figures,
  };
  if (values.json) console.log(JSON.stringify(report));
  else console.log(values.markdown ? toMarkdown(report) : toText(report));
}

/** What was asked for, without the form that it is printed in. */
function words(): string[] {
  const given = process.argv.slice(2).filter((word) => word !== "--json" && word !== "--markdown");
  return given.length === 0 ? [] : ["--", ...given];
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10;
}
