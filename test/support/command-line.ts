import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatEvent, InteractionRecord, SessionRecord } from "../../src/protocol/index.ts";
import { InboxPerson } from "./inbox-person.ts";
import { type Circumstances, type Ran, type Running, startCommand } from "./run-command.ts";

/** A real server and real commands that talk to it, all in this process, on a data directory. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-command-line-"));
  readonly data = join(this.folder, "data");
  url = "";
  #server: Running | undefined;
  #arguments: string[] = [];

  static async start(...serveArguments: string[]): Promise<CommandLine> {
    const at = new CommandLine();
    at.#arguments = serveArguments;
    await at.serve();
    return at;
  }

  /** Starts the server; any port, so after a restart another one. */
  async serve(): Promise<void> {
    this.#server = this.start(["serve", "--port", "0", "--json", ...this.#arguments]);
    const { url } = JSON.parse(await this.#server.firstLine) as { url: string };
    this.url = new URL(url).origin;
  }

  async stopServer(): Promise<void> {
    this.#server?.stop();
    await this.#server?.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopServer();
    rmSync(this.folder, { recursive: true, force: true });
  }

  beckon(args: string[], given?: Circumstances): Promise<Ran> {
    return this.start(args, given).done;
  }

  start(args: string[], { env, ...given }: Circumstances = {}): Running {
    const own = { BECKON_DATA: this.data, BECKON_LOG: "silent" };
    return startCommand(args, { ...given, env: { ...own, ...env } });
  }

  get token(): string {
    return readFileSync(join(this.data, "token"), "utf8").trim();
  }

  async newToken(kind: "person" | "machine", name: string): Promise<string> {
    const { out } = await this.beckon(["token", "create", "--kind", kind, "--name", name]);
    return out.at(-1) ?? "";
  }

  person(): Promise<InboxPerson> {
    return InboxPerson.connect(this.url, this.token);
  }

  async http<Reply = any>(
    method: string,
    path: string,
    body?: object,
    token = this.token,
  ): Promise<Reply> {
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
    return (await this.http("GET", `/api/sessions/${sessionId}/events`)).events;
  }
}
