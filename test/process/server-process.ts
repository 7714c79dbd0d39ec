import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "../scenarios/client.ts";

export const BIN = new URL("../../bin/beckon.js", import.meta.url).pathname;

/** A real `beckon serve`, started as a user would. */
export class ServerProcess {
  readonly url: string;
  readonly code: string;
  readonly #child: ChildProcess;
  readonly #data: string;

  private constructor(child: ChildProcess, data: string, first: { url: string; code: string }) {
    this.#child = child;
    this.#data = data;
    this.url = new URL(first.url).origin;
    this.code = first.code;
  }

  static async start(data: string, ...args: string[]): Promise<ServerProcess> {
    const options = ["serve", "--port", "0", "--json", "--data", data, ...args];
    const child = spawn(process.execPath, [BIN, ...options], { stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (piece: Buffer) => (errors += piece.toString()));
    for await (const line of createInterface({ input: child.stdout })) {
      return new ServerProcess(child, data, JSON.parse(line) as { url: string; code: string });
    }
    throw new Error(`The server ended before it listened: ${errors}`);
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

  /** Ends it with a signal and gives its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const ended = once(this.#child, "exit");
    this.#child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }
}
