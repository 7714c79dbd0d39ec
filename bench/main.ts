/**
 * How long a server takes to listen and what it weighs when idle, each beside a bare HTTP server
 * measured in the same run, round by round, so that a busy machine slows both.
 *
 *   npm run build && npm run bench -- [--rounds N] [--json]
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureProcess, median, type ProcessFigures } from "./measure-process.ts";

const TARGETS = { startMs: 1_000, idleMb: 120 };
const BARE =
  'require("http").createServer().listen(0, "127.0.0.1", () => console.log("listening"))';

const { values } = parseArgs({
  options: { json: { type: "boolean" }, rounds: { type: "string", default: "5" } },
});
const root = fileURLToPath(new URL("..", import.meta.url));

async function measureBeckon(): Promise<ProcessFigures> {
  const data = await mkdtemp(join(tmpdir(), "beckon-bench-"));
  try {
    const bin = join(root, "bin", "beckon.js");
    return await measureProcess([bin, "serve", "--port", "0", "--json", "--data", data]);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

const beckon: ProcessFigures[] = [];
const bare: ProcessFigures[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  bare.push(await measureProcess(["-e", BARE]));
  beckon.push(await measureBeckon());
}

function compare(figure: keyof ProcessFigures) {
  const [ours, reference] = [beckon, bare].map((all) => median(all.map((one) => one[figure])));
  if (ours === undefined || reference === undefined) throw new Error("Nothing was measured.");
  return {
    beckon: round(ours),
    bare: round(reference),
    ratio: round(ours / reference),
    target: TARGETS[figure],
    met: ours < TARGETS[figure],
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

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
  },
  rounds: beckon.length,
  startToListeningMs: compare("startMs"),
  idleResidentMb: compare("idleMb"),
};

if (values.json) {
  console.log(JSON.stringify(report));
} else {
  const { machine, startToListeningMs: start, idleResidentMb: idle } = report;
  console.log(`Beckon ${report.beckon}, Node ${report.node}, median of ${report.rounds} rounds`);
  console.log(
    `${machine.platform}, ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory`,
  );
  console.table({ "start to listening (ms)": start, "idle resident memory (MB)": idle });
}
