import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Beckon, createBeckon } from "../../../src/beckon.ts";
import type { InteractionRecord } from "../../../src/protocol/index.ts";
import { createFakeClock } from "../../../src/testing/index.ts";
import { Client, type EventOf } from "../../scenarios/client.ts";
import { type Era, McpClient } from "./clients.ts";

const TOOLS = new URL("../plugins", import.meta.url).pathname;

/** A server whose clock the test moves, with a person at its inbox and MCP clients that come in. */
export class McpHouse {
  readonly clock = createFakeClock();
  readonly #folder = mkdtempSync(join(tmpdir(), "beckon-mcp-"));
  readonly #clients: McpClient[] = [];
  #isClosed = false;
  beckon!: Beckon;
  url = "";
  person!: Client;

  static async open(): Promise<McpHouse> {
    const house = new McpHouse();
    const dataDir = join(house.#folder, "data");
    house.beckon = await createBeckon({ dataDir, plugins: [TOOLS], clock: house.clock });
    house.url = (await house.beckon.listen({ host: "127.0.0.1", port: 0 })).url;
    const { beckon } = house;
    const there = { interaction: { supported: true, enabled: true } };
    house.person = await Client.over(beckon.connect(beckon.ownerToken), there);
    return house;
  }

  async machine(sessionId?: string): Promise<string> {
    const holder = { kind: "machine", name: "Robot" } as const;
    return (await this.beckon.credentials.createToken({ holder, sessionId })).token;
  }

  async client(
    era: Era,
    { token, ...headers }: { token?: string } & Record<string, string> = {},
  ): Promise<McpClient> {
    const authorization = `Bearer ${token ?? (await this.machine())}`;
    const client = await McpClient.connect(era, {
      url: this.url,
      headers: { authorization, ...headers },
    });
    this.#clients.push(client);
    return client;
  }

  async api<Body = any>(method: string, path: string, body?: unknown): Promise<Body> {
    const request = new Request(`${this.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.beckon.ownerToken}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await (await this.beckon.fetch(request)).json()) as Body;
  }

  async open(): Promise<InteractionRecord[]> {
    return (await this.api("GET", "/interactions")).interactions;
  }

  /** What waits, once so much does. */
  async waiting(count = 1): Promise<InteractionRecord[]> {
    while (!this.#isClosed) {
      const prompts = await this.open();
      if (prompts.length >= count) return prompts;
      await new Promise(setImmediate);
    }
    throw new Error("The test has ended, and nothing was asked.");
  }

  /** Lets time pass, so much at a time, until something has come. */
  async passing<Value>(work: Promise<Value>, stepMs = 1): Promise<{ value: Value; steps: number }> {
    let steps = 0;
    const state = { isOver: false };
    const over = work.finally(() => (state.isOver = true));
    for (; !state.isOver && !this.#isClosed; steps++) {
      await this.clock.advance(stepMs);
      await new Promise(setImmediate);
    }
    return { value: await over, steps };
  }

  /** Answers the one prompt that waits, once it does. */
  async answer(body: Record<string, unknown>): Promise<InteractionRecord> {
    const [prompt] = await this.waiting();
    return this.api("POST", `/interactions/${prompt?.id}/respond`, body);
  }

  async log(sessionId: string): Promise<{ type: string; payload: any }[]> {
    return (await this.api("GET", `/sessions/${sessionId}/events`)).events as EventOf<any>[];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const client of this.#clients) await client.close();
    this.person.terminate();
    await this.beckon.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
