import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRegistry, demoAgent, outsideAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  type Clock,
  type Core,
  createCore,
  type Ids,
  type InteractionRow,
  type Log,
  type QuotaTable,
  type Store,
  type ToolDefinition,
  type WaitingDefaults,
} from "../../src/core/index.ts";
import { builtinTools, createToolRegistry } from "../../src/plugins/index.ts";
import type { ChatEvent, FrameChannel, SessionRecord } from "../../src/protocol/index.ts";
import {
  createCredentials,
  createServer,
  type Credentials,
  OWNER_ID,
} from "../../src/server/index.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { systemIds } from "../../src/system.ts";
import {
  createFakeClock,
  createRandom,
  type FakeClock,
  withLatency,
} from "../../src/testing/index.ts";
import { byDepth } from "../support/depth.ts";
import type { TestDatabase } from "../support/postgres/database.ts";
import { createTestScope } from "../support/scope.ts";
import { Client } from "./client.ts";
import { giveBack, openPostgres, openSqliteFile, type Stores, takeDatabase } from "./stores.ts";

/** The ways to run one suite: see ARCHITECTURE.md. */
export type Mode = "single" | "alwaysOrphan" | "twoNodes" | "twoNodesPostgres";
const ALL_MODES: Mode[] = ["single", "alwaysOrphan", "twoNodes", "twoNodesPostgres"];
const WANTED =
  process.env["BECKON_MODES"]?.split(",") ??
  byDepth<string[]>({
    quick: ["single"],
    usual: ["single", "alwaysOrphan"],
    deep: ["single", "alwaysOrphan", "twoNodes"],
  });
export const MODES = ALL_MODES.filter((mode) => WANTED.includes(mode));

export interface WorldOptions {
  mode?: Mode;
  tools?: ToolDefinition[];
  agents?: AgentRuntime[];
  ids?: Ids;
  /** Lets the store answer late by a random number of turns. @default true */
  latency?: boolean;
  seed?: number;
  /** As `defaults` in settings.json. */
  defaults?: WaitingDefaults;
  /** How long a write waits for another process that holds the database. */
  patienceMs?: number;
  /** What each caller may use. @default QUOTAS */
  quotaTable?: QuotaTable;
}

interface Node {
  url: string;
  core: Core;
  /** The entrances that need no socket. */
  connect(token: string): FrameChannel;
  fetch(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

/** Nodes look for what was not told them, and keep their leases, by themselves: here in real time. */
const QUICK_MS = { single: 15, alwaysOrphan: 15, twoNodes: 15, twoNodesPostgres: 60 };
const BEATS_MS = new Set([5_000, 1_500]);
/** No two nodes have the same time, and none has the store's. */
const SKEWS_MS = [2_000, -60 * 60 * 1_000];

const quietLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** One or two servers on real sockets over one real store, and a clock that tests move. */
export class World {
  readonly mode: Mode;
  readonly clock: FakeClock;
  readonly directory = mkdtempSync(join(tmpdir(), "beckon-world-"));
  readonly #options: WorldOptions;
  readonly #random: () => number;
  readonly #clients: Client[] = [];
  readonly #postgres: TestDatabase | undefined;
  #stores!: Stores;
  #nodes: Node[] = [];
  #credentials!: Credentials;
  #owner = "";
  #turn = 0;

  private constructor(options: WorldOptions, postgres?: TestDatabase) {
    this.#options = options;
    this.#postgres = postgres;
    this.clock = createFakeClock(undefined, postgres?.settle);
    this.mode = options.mode ?? "single";
    this.#random = createRandom(options.seed ?? Number(process.env["BECKON_RANDOM"] ?? 1));
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const isPostgres = options.mode === "twoNodesPostgres";
    const world = new World(options, isPostgres ? await takeDatabase() : undefined);
    await world.#open();
    return world;
  }

  get store(): Store {
    return this.#stores.store;
  }

  /** The connection of the store, for tests that break its disk. */
  get database(): Database {
    return this.#stores.sqlite as Database;
  }

  /** Where the store has these words: a file, also of what is not yet checkpointed, or a table. */
  async placesOf(words: string): Promise<string[]> {
    return this.#stores.placesOf(words);
  }

  get nodeCount(): number {
    return this.mode === "twoNodes" || this.mode === "twoNodesPostgres" ? 2 : 1;
  }

  /** What only the store itself knows, or what it is made to say. */
  sql(text: string): Promise<Record<string, unknown>[]> {
    return this.#stores.sql(text);
  }

  get owner(): string {
    return this.#owner;
  }

  get credentials(): Credentials {
    return this.#credentials;
  }

  /** Each time another node, where there are two. */
  get node(): Node {
    return this.#nodes[this.#turn++ % this.#nodes.length] as Node;
  }

  /** A person's client that has said hello with interactive mode on. */
  async person(hello?: Record<string, unknown>): Promise<Client> {
    return this.#keep(await Client.connect(this.node.url, this.#owner, hello));
  }

  async connect(token: string, hello?: Record<string, unknown>): Promise<Client> {
    return this.#keep(await Client.connect(this.node.url, token, hello));
  }

  /** A person's socket that has not said hello. */
  async silent(): Promise<Client> {
    return this.#keep(await Client.open(this.node.url, { authorization: `Bearer ${this.#owner}` }));
  }

  /** The same person in the process of the server; without a hello it says nothing yet. */
  async direct(hello?: Record<string, unknown>): Promise<Client> {
    return this.#keep(await Client.over(this.node.connect(this.#owner), hello));
  }

  async machine(sessionId?: string): Promise<string> {
    const holder = { kind: "machine", name: "script" } as const;
    return (await this.#credentials.createToken({ holder, sessionId })).token;
  }

  async http(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: any; headers: Headers }> {
    const response = await fetch(this.node.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#owner}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  }

  async session(body: Record<string, unknown> = {}): Promise<SessionRecord> {
    return (await this.http("POST", "/api/sessions", body)).body as SessionRecord;
  }

  /** A session with one client that follows it. */
  async conversation(): Promise<{ session: SessionRecord; client: Client }> {
    const client = await this.person();
    const session = await this.session();
    await client.subscribe(session.id);
    return { session, client };
  }

  /** The whole log, as a client that joins now would read it. */
  async log(sessionId: string): Promise<ChatEvent[]> {
    return (await this.http("GET", `/api/sessions/${sessionId}/events`)).body.events as ChatEvent[];
  }

  async interaction(id: string): Promise<InteractionRow> {
    return (await this.store.interaction(id)) as InteractionRow;
  }

  /** Stops without a goodbye, as a killed process does, and starts anew on the same file. */
  async crash(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.terminate();
    const nodes = this.#nodes;
    this.#nodes = [];
    // From here on nothing of the old process reaches the disk.
    await this.#stores.close();
    await Promise.all(nodes.map((node) => node.stop().catch(() => {})));
    await this.#open();
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.terminate();
    await Promise.all(this.#nodes.map((node) => node.stop()));
    await this.#stores.close();
    if (this.#postgres) giveBack(this.#postgres);
    rmSync(this.directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #keep(client: Client): Client {
    this.#clients.push(client);
    return client;
  }

  async #open(): Promise<void> {
    const parts = { clock: this.clock, random: this.#random, count: this.nodeCount };
    const { directory } = this;
    const { patienceMs } = this.#options;
    this.#stores = this.#postgres
      ? await openPostgres(this.#postgres, parts)
      : openSqliteFile({ ...parts, directory, patienceMs });
    this.#credentials = createCredentials({
      store: this.store,
      ids: systemIds,
      clock: this.clock,
    });
    await this.#credentials.ensureOwner();
    if (this.#owner === "") {
      const made = await this.#credentials.createToken({ holder: { principalId: OWNER_ID } });
      this.#owner = made.token;
    }
    this.#nodes = await Promise.all(
      this.#stores.nodes.map((parts, index) =>
        this.#startNode(parts, `node${index}`, SKEWS_MS[index] ?? 0),
      ),
    );
  }

  async #startNode(
    { store: given, bus }: Stores["nodes"][number],
    owner: string,
    skewMs: number,
  ): Promise<Node> {
    const shared = this.nodeCount > 1;
    const store = (this.#options.latency ?? true) ? withLatency(given, this.#random) : given;
    const clock = shared ? asNodeClock(this.clock, skewMs, QUICK_MS[this.mode]) : this.clock;
    const ids = this.#options.ids ?? systemIds;
    const credentials = createCredentials({ store, ids: systemIds, clock: this.clock, bus });
    const scope = createTestScope();
    const core = createCore({
      store,
      bus,
      clock,
      ids,
      scope,
      agents: createAgentRegistry([demoAgent, outsideAgent, ...(this.#options.agents ?? [])]),
      tools: createToolRegistry([...builtinTools, ...(this.#options.tools ?? [])]),
      log: quietLog,
      owner: `${owner}-${Math.random()}`,
      shared,
      defaults: this.#options.defaults,
      alwaysOrphan: this.mode === "alwaysOrphan",
      quotaTable: this.#options.quotaTable,
    });
    await core.start();
    const server = createServer({
      core,
      credentials,
      plugins: { list: () => [], toolFor: (plugin, operation) => `${plugin}_${operation}` },
      clock: this.clock,
      ids: systemIds,
      log: quietLog,
      bus,
      version: "test",
    });
    const listener = await server.listen({ host: "127.0.0.1", port: 0 });
    return {
      url: listener.url,
      core,
      connect: (token) => server.connect(token),
      fetch: (request) => server.fetch(request),
      async stop() {
        server.close();
        await Promise.all([core.stop({ drainMs: 0 }), listener.close()]);
        scope.close();
      },
    };
  }
}

function asNodeClock(clock: Clock, skewMs: number, quickMs: number): Clock {
  return {
    now: () => clock.now() + skewMs,
    timer(ms, callback) {
      if (!BEATS_MS.has(ms)) return clock.timer(ms, callback);
      const timer = setTimeout(callback, quickMs);
      return () => clearTimeout(timer);
    },
    turn: () => clock.turn(),
  };
}
