import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "../scenarios/client.ts";

export const BIN = new URL("../../bin/beckon.js", import.meta.url).pathname;

/** Runs a command to its end, as a user would in a terminal. */
export async function beckonCommand(...args: string[]): Promise<CommandEnd> {
  return beckonCommandWith({}, ...args);
}

interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** @param env beside that of this process */
export async function beckonCommandWith(
  env: NonNullable<SpawnOptions["env"]>,
  ...args: string[]
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [BIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (piece: Buffer) => (said.stdout += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (said.stderr += piece.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...said };
}

/** Kills a program that was started in a process group of its own, and all that it started. */
export function killAll(child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

/** A real `beckon serve`, started as a user would. */
export class ServerProcess {
  readonly url: string;
  readonly code: string;
  /** Everything that it wrote, to stdout and to stderr. */
  output = "";
  /** What it has written to stderr. */
  errors = "";
  readonly #child: ChildProcess;
  readonly #data: string;

  private constructor(child: ChildProcess, data: string, said: string) {
    const first = JSON.parse(said) as { url: string; code: string };
    this.#child = child;
    this.#data = data;
    this.output = said;
    // Reading its first line has paused it.
    child.stdout?.on("data", (piece: Buffer) => (this.output += piece.toString())).resume();
    child.stderr?.on("data", (piece: Buffer) => (this.output += piece.toString()));
    this.url = new URL(first.url).origin;
    this.code = first.code;
    child.stderr?.on("data", (piece: Buffer) => (this.errors += piece.toString()));
  }

  static async start(data: string, ...args: string[]): Promise<ServerProcess> {
    return ServerProcess.startWith({}, data, ...args);
  }

  /** @param env beside that of this process */
  static async startWith(
    env: NonNullable<SpawnOptions["env"]>,
    data: string,
    ...args: string[]
  ): Promise<ServerProcess> {
    const options = ["serve", "--port", "0", "--json", "--data", data, ...args];
    const child = spawn(process.execPath, [BIN, ...options], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    let errors = "";
    child.stderr.on("data", (piece: Buffer) => (errors += piece.toString()));
    for await (const line of createInterface({ input: child.stdout })) {
      return new ServerProcess(child, data, line);
    }
    throw new Error(`The server ended before it listened: ${errors}`);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get token(): string {
    return readFileSync(join(this.#data, "token"), "utf8").trim();
  }

  async person(): Promise<Client> {
    return Client.connect(this.url, this.token);
  }

  async http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: await response.json(),
      headers: response.headers,
    };
  }

  /** Resolves when it has written this to stderr. */
  async says(text: string): Promise<void> {
    while (!this.errors.includes(text)) {
      await once(this.#child.stderr as NonNullable<ChildProcess["stderr"]>, "data");
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Nobody reads its stderr from here on. */
  closeErrors(): void {
    this.#child.stderr?.destroy();
  }

  /** Ends it with a signal, unless it has ended already, and gives its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return this.#child.exitCode;
    }
    const ended = once(this.#child, "exit");
    this.#child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }
}
