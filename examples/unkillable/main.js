/**
 * A release that asks five times, on a server that is killed every two seconds.
 *
 *   npm run demo:unkillable                        you answer, here
 *   npm run demo:unkillable -- answer --data DIR   and in a second window
 *   npm run demo:unkillable -- --person scripted   a program answers
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { answer } from "./answer.js";
import { Demo } from "./demo.js";
import { openHumanWindow } from "./human-window.js";
import { HELP, readOptions, WrongOption } from "./options.js";
import { printCounts, printReport, printWelcome } from "./say.js";
import { scriptedWindows } from "./scripted.js";

try {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const options = readOptions(process.argv.slice(2), { isTerminal });
  if (options.help) process.stdout.write(HELP);
  else if (options.command === "run") process.exitCode = (await run(options)) ? 0 : 1;
  else await answer({ data: resolve(String(options.data)), name: options.name });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof WrongOption ? `${message}\n\n${HELP}` : message);
  process.exitCode = error instanceof WrongOption ? 2 : 1;
}

/** @param {ReturnType<typeof readOptions>} options */
async function run(options) {
  const { person, thinkMs } = options;
  const data = resolve(options.data ?? mkdtempSync(join(tmpdir(), "beckon-unkillable-")));
  const demo = new Demo({ ...options, data, aloud: person === "scripted" });
  const onSecret = (/** @type {string} */ secret) => void demo.secrets.push(secret);
  /** @type {import("./terminal.js").Terminal | undefined} */
  let terminal;
  const interrupt = () => {
    terminal?.close();
    console.log(`\nStopped. To go on: npm run demo:unkillable -- --data ${data}`);
    void demo.stop().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);

  /** @type {import("./window.js").Window[]} */
  let windows = [];
  try {
    const rows = await demo.run(async ({ connect, sessionId }) => {
      if (person === "scripted") {
        windows = await scriptedWindows({ connect, sessionId }, { thinkMs, onSecret });
        return windows;
      }
      const api = await connect("window 1");
      printWelcome({ data, every: options.every });
      const mine = openHumanWindow({ api, sessionId }, { onSecret, onInterrupt: interrupt });
      terminal = mine.terminal;
      demo.onKill = () => mine.terminal.setStatus(`killed ${demo.kills} ×`);
      windows = [mine.window];
      return windows;
    });
    terminal?.close();
    const kept = printReport(rows);
    printCounts(windows);
    await demo.stop();
    if (kept && !options.data && person === "scripted") rmSync(data, { recursive: true });
    else console.log(`Everything is in ${data}`);
    return kept;
  } finally {
    terminal?.close();
    await demo.stop();
  }
}
