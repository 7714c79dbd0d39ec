import { once } from "node:events";
import { PassThrough, type Writable } from "node:stream";
import { endOn } from "./end-group.ts";
import type { CliEnd } from "./how-it-ended.ts";
import { type Launch, launch } from "./launch.ts";
import { linesOf } from "./lines.ts";

interface CliOptions extends Launch {
  /** Ends it and all that it started. */
  signal: AbortSignal;
}

/** A program of an agent that runs until it has ended by itself or is ended. */
export interface CliProcess {
  /** What it reads. Writing to one that has ended is no error. */
  readonly input: Writable;
  /** What it prints, line by line. Read it to its end. */
  readonly lines: AsyncIterable<string>;
  readonly ended: Promise<CliEnd>;
}

/** How much of the end of its standard error is kept. */
const ERROR_CHARACTERS = 4 * 1024;

/** How long to read on when a process that got away still holds the output open. */
const DRAIN_MS = 500;

/**
 * Starts a program that ends with the signal, and with this process, in whatever way it dies.
 *
 * Contract: rejects only when it could not be started.
 */
export async function startCli({ signal, ...options }: CliOptions): Promise<CliProcess> {
  const { child, group, watchdog } = await launch(options);
  const { stdin: input, stdout, stderr } = child;
  const exited = new Promise<Omit<CliEnd, "errors">>((tell) => {
    child.once("exit", (exitCode, endedBy) => tell({ exitCode, signal: endedBy }));
  });
  let errors = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-ERROR_CHARACTERS);
  });
  // A pipe that is cut off would be an error to who reads it; this one just ends.
  const output = stdout.pipe(new PassThrough());
  const closed = Promise.all([once(stdout, "close"), once(stderr, "close")]);

  const letGo = endOn(signal, group);
  async function end(): Promise<CliEnd> {
    const how = await exited;
    letGo();
    // Ends whatever it left in its group.
    watchdog.end();
    // What is still in the pipe is little, and is taken whether or not somebody reads it now.
    stdout
      .unpipe(output)
      .on("data", (chunk: Buffer) => output.write(chunk))
      .resume();
    const timer = setTimeout(() => {
      for (const pipe of [stdout, stderr]) pipe.destroy();
    }, DRAIN_MS);
    await closed;
    clearTimeout(timer);
    output.end();
    return { ...how, errors: errors.trim() };
  }
  return { input, lines: linesOf(output), ended: end() };
}
