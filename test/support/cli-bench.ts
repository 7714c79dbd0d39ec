import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/program.ts";
import type { ChatEvent, InteractionRecord, SessionRecord } from "../../src/protocol/index.ts";

export interface CommandOptions {
  stdin?: string;
  /** Beside the data directory's. */
  env?: Record<string, string>;
  stop?: AbortSignal;
  /** Hears each line of stdout as it comes. */
  onLine?: (line: string) => void;
}

/** A server in this process, on a data directory of its own, and commands that talk to it. */
export class CliBench {
  readonly data = mkdtempSync(join(tmpdir(), "beckon-people-"));
  url = "";
  #stop = new AbortController();
  #served: Promise<unknown> = Promise.resolve();

  static async make(): Promise<CliBench> {
    const bench = new CliBench();
    await bench.serve();
    return bench;
  }

  /** Starts the server; any port, so after a restart another one. */
  async serve(): Promise<void> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.url = await new Promise<string>((resolve, reject) => {
      const io = {
        out: (line: string) => resolve(new URL(JSON.parse(line).url).origin),
        err: () => {},
        env: { BECKON_DATA: this.data, BECKON_LOG: "silent" },
        stopSignal: () => signal,
      };
      this.#served = run(["serve", "--port", "0", "--json"], io).then((code) =>
        reject(new Error(`serve ended with ${code}`)),
      );
    });
  }

  async goAway(): Promise<void> {
    this.#stop.abort();
    await this.#served;
  }

  async close(): Promise<void> {
    await this.goAway();
    rmSync(this.data, { recursive: true, force: true });
  }

  get token(): string {
    return readFileSync(join(this.data, "token"), "utf8").trim();
  }

  async beckon(args: string[], options: CommandOptions = {}) {
    const { stdin = "", env = {}, stop = new AbortController().signal, onLine } = options;
    const out: string[] = [];
    const err: string[] = [];
    const exitCode = await run(args, {
      out(line) {
        out.push(line);
        onLine?.(line);
      },
      err: (line) => void err.push(line),
      async *stdin() {
        yield Buffer.from(stdin);
      },
      env: { BECKON_DATA: this.data, ...env },
      stopSignal: () => stop,
    });
    return { exitCode, out, err: err.join("\n") };
  }

  async http<Reply>(method: string, path: string, body?: object, token = this.token) {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Reply;
  }

  ask(body: object): Promise<InteractionRecord> {
    return this.http("POST", "/api/interactions", body);
  }

  prompt(id: string): Promise<InteractionRecord> {
    return this.http("GET", `/api/interactions/${id}`);
  }

  session(body: object = {}): Promise<SessionRecord> {
    return this.http("POST", "/api/sessions", body);
  }

  async events(sessionId: string): Promise<ChatEvent[]> {
    const path = `/api/sessions/${sessionId}/events`;
    return (await this.http<{ events: ChatEvent[] }>("GET", path)).events;
  }

  async newToken(kind: "person" | "machine", name: string): Promise<string> {
    const { out } = await this.beckon(["token", "create", "--kind", kind, "--name", name]);
    return out.at(-1) ?? "";
  }
}
