import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { BIN, ServerProcess } from "../../process/server-process.ts";
import { blocksOf, readPage } from "../../support/markdown.ts";
import { type Era, McpClient } from "./clients.ts";

/** A real `beckon serve` that a test kills and starts anew, and MCP clients that outlive it. */
export class StdioHouse {
  readonly #data = mkdtempSync(join(tmpdir(), "beckon-stdio-"));
  readonly #clients: McpClient[] = [];
  server!: ServerProcess;

  readonly #page: string;

  private constructor(page: string) {
    this.#page = page;
  }

  /** @param page that tells other programs how to start `beckon mcp` */
  static async open(page: string): Promise<StdioHouse> {
    const house = new StdioHouse(page);
    await house.revive();
    return house;
  }

  async revive(...args: string[]): Promise<void> {
    this.server = await ServerProcess.start(this.#data, ...args);
  }

  async kill(): Promise<void> {
    await this.server.end("SIGKILL");
  }

  /** A client that starts `beckon mcp` as the page tells it to. */
  connect(era: Era, ...more: string[]): Promise<McpClient> {
    const [text = ""] = blocksOf(readPage(this.#page), "json");
    const { beckon } = JSON.parse(text).mcpServers;
    expect(beckon.command).toBe("beckon");
    const args = [BIN, ...beckon.args, ...more];
    const env = { PATH: process.env["PATH"] ?? "", BECKON_DATA: this.#data };
    return this.#keep(McpClient.connect(era, { command: process.execPath, args, env }));
  }

  connectOverHttp(era: Era): Promise<McpClient> {
    const headers = { authorization: `Bearer ${this.server.token}` };
    return this.#keep(McpClient.connect(era, { url: this.server.url, headers }));
  }

  async waiting(): Promise<{ id: string }[]> {
    return (await this.server.http("GET", "/api/interactions")).body.interactions;
  }

  /** The one prompt that waits, once it does. */
  async asked(): Promise<{ id: string }> {
    await expect.poll(() => this.waiting()).toHaveLength(1);
    return (await this.waiting())[0] as { id: string };
  }

  async answer(id: string, answer: string): Promise<void> {
    const body = { action: "submit", input: { answer } };
    await this.server.http("POST", `/api/interactions/${id}/respond`, body);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }

  async #keep(connecting: Promise<McpClient>): Promise<McpClient> {
    const client = await connecting;
    this.#clients.push(client);
    return client;
  }
}
