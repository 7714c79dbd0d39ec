import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const PROGRAM = new URL("node.js", import.meta.url).pathname;

export interface NodeOptions {
  directory: string;
  name: string;
  /** Of the PostgreSQL. */
  store: string;
  /** Under which clients reach it, as the proxy's host and port. */
  host: string;
}

interface Listener {
  listening(name: string, address: { url: string; token: string }): void;
  gone(name: string): void;
}

/** What pino calls an error. */
const ERROR = 50;

/** A server process of a cluster, which can be ended, killed and stopped, and started again. */
export class ClusterNode {
  readonly name: string;
  /** Lines of its log that say that something is wrong, of all its lives. */
  readonly errors: string[] = [];
  readonly #options: NodeOptions;
  readonly #listener: Listener;
  #child: ChildProcess | undefined;
  #starting: Promise<void> = Promise.resolve();
  #isEnding = false;

  constructor(options: NodeOptions, listener: Listener) {
    this.name = options.name;
    this.#options = options;
    this.#listener = listener;
  }

  /** Of the process that runs, or ran last. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Until it listens. One that cannot start, because its store is away, tries again. */
  start(): Promise<void> {
    this.#starting = this.#startUntilItListens();
    return this.#starting;
  }

  async #startUntilItListens(): Promise<void> {
    while (!(await this.#startOnce())) {
      // What keeps it from starting is in its log.
    }
  }

  async #startOnce(): Promise<boolean> {
    const argument = JSON.stringify(this.#options);
    const child = fork(PROGRAM, [argument], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: [],
    });
    this.#child = child;
    this.#isEnding = false;
    let rest = "";
    /** What is no line of its log: why it ended, if it did so by itself. */
    let words = "";
    child.stderr?.on("data", (piece: Buffer) => {
      const lines = (rest + piece.toString()).split("\n");
      rest = lines.pop() ?? "";
      this.errors.push(...lines.filter(isError));
      words += lines.filter((line) => !line.startsWith("{")).join("\n");
    });
    let isListening = false;
    return new Promise((resolve) => {
      child.on("message", (message: { url: string; token: string }) => {
        isListening = true;
        this.#listener.listening(this.name, message);
        resolve(true);
      });
      child.on("exit", (code, signal) => {
        if (isListening && !this.#isEnding) {
          this.errors.push(`it ended by itself (${code ?? signal}): ${words}`);
        }
        if (this.#child === child) this.#listener.gone(this.name);
        resolve(false);
      });
    });
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** As a rolling update does. */
  async shutDown(): Promise<void> {
    await this.#end("SIGTERM");
  }

  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    await this.#starting;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    this.#isEnding = true;
    child.kill(signal);
    await ended;
  }
}

/** That its store is away is no fault of a server. */
function isError(line: string): boolean {
  if (!line.startsWith("{")) return false;
  return (JSON.parse(line) as { level: number }).level >= ERROR && !/StoreUnavailable/.test(line);
}
