import { EXIT } from "./failure.ts";
import { whenNobodyReads } from "./pipe-reader.ts";
import { run } from "./program.ts";

/** A server that was asked to stop is gone after ten seconds, whatever still hangs. */
const DRAIN_MS = 8_000;
const LINGER_MS = 1_000;
/** A Ctrl+C reaches `npm start` and us, and npm hands it on: that is one wish to stop, not two. */
const SAME_WISH_MS = 500;

const stop = new AbortController();
const unread = new AbortController();

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  unread.abort();
});
// Words that nobody reads are no reason to end otherwise.
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

let askedAt = 0;
let exitCodeIfItHangs: number = EXIT.ok;

/** Once is enough for a supervisor, however often it asks; a person who asks again does not wait. */
function askToStop(signal: NodeJS.Signals): void {
  if (stop.signal.aborted) {
    const impatient = signal === "SIGINT" && performance.now() - askedAt > SAME_WISH_MS;
    if (impatient) process.exit(EXIT.interrupted);
    return;
  }
  askedAt = performance.now();
  stop.abort();
  setTimeout(() => process.exit(exitCodeIfItHangs), DRAIN_MS).unref();
}

// Who lists the processes of this machine is not shown the password of an address.
if (process.argv.some((word) => /^(--\w+=)?postgres(ql)?:/i.test(word))) {
  process.title = `beckon ${process.argv[2] ?? ""}`;
}

process.exitCode = await run(process.argv.slice(2), {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  stdin: () => process.stdin,
  isTerminal: process.stdout.isTTY,
  terminal() {
    const { stdin: input, stdout: output } = process;
    const isOne = input.isTTY && output.isTTY && process.env["TERM"] !== "dumb";
    return isOne ? { input, output } : undefined;
  },
  unread() {
    whenNobodyReads(() => unread.abort());
    return unread.signal;
  },
  env: process.env,
  stopSignal(exitCode = EXIT.ok) {
    exitCodeIfItHangs = exitCode;
    process.on("SIGINT", askToStop).on("SIGTERM", askToStop);
    return stop.signal;
  },
});
// A plugin may have left a timer or a socket behind.
setTimeout(() => process.exit(), LINGER_MS).unref();
