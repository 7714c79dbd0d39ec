import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CrashPoint } from "../../src/testing/crash-points.ts";

const PROGRAM = new URL("server.js", import.meta.url).pathname;
/** What pino calls an error. */
const ERROR = 50;

/** Where the server is to die: the `nth` time that it comes by this point. */
export interface Plan {
  point: CrashPoint;
  nth: number;
}

interface Listener {
  /** A new life has begun and can be reached. */
  listening(address: { url: string; token: string }): void;
  /** It was killed: at a point, or from outside (null). Gives the plan of its next life. */
  killed(point: CrashPoint | null): Plan | undefined;
  /** It did what no server may do. */
  failed(problem: string): void;
}

/** A server process that is started again whenever it was killed. */
export class CrashServer {
  readonly directory: string;
  readonly #store: string | undefined;
  readonly #listener: Listener;
  #child: ChildProcess | undefined;
  #stopping = false;
  #deaths = 0;

  /** @param store the address of a PostgreSQL; nothing: it keeps everything in the directory */
  constructor(directory: string, store: string | undefined, listener: Listener) {
    this.directory = directory;
    this.#store = store;
    this.#listener = listener;
  }

  start(plan?: Plan): void {
    const argument = JSON.stringify({ directory: this.directory, store: this.#store, plan });
    const stdio = ["ignore", "ignore", "pipe", "ipc"] as const;
    const child = fork(PROGRAM, [argument], { stdio: [...stdio], execArgv: [] });
    this.#child = child;
    let errors = "";
    child.stderr?.on("data", (piece: Buffer) => (errors += piece.toString()));
    child.on("message", (message: { type: string; url: string; token: string }) => {
      // What a dead server said may arrive late.
      const isCurrent = this.#child === child;
      if (isCurrent && message.type === "listening") this.#listener.listening(message);
    });
    child.on("close", (code, signal) => {
      for (const line of errors.split("\n").filter(isError)) {
        this.#listener.failed(`the server logged an error: ${line}`);
      }
      if (this.#stopping) return;
      if (signal === "SIGKILL") this.start(this.#listener.killed(this.#newDeath()));
      else this.#listener.failed(`the server ended by itself (${code ?? signal}): ${errors}`);
    });
  }

  /** Resolves when the running server knows its new plan. */
  async arm(plan: Plan | undefined): Promise<void> {
    this.#child?.send({ plan });
    await new Promise<void>((resolve) => {
      const hear = (message: { type: string }) => {
        if (message.type !== "armed") return;
        this.#child?.off("message", hear);
        resolve();
      };
      this.#child?.on("message", hear);
    });
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  /** Lets it end in its own time; gives its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    this.#stopping = true;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const [code] = (await ended) as [number | null];
    return code;
  }

  #newDeath(): CrashPoint | null {
    const path = join(this.directory, "deaths");
    const deaths = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
    if (deaths.length === this.#deaths) return null;
    this.#deaths = deaths.length;
    return deaths.at(-1) as CrashPoint;
  }
}

function isError(line: string): boolean {
  if (!line.startsWith("{")) return line !== "" && !line.startsWith("(node:");
  return (JSON.parse(line) as { level: number }).level >= ERROR;
}
