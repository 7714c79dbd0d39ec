/**
 * A release that asks five times, on three nodes of which one after the other is killed.
 *
 *   npm run demo:cluster                        you answer, here
 *   npm run demo:cluster -- --person scripted   a program answers
 */
import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openHumanWindow } from "../unkillable/human-window.js";
import { printCounts, printReport } from "../unkillable/say.js";
import { scriptedWindows } from "../unkillable/scripted.js";
import { Demo } from "./demo.js";

const { values } = parseArgs({
  options: {
    person: {
      type: "string",
      default: process.stdin.isTTY && process.stdout.isTTY ? "you" : "scripted",
    },
    every: { type: "string", default: "4" },
    kills: { type: "string" },
    think: { type: "string", default: "1200" },
    work: { type: "string", default: "400" },
  },
});
const isScripted = values.person === "scripted";
const data = mkdtempSync(join(tmpdir(), "beckon-cluster-"));
// PostgreSQL may run as another user.
chmodSync(data, 0o755);
const demo = new Demo({
  data,
  everyMs: Number(values.every) * 1_000,
  kills: Number(values.kills ?? (isScripted ? "6" : "0")),
  workMs: Number(values.work),
  aloud: isScripted,
});
const onSecret = (/** @type {string} */ secret) => void demo.secrets.push(secret);
/** @type {import("../unkillable/terminal.js").Terminal | undefined} */
let terminal;
const interrupt = () => {
  terminal?.close();
  void demo.stop().finally(() => process.exit(130));
};
process.once("SIGINT", interrupt).once("SIGTERM", interrupt);

/** @type {import("../unkillable/window.js").Window[]} */
let windows = [];
try {
  const rows = await demo.run(async ({ connect, sessionId }) => {
    if (isScripted) {
      const thinkMs = Number(values.think);
      windows = await scriptedWindows({ connect, sessionId }, { thinkMs, onSecret });
      return windows;
    }
    console.log(
      "An agent makes a release and asks you five times, while its nodes are killed. Just answer.\n",
    );
    const api = await connect("window 1");
    const mine = openHumanWindow({ api, sessionId }, { onSecret, onInterrupt: interrupt });
    terminal = mine.terminal;
    demo.onKill = () => mine.terminal.setStatus(`killed ${demo.kills} ×`);
    windows = [mine.window];
    return windows;
  });
  terminal?.close();
  const kept = printReport(rows);
  printCounts(windows);
  process.exitCode = kept ? 0 : 1;
} finally {
  terminal?.close();
  await demo.stop();
  if (process.exitCode === 0) rmSync(data, { recursive: true });
  else console.log(`Everything is in ${data}`);
}
