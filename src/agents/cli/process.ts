import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Socket } from "node:net";
import { delimiter, resolve } from "node:path";
import { PassThrough } from "node:stream";

export interface CliOptions {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** What it reads. */
  input: string;
  /** Ends it and all that it started. */
  signal: AbortSignal;
}

/** A program of an agent that runs until it has ended by itself or is ended. */
export interface CliProcess {
  /** What it prints, line by line. Read it to its end. */
  readonly lines: AsyncIterable<string>;
  readonly ended: Promise<CliEnd>;
}

export interface CliEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The last that it wrote to its standard error. */
  errors: string;
}

const CLI_LIMITS = {
  /** A longer line is left out. */
  lineBytes: 16 * 1024 * 1024,
  errorCharacters: 4 * 1024,
  /** From SIGINT to SIGKILL. */
  killGraceMs: 2_000,
  /** How long to read on when a process that got away still holds the output open. */
  drainMs: 500,
} as const;

/**
 * Becomes the program, beside a watchdog in the same group. File descriptor 3 is a socket to the
 * server, which the kernel closes however the server dies: then the watchdog interrupts the group,
 * so that the program can put its history in order, and kills what is left after two seconds. It is
 * no child of the program, and what is sent to the whole group does not end it.
 */
const LAUNCH = `
( ( trap "" HUP INT QUIT TERM
    while read -r _ <&3; do :; done
    kill -s INT -- "-$$"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      kill -s 0 "$$" || break
      sleep 0.1
    done
    kill -s KILL -- "-$$"
  ) </dev/null >/dev/null 2>&1 & )
exec "$@" 3<&-
`;

/**
 * Starts a program that ends with the signal, and with this process, in whatever way it dies.
 *
 * Contract: rejects only when it could not be started.
 */
export async function startCli(options: CliOptions): Promise<CliProcess> {
  const { command, args, cwd, env, input, signal } = options;
  const child = spawn("/bin/sh", ["-c", LAUNCH, "sh", command, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const exited = new Promise<Omit<CliEnd, "errors">>((tell) => {
    child.once("exit", (exitCode, endedBy) => tell({ exitCode, signal: endedBy }));
  });
  await once(child, "spawn");
  const group = child.pid as number;
  const watchdog = child.stdio[3] as Socket;
  // Whoever is gone before it has read everything is not to end this process.
  for (const pipe of [child.stdin, watchdog]) pipe.on("error", () => {});
  watchdog.resume();
  child.stdin.end(input);

  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-CLI_LIMITS.errorCharacters);
  });
  // A pipe that is cut off would be an error to who reads it; this one just ends.
  const output = child.stdout.pipe(new PassThrough());
  const closed = Promise.all([once(child.stdout, "close"), once(child.stderr, "close")]);

  const letGo = interruptOn(signal, group);
  async function end(): Promise<CliEnd> {
    const how = await exited;
    letGo();
    // Ends whatever it left in its group.
    watchdog.end();
    // What is still in the pipe is little, and is taken whether or not somebody reads it now.
    child.stdout.unpipe(output).on("data", (chunk: Buffer) => output.write(chunk));
    const timer = setTimeout(() => {
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    }, CLI_LIMITS.drainMs);
    await closed;
    clearTimeout(timer);
    output.end();
    return { ...how, errors: errors.trim() };
  }
  return { lines: linesOf(output), ended: end() };
}

/** @returns what to call when it has ended */
function interruptOn(signal: AbortSignal, group: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    signalGroup(group, "SIGINT");
    timer = setTimeout(() => signalGroup(group, "SIGKILL"), CLI_LIMITS.killGraceMs);
  };
  if (signal.aborted) interrupt();
  else signal.addEventListener("abort", interrupt, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", interrupt);
  };
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}

const LINE_FEED = 10;

/** Splits what comes into lines, in memory of a fixed size. */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  lineBytes: number = CLI_LIMITS.lineBytes,
): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= lineBytes) pieces.push(piece);
    else pieces = [];
  };
  const take = (): string | undefined => {
    const line = length > lineBytes ? undefined : Buffer.concat(pieces).toString();
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line !== undefined) yield line;
    }
    add(chunk.subarray(start));
  }
  const rest = take();
  if (rest) yield rest;
}

/**
 * Where a command is: a path, or a name on the PATH. Both are seen from the folder of this process:
 * what happens to lie in the folder that an agent works in is not to be run in its place.
 */
export async function findCommand(
  command: string,
  path: string | undefined,
): Promise<string | undefined> {
  const places = command.includes("/") ? [""] : (path ?? "").split(delimiter);
  for (const place of places) {
    const whole = resolve(place, command);
    const runs = await access(whole, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return whole;
  }
  return undefined;
}
