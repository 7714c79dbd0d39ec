import { createRequire } from "node:module";

/*
 * The clients that others write with, as far as they are used here: that of today's library in both
 * eras of the protocol, and the one of the library before it.
 */

export const ERAS = ["2025-11-25, the older library", "2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

export interface Reply {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, any>;
  isError?: boolean;
}

interface CallOptions {
  onprogress?: (progress: { progress: number }) => void;
  resetTimeoutOnProgress?: boolean;
  timeout?: number;
  signal?: AbortSignal;
}

interface RealClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string; inputSchema: Record<string, unknown> }[] }>;
  callTool(...args: unknown[]): Promise<Reply>;
}

interface Library {
  Client: new (info: object, options?: object) => RealClient;
  StreamableHTTPClientTransport: new (url: URL, options: object) => unknown;
  StdioClientTransport: new (command: object) => { pid: number | null };
}

const resolve = createRequire(import.meta.url);
const load = (name: string) => resolve(name) as Record<string, unknown>;

function libraryOf(era: Era): Library {
  const parts =
    era === ERAS[0]
      ? ["sdk/client/index.js", "sdk/client/streamableHttp.js", "sdk/client/stdio.js"]
      : ["client", "client/stdio"];
  const modules = parts.map((part) => load(`@modelcontextprotocol/${part}`));
  return Object.assign({}, ...modules) as Library;
}

/** Where a client finds the server. */
export type Place =
  | { url: string; headers: Record<string, string> }
  | { command: string; args: string[]; env: Record<string, string>; cwd?: string };

/** An MCP client of one era, connected. */
export class McpClient {
  readonly era: Era;
  readonly #client: RealClient;
  readonly #transport: { pid?: number | null };

  private constructor(era: Era, client: RealClient, transport: { pid?: number | null }) {
    this.era = era;
    this.#client = client;
    this.#transport = transport;
  }

  static async connect(era: Era, place: Place): Promise<McpClient> {
    const library = libraryOf(era);
    const options = era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {};
    const client = new library.Client({ name: "test", version: "1" }, options);
    const transport =
      "url" in place
        ? new library.StreamableHTTPClientTransport(new URL("/mcp", place.url), {
            requestInit: { headers: place.headers },
          })
        : new library.StdioClientTransport(place);
    await client.connect(transport);
    return new McpClient(era, client, transport as { pid?: number | null });
  }

  /** Of the process that a client on stdio has started. */
  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  async toolNames(): Promise<string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name);
  }

  call(name: string, args: object, options: CallOptions = {}): Promise<Reply> {
    const given = { name, arguments: args };
    return this.era === ERAS[0]
      ? this.#client.callTool(given, undefined, options)
      : this.#client.callTool(given, options);
  }

  /** Calls, and gives what the reply holds. */
  async ask(name: string, args: object, options?: CallOptions): Promise<unknown> {
    return (await this.call(name, args, options)).structuredContent;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
