import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "../process/server-process.ts";
import { Talk } from "./talk.ts";

/** A real `beckon serve` with a real runtime under it, which a test kills and starts again. */
export class MortalServer<Model extends { close(): Promise<void> }> {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-mortal-"));
  readonly work = join(this.folder, "work");
  readonly model: Model;
  readonly #data = join(this.folder, "data");
  readonly #agent: string;
  #process!: ServerProcess;

  private constructor(model: Model, agent: string) {
    this.model = model;
    this.#agent = agent;
    for (const folder of [this.#data, this.work]) mkdirSync(folder);
  }

  /** @param settings of the agent, from the folder */
  static async start<Model extends { close(): Promise<void> }>(
    model: Model,
    agent: string,
    settings: (folder: string) => object,
  ): Promise<MortalServer<Model>> {
    const server = new MortalServer(model, agent);
    const agents = { [agent]: settings(server.folder) };
    writeFileSync(join(server.#data, "settings.json"), JSON.stringify({ agents }));
    await server.revive();
    return server;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async kill(): Promise<void> {
    await this.#process.end("SIGKILL");
  }

  async revive(): Promise<void> {
    this.#process = await ServerProcess.start(this.#data);
  }

  /** Somebody in a session; in a new one where none is named. */
  async talk(sessionId?: string): Promise<Talk> {
    const id = sessionId ?? (await this.#newSession());
    const client = await this.#process.person();
    await client.subscribe(id);
    return new Talk(client, id);
  }

  async close(): Promise<void> {
    await this.kill();
    await this.model.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #newSession(): Promise<string> {
    const body = { agent: this.#agent, cwd: this.work };
    return (await this.#process.http("POST", "/api/sessions", body)).body.id;
  }
}
