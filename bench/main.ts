/**
 * What Beckon promises about time and size, each figure beside a bare reference measured in the
 * same run, so that a busy machine slows both.
 *
 *   npm run build && npm run bench -- [--only ask|start|restart|overdue] [--rounds N] [--json]
 */
import { readFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAsk } from "./ask/measure.ts";
import type { Figure } from "./figures.ts";
import { measureOverdue } from "./overdue.ts";
import { measureRestart } from "./restart.ts";
import { root } from "./server-process.ts";
import { measureStart } from "./start.ts";

const PROMPTS = 10_000;
const TURNS = 300;

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
  },
});
const rounds = Number(values.rounds);
const benches: Record<string, () => Promise<Record<string, Figure>>> = {
  ask: () => measureAsk(TURNS),
  start: () => measureStart(rounds),
  restart: () => measureRestart(PROMPTS, rounds),
  overdue: () => measureOverdue(PROMPTS),
};

const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
  version: string;
};
const report = {
  beckon: manifest.version,
  node: process.version,
  machine: {
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: loadavg()[0],
  },
  rounds,
  figures: {} as Record<string, Figure>,
};
for (const [name, measure] of Object.entries(benches)) {
  if (values.only === undefined || values.only === name) {
    Object.assign(report.figures, await measure());
  }
}

if (values.json) {
  console.log(JSON.stringify(report));
} else {
  const { machine } = report;
  console.log(`Beckon ${report.beckon}, Node ${report.node}, median of ${rounds} rounds`);
  console.log(
    `${machine.platform}, ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory, load ${machine.load?.toFixed(1)}`,
  );
  console.table(report.figures);
}
