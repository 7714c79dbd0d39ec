import { EXIT } from "./failure.ts";
import { run } from "./program.ts";

/** A server that was asked to stop is gone after ten seconds, whatever still hangs. */
const DRAIN_MS = 8_000;
const LINGER_MS = 1_000;

const stop = new AbortController();

function askToStop(): void {
  if (stop.signal.aborted) process.exit(EXIT.interrupted);
  stop.abort();
  setTimeout(() => process.exit(EXIT.ok), DRAIN_MS).unref();
}

process.exitCode = await run(process.argv.slice(2), {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  env: process.env,
  stopSignal() {
    process.on("SIGINT", askToStop).on("SIGTERM", askToStop);
    return stop.signal;
  },
});
// A plugin may have left a timer or a socket behind.
setTimeout(() => process.exit(), LINGER_MS).unref();
