import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Beckon, createBeckon } from "../../../src/beckon.ts";
import { type CodexAgentOptions, createCodexAgent } from "../../../src/agents/index.ts";
import { type FakeOpenai, startFakeOpenai, toolUse } from "../../../src/testing/index.ts";
import { Client } from "../../scenarios/client.ts";
import { Talk } from "../claude/claude-house.ts";

export const CODEX = new URL("../node_modules/.bin/codex", import.meta.url).pathname;

/** The model runs a command. */
export function runs(id: string, cmd: string) {
  // By default the model would get to read what there is after ten seconds.
  return toolUse(id, "exec_command", { cmd, yield_time_ms: 30_000 });
}

/** What one process has under `/proc`; nothing where it is gone. */
function readProcess(pid: string, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

const processes = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));

/** The command lines of all processes of this machine. */
export function commandLines(): string[] {
  return processes().map((pid) => readProcess(pid, "cmdline"));
}

/** What runs of the Codex that has its home in a folder, and of its commands. */
export function processesOf(folder: string): string[] {
  return processes()
    .filter((pid) => readProcess(pid, "environ").includes(`CODEX_HOME=${folder}`))
    .map((pid) => readProcess(pid, "cmdline").slice(0, 100));
}

/** A server with the real Codex under it, and a model that says what the test tells it to. */
export class CodexHouse {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-codex-"));
  model!: FakeOpenai;
  beckon!: Beckon;
  url!: string;
  #options: CodexAgentOptions = {};

  static async open(options: CodexAgentOptions = {}): Promise<CodexHouse> {
    const house = new CodexHouse();
    mkdirSync(house.work);
    house.model = await startFakeOpenai();
    house.#options = options;
    await house.start();
    return house;
  }

  /** Where the agent works. */
  get work(): string {
    return join(this.folder, "work");
  }

  async start(): Promise<void> {
    const { env, ...options } = this.#options;
    this.beckon = await createBeckon({
      dataDir: join(this.folder, "data"),
      agents: [
        createCodexAgent({
          command: CODEX,
          env: { ...this.model.codexEnv(this.folder), ...env },
          ...options,
        }),
      ],
    });
    this.url = (await this.beckon.listen({ host: "127.0.0.1", port: 0 })).url;
  }

  /** A session that somebody looks at. */
  async talk(settings: Record<string, unknown> = {}): Promise<Talk> {
    const response = await fetch(`${this.url}/api/sessions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.beckon.ownerToken}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ cwd: this.work, ...settings }),
    });
    const { id } = (await response.json()) as { id: string };
    const channel = this.beckon.connect(this.beckon.ownerToken);
    const client = await Client.over(channel, { interaction: { supported: true, enabled: true } });
    await client.subscribe(id);
    return new Talk(client, id);
  }

  async close(): Promise<void> {
    await this.beckon.close();
    await this.model.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
