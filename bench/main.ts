/**
 * What Beckon promises about time and size, each figure beside a bare reference measured in the
 * same run, so that a busy machine slows both.
 *
 *   npm run bench -- [--store postgres] [--quick] [--only NAME] [--rounds N] [--against DIR]
 *                    [--json | --markdown]
 *
 * `--against` runs the server of another built checkout in the same rounds. It uses nothing of that
 * checkout but its command and, where a directory has to be filled first, its `bench/seed-*.ts`.
 * `--tiny` is for the test of this program: it runs everything and measures nothing.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureAsk } from "./ask/measure.ts";
import { measureCall } from "./call/measure.ts";
import { measureFanOut } from "./fan-out/measure.ts";
import type { Figures } from "./figures.ts";
import { measureGrowth } from "./growth.ts";
import { describeCheckout, describeMachine } from "./machine.ts";
import { measureMemory } from "./memory/measure.ts";
import { measureOverdue } from "./overdue.ts";
import { measurePage } from "./page/measure.ts";
import { measurePostgresAsk, measurePostgresGrowth } from "./postgres/measure.ts";
import { type Report, toMarkdown, toText } from "./print.ts";
import { measureReplay } from "./replay/measure.ts";
import { measureRestart } from "./restart.ts";
import { root } from "./server-process.ts";
import { type Sizes, SIZES } from "./sizes.ts";
import { measureStart } from "./start.ts";

type Bench = (sizes: Sizes, rival?: string) => Promise<Figures>;

/** Those in which another checkout can take part. */
const WITH_RIVAL: Record<string, Bench> = {
  ask: measureAsk,
  call: measureCall,
  fanout: measureFanOut,
  growth: measureGrowth,
  replay: measureReplay,
  start: measureStart,
  restart: measureRestart,
};
const BENCHES: Record<string, Bench> = {
  ...WITH_RIVAL,
  memory: measureMemory,
  overdue: measureOverdue,
  page: measurePage,
};
/** With `--store postgres`: servers that share a PostgreSQL. */
const ON_POSTGRES: Record<string, Bench> = {
  ask: measurePostgresAsk,
  growth: measurePostgresGrowth,
};

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    markdown: { type: "boolean" },
    quick: { type: "boolean" },
    tiny: { type: "boolean" },
    only: { type: "string" },
    rounds: { type: "string" },
    against: { type: "string" },
    store: { type: "string", default: "sqlite" },
  },
});

const rival = values.against === undefined ? undefined : resolve(values.against);
const onPostgres = values.store === "postgres";
const offered = onPostgres ? ON_POSTGRES : rival === undefined ? BENCHES : WITH_RIVAL;
const problem = findProblem();
if (problem === undefined) await run();
else {
  console.error(problem);
  process.exitCode = 2;
}

function findProblem(): string | undefined {
  if (values.store !== "sqlite" && !onPostgres) return "--store takes one of sqlite, postgres.";
  if (onPostgres && rival !== undefined) {
    return "Another checkout is measured on SQLite only: leave out --against or --store.";
  }
  if (values.only !== undefined && !(values.only in offered)) {
    const when =
      rival !== undefined
        ? "Beside another checkout --only"
        : onPostgres
          ? "With --store postgres --only"
          : "--only";
    return `${when} takes one of ${Object.keys(offered).join(", ")}.`;
  }
  if (values.rounds !== undefined && !/^[1-9]\d*$/.test(values.rounds)) {
    return "--rounds takes a whole number from 1.";
  }
  if (!existsSync(join(root, "dist", "web", "index.html"))) {
    return "There is nothing built to measure: run `npm run build` first.";
  }
  if (rival !== undefined && !existsSync(join(rival, "dist", "cli", "main.js"))) {
    return `There is no built checkout in ${rival}: run \`npm run build\` there first.`;
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
    const found = await offered[name]?.(sizes, rival);
    console.error(`${name}: measured in ${secondsSince(start)} s`);
    return found;
  };
  const names = values.only === undefined ? Object.keys(offered) : [values.only];
  // One after the other, unless nothing is measured: then only the time counts.
  if (values.tiny) Object.assign(figures, ...(await Promise.all(names.map(measured))));
  else for (const name of names) Object.assign(figures, await measured(name));
  const report: Report = {
    command: ["npm run bench", ...words()].join(" "),
    machine,
    rounds: sizes.rounds,
    seconds: secondsSince(began),
    ...(rival !== undefined && { against: await describeCheckout(rival) }),
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
