import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentRuntime, type Beckon, createBeckon } from "../../../src/beckon.ts";
import { type ClaudeAgentOptions, createClaudeAgent } from "../../../src/agents/index.ts";
import { type FakeAnthropic, startFakeAnthropic } from "../../../src/testing/index.ts";
import { Client, type EventOf } from "../../scenarios/client.ts";

export const SDK_PATH = new URL(
  "../node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs",
  import.meta.url,
).href;

/** A question as AskUserQuestion has it. */
export const COLOUR = {
  header: "Colour",
  question: "Which colour?",
  multiSelect: false,
  options: [
    { label: "Red", description: "As the door" },
    { label: "Blue", description: "As the sky" },
  ],
};

/** A server with the real Claude Agent SDK in it, and a model that says what the test tells it to. */
export class ClaudeHouse {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-claude-"));
  model!: FakeAnthropic;
  beckon!: Beckon;
  #options: ClaudeAgentOptions = {};

  /** @param options of the agent; a function gets the folder of the house */
  static async open(
    options: ClaudeAgentOptions | ((folder: string) => ClaudeAgentOptions) = {},
  ): Promise<ClaudeHouse> {
    const house = new ClaudeHouse();
    mkdirSync(house.work);
    house.model = await startFakeAnthropic();
    house.#options = typeof options === "function" ? options(house.folder) : options;
    await house.start();
    return house;
  }

  /** Where the agent works. */
  get work(): string {
    return join(this.folder, "work");
  }

  async start(): Promise<void> {
    const dataDir = join(this.folder, "data");
    this.beckon = await createBeckon({ dataDir, agents: this.agents() });
  }

  protected agents(): AgentRuntime[] {
    return [createClaudeAgent({ sdkPath: SDK_PATH, ...this.common(), ...this.#options })];
  }

  /** What every Claude Code gets: the scripted model, and no settings but its own. */
  protected common() {
    const env = { ...this.model.env(this.folder), IS_SANDBOX: "1" };
    return { env, settingSources: [] };
  }

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

/** A person in one session. */
export class Talk {
  readonly client: Client;
  readonly sessionId: string;

  constructor(client: Client, sessionId: string) {
    this.client = client;
    this.sessionId = sessionId;
  }

  say(text: string, more: Record<string, unknown> = {}) {
    return this.client.say(this.sessionId, text, more);
  }

  /** The `nth` prompt, now or when it comes. */
  prompt(nth = 1): Promise<EventOf<"interaction_request">> {
    return this.client.event("interaction_request", nth);
  }

  async answer(request: EventOf<"interaction_request">, body: Record<string, unknown>) {
    const reply = await this.client.answer(request, body);
    if (!reply["ok"]) throw new Error(`The answer was refused: ${JSON.stringify(reply)}`);
  }

  async result(toolCallId: string): Promise<EventOf<"tool_result">["payload"]> {
    const event = await this.client.event(
      "tool_result",
      (payload) => payload.toolCallId === toolCallId,
    );
    return event.payload;
  }

  async ended(nth = 1): Promise<string> {
    return (await this.client.event("turn_end", nth)).payload.status;
  }

  types(): string[] {
    return this.client.events(this.sessionId).map(({ type }) => type);
  }
}
