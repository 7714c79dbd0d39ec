import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRegistry, demoAgent, outsideAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  type Bus,
  type Clock,
  type Core,
  createCore,
  createLocalBus,
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
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { releaseLeases } from "../../src/store/sqlite/queries/runs.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { systemIds } from "../../src/system.ts";
import {
  createFakeClock,
  createLossyBuses,
  createRandom,
  type FakeClock,
  withLatency,
} from "../../src/testing/index.ts";
import { byDepth } from "../support/depth.ts";
import { createTestScope } from "../support/scope.ts";
import { Client } from "./client.ts";

/** The ways to run one suite: see ARCHITECTURE.md. */
export type Mode = "single" | "alwaysOrphan" | "twoNodes";
const ALL_MODES: Mode[] = ["single", "alwaysOrphan", "twoNodes"];
const WANTED =
  process.env["BECKON_MODES"]?.split(",") ??
  byDepth<string[]>({ quick: ["single"], usual: ["single", "alwaysOrphan"], deep: ALL_MODES });
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
const QUICK_MS = 15;
const BEATS_MS = new Set([5_000, 1_500]);
/** No two nodes have the same time, and none has the store's. */
const SKEWS_MS = [2_000, -60 * 60 * 1_000];

const quietLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** One or two servers on real sockets over one real SQLite file, and a clock that tests move. */
export class World {
  readonly mode: Mode;
  readonly clock: FakeClock = createFakeClock();
  readonly directory = mkdtempSync(join(tmpdir(), "beckon-world-"));
  readonly #options: WorldOptions;
  readonly #random: () => number;
  readonly #clients: Client[] = [];
  #database!: Database;
  #store!: Store;
  #nodes: Node[] = [];
  #credentials!: Credentials;
  #owner = "";
  #turn = 0;

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.mode = options.mode ?? "single";
    this.#random = createRandom(options.seed ?? Number(process.env["BECKON_RANDOM"] ?? 1));
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const world = new World(options);
    await world.#open();
    return world;
  }

  get store(): Store {
    return this.#store;
  }

  /** The connection of the store, for tests that break its disk. */
  get database(): Database {
    return this.#database;
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
    return (await this.#store.interaction(id)) as InteractionRow;
  }

  /** Stops without a goodbye, as a killed process does, and starts anew on the same file. */
  async crash(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.terminate();
    const nodes = this.#nodes;
    this.#nodes = [];
    // From here on nothing of the old process reaches the disk.
    const store = this.#store;
    await store.close();
    await Promise.all(nodes.map((node) => node.stop().catch(() => {})));
    await this.#open();
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.terminate();
    await Promise.all(this.#nodes.map((node) => node.stop()));
    await this.#store.close();
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
    const path = join(this.directory, "beckon.db");
    this.#database = openDatabase(path, this.#options.patienceMs);
    releaseLeases(this.#database);
    this.#store = createSqliteStore(this.#database, this.clock);
    this.#credentials = createCredentials({
      store: this.#store,
      ids: systemIds,
      clock: this.clock,
    });
    await this.#credentials.ensureOwner();
    if (this.#owner === "") {
      const made = await this.#credentials.createToken({ holder: { principalId: OWNER_ID } });
      this.#owner = made.token;
    }
    const count = this.mode === "twoNodes" ? 2 : 1;
    const buses = count === 1 ? [createLocalBus()] : createLossyBuses(count, this.#random);
    this.#nodes = await Promise.all(
      buses.map((bus, index) => this.#startNode(bus, `node${index}`, SKEWS_MS[index] ?? 0)),
    );
  }

  async #startNode(bus: Bus, owner: string, skewMs: number): Promise<Node> {
    const shared = this.mode === "twoNodes";
    const store =
      (this.#options.latency ?? true) ? withLatency(this.#store, this.#random) : this.#store;
    const clock = shared ? asNodeClock(this.clock, skewMs) : this.clock;
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

function asNodeClock(clock: Clock, skewMs: number): Clock {
  return {
    now: () => clock.now() + skewMs,
    timer(ms, callback) {
      if (!BEATS_MS.has(ms)) return clock.timer(ms, callback);
      const timer = setTimeout(callback, QUICK_MS);
      return () => clearTimeout(timer);
    },
    turn: () => clock.turn(),
  };
}
