/**
 * Lets many clients work with several servers on one PostgreSQL while these are killed, stopped and
 * restarted, and checks that every promise was kept.
 *
 *   npm run test:cluster -- [--minutes 10] [--clients 100] [--nodes 3] [--seed N] [--every 3000] \
 *     [--faults kill,stop]
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { FAULTS, isFault } from "./faults.ts";
import { runLoad } from "./load.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    clients: { type: "string", default: "100" },
    nodes: { type: "string", default: "3" },
    every: { type: "string", default: "3000" },
    faults: { type: "string", default: FAULTS.join() },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const [minutes, clients, nodes, everyMs, seed] = [
  values.minutes,
  values.clients,
  values.nodes,
  values.every,
  values.seed,
].map(Number) as [number, number, number, number, number];
const faults = values.faults.split(",");
if (!faults.every(isFault)) throw new Error(`--faults takes ${FAULTS.join(", ")}.`);
console.log(`seed ${seed}: ${nodes} nodes, ${clients} clients, ${minutes} minutes`);
const started = performance.now();
// The database of tests keeps no process from ending.
setInterval(() => {}, 60_000);
const report = await runLoad({
  seed,
  clients,
  nodes,
  everyMs,
  ms: minutes * 60_000,
  faults,
  progress: (line) => console.log(`${seconds()} s  ${line}`),
});
for (const violation of report.violations) console.error(`seed ${seed}: ${violation}`);
const line = (label: string, value: number | string) =>
  console.log(`${label.padStart(28)}  ${value}`);
for (const fault of FAULTS) line(fault, report.faults.get(fault) ?? 0);
line("sessions", report.sessions);
line("calls", report.calls);
line("prompts", report.prompts);
line("acknowledged answers", report.answers);
line("reconnects", report.reconnects);
line("steps, run again", `${report.steps}, ${report.repeated}`);
const times = report.takeovers.map((takeover) => takeover.seconds).toSorted((a, b) => a - b);
line(
  "takeovers",
  `${times.length} of ${report.takeovers.reduce((all, { runs }) => all + runs, 0)} runs`,
);
line("slowest, median", `${times.at(-1)?.toFixed(1)} s, ${times[times.length >> 1]?.toFixed(1)} s`);
line(
  "load of the machine",
  loadavg()
    .map((load) => load.toFixed(1))
    .join(", "),
);
line("violations", report.violations.length);
console.log(`${seconds()} s, seed ${seed}`);
process.exit(report.violations.length > 0 ? 1 : 0);

function seconds(): number {
  return Math.round((performance.now() - started) / 1_000);
}
