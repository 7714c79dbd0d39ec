import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { InteractionRecord, SessionRecord } from "../../src/protocol/index.ts";
import { killAll } from "./server-process.ts";

export interface ExampleOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Whether somebody types into it. @default nobody does */
  keyboard?: boolean;
}

/** A command of a page, run in a shell, and somebody who reads what it prints. */
export class ExampleProcess {
  /** Everything that it wrote, to stdout and to stderr. */
  said = "";
  /** What it wrote to stdout. */
  printed = "";
  #child: ChildProcess;
  /** Where its server is, once somebody has signed in. */
  url = "";
  #cookie = "";
  #heard = 0;
  #closed = false;
  #wake = () => {};

  constructor(command: string, { keyboard, ...where }: ExampleOptions) {
    const child = spawn("sh", ["-eu", "-c", command], {
      ...where,
      stdio: [keyboard ? "pipe" : "ignore", "pipe", "pipe"],
      // In a group of its own, as in a terminal: Ctrl+C reaches all that it started.
      detached: true,
    });
    const hear = (piece: Buffer) => {
      this.said += piece.toString();
      this.#wake();
    };
    child.stdout?.on("data", (piece: Buffer) => {
      this.printed += piece.toString();
      hear(piece);
    });
    child.stderr?.on("data", hear);
    child.once("close", () => {
      this.#closed = true;
      this.#wake();
    });
    this.#child = child;
  }

  /** Resolves with what fits, in what it prints after the last thing that was waited for. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.said.slice(this.#heard));
      if (found) {
        this.#heard += found.index + found[0].length;
        return found;
      }
      if (this.#closed) throw new Error(`It ended before it printed ${pattern}: ${this.said}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Types a line into it. */
  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** The address that it prints. */
  async address(): Promise<string> {
    return (await this.prints(/http:\S+#code=\S+/))[0];
  }

  /** Opens the address that it prints, as a browser does. */
  async signIn(): Promise<void> {
    const address = await this.address();
    const { origin, hash } = new URL(address);
    this.url = origin;
    const code = hash.slice("#code=".length);
    const response = await this.#fetch("POST", "/api/auth/exchange", { code });
    this.#cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  }

  async http<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    return (await (await this.#fetch(method, path, body)).json()) as Reply;
  }

  /** The prompt that waits, now or when it comes. */
  async prompt(): Promise<InteractionRecord> {
    for (;;) {
      const path = "/api/interactions?status=pending";
      const { interactions } = await this.http<{ interactions: InteractionRecord[] }>("GET", path);
      if (interactions[0]) return interactions[0];
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async answer({ id }: InteractionRecord, body: object): Promise<void> {
    await this.http("POST", `/api/interactions/${id}/respond`, body);
  }

  /** Sends a message to the session that changed last. */
  async send(content: string): Promise<void> {
    const { sessions } = await this.http<{ sessions: SessionRecord[] }>("GET", "/api/sessions");
    await this.http("POST", `/api/sessions/${sessions[0]?.id}/messages`, { content });
  }

  /** Ctrl+C, and how it ends. */
  async interrupt(): Promise<number | null> {
    process.kill(-Number(this.#child.pid), "SIGINT");
    return this.end();
  }

  /** How it ends, after all that it wrote. */
  async end(): Promise<number | null> {
    if (!this.#closed) await once(this.#child, "close");
    return this.#child.exitCode;
  }

  /** Ends it whatever it does, and all that it started. */
  kill(): void {
    killAll(this.#child);
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        origin: this.url,
        cookie: this.#cookie,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path} says ${await response.text()}`);
    return response;
  }
}
