import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentRuntime, type Beckon, createBeckon } from "../../src/beckon.ts";
import { Client } from "../scenarios/client.ts";
import { Talk } from "./talk.ts";

/** A server with a real runtime under it, and a model that says what the test tells it to. */
export abstract class House<Model extends { close(): Promise<void> }> {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-runtime-"));
  readonly model: Model;
  /** Of plugins, whose operations the agents may call. */
  readonly plugins = [new URL("plugins", import.meta.url).pathname];
  beckon!: Beckon;

  constructor(model: Model) {
    this.model = model;
    mkdirSync(this.work);
  }

  /** Where the agent works. */
  get work(): string {
    return join(this.folder, "work");
  }

  async start(): Promise<void> {
    const dataDir = join(this.folder, "data");
    const { plugins } = this;
    this.beckon = await createBeckon({ dataDir, agents: this.agents(), plugins });
  }

  protected abstract agents(): AgentRuntime[];

  async person(): Promise<Client> {
    const channel = this.beckon.connect(this.beckon.ownerToken);
    return Client.over(channel, { interaction: { supported: true, enabled: true } });
  }

  async api(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const response = await this.beckon.fetch(
      new Request(`http://127.0.0.1/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.beckon.ownerToken}`,
          "content-type": "application/json",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: await response.json() };
  }

  /** A session that somebody looks at. */
  async talk(settings: Record<string, unknown> = {}): Promise<Talk> {
    const { body } = await this.api("POST", "/sessions", { cwd: this.work, ...settings });
    const client = await this.person();
    await client.subscribe(body.id);
    return new Talk(client, body.id);
  }

  async close(): Promise<void> {
    await this.beckon.close();
    await this.model.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
