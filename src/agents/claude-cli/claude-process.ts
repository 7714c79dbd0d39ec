import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { readLines } from "./lines.ts";

/**
 * Becomes the command. Beside it waits a guard that holds the other end of a pipe to the server
 * (file descriptor 3): the kernel closes that when the server dies, however it dies. Claude Code
 * would not care before its turn is over. SIGTERM lets it end its own commands first, which are in
 * sessions of their own; that takes no time, while it itself may take a few seconds.
 */
const LAUNCH = `
( trap "" HUP INT QUIT TERM
  read -r _ <&3
  kill -s TERM "$$"
  for _ in 1 2; do kill -s 0 "$$" || break; sleep 1; done
  kill -s KILL 0 ) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`;

/** How long it may take to end after each signal. */
const PATIENCE_MS = 2_000;
/** Of what it says on stderr, the last is kept. */
const LAST_WORDS = 2_000;

/** A running Claude Code that speaks JSON, a line a message. */
export class ClaudeProcess {
  /** The code with which it ended, or the signal. */
  readonly exited: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #output: Readable;
  #lastWords = "";
  #hasExited = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(command: string[], at: { cwd: string; env: Record<string, string | undefined> }) {
    const child = spawn("/bin/sh", ["-c", LAUNCH, "sh", ...command], {
      ...at,
      // A group of its own: what it leaves in there ends with it.
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    const { stdin: input, stdout: output, stderr: errors } = child;
    const guard = child.stdio[3] as Writable;
    this.#child = child;
    this.#input = input;
    this.#output = output;
    errors.on("data", (piece: Buffer) => {
      this.#lastWords = (this.#lastWords + piece.toString()).slice(-LAST_WORDS);
    });
    // Who has ended reads nothing more; that it has is told by its exit.
    for (const stream of [input, guard]) stream.on("error", () => {});
    this.exited = this.#watch(at.cwd);
    this.exited.catch(() => {});
  }

  get lastWords(): string {
    return this.#lastWords.trim();
  }

  write(message: object): void {
    if (this.#input.writable) this.#input.write(`${JSON.stringify(message)}\n`);
  }

  /** Nothing more will be said to it: it ends when it has answered. */
  endInput(): void {
    this.#input.end();
  }

  /** What it says, until it has ended. */
  messages(): AsyncIterable<Record<string, unknown>> {
    return readLines(this.#output);
  }

  /** Ends it: an interrupt keeps its conversation in order, and the other signals follow. */
  stop(): void {
    if (this.#hasExited || this.#timer) return;
    this.endInput();
    const [first, ...others] = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
    this.#child.kill(first);
    const next = () => {
      const signal = others.shift();
      if (signal === "SIGKILL") this.#killGroup();
      else if (signal) {
        this.#child.kill(signal);
        this.#timer = setTimeout(next, PATIENCE_MS);
      }
    };
    this.#timer = setTimeout(next, PATIENCE_MS);
  }

  async #watch(cwd: string): Promise<number | NodeJS.Signals> {
    try {
      const [code, signal] = (await once(this.#child, "exit")) as [number, NodeJS.Signals];
      this.#hasExited = true;
      this.#killGroup();
      return code ?? signal;
    } catch (cause) {
      throw new Error(`Claude Code could not be started in ${cwd} (${String(cause)}).`, { cause });
    } finally {
      this.#hasExited = true;
      clearTimeout(this.#timer);
    }
  }

  /** The guard is in the group as well, so the group is ours for as long as there is one. */
  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // Nobody is left in it.
    }
  }
}
