import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { withData } from "../../../src/cli/data.ts";
import type { ChatEvent, InteractionRecord, SessionRecord } from "../../../src/protocol/index.ts";
import { OWNER_ID } from "../../../src/server/index.ts";
import { openSqliteStore } from "../../../src/store/index.ts";
import { systemClock } from "../../../src/system.ts";
import { ServerProcess } from "../../process/server-process.ts";
import type { Client } from "../../scenarios/client.ts";

/** The example plugins, which ask in every way there is. */
const DEMO_TOOLS = pathOf("../../../examples/plugins/demo-tools");
/** Asks what it is told to ask. */
const STAGE = pathOf("../plugin");
const PLUGINS = [DEMO_TOOLS, STAGE].flatMap((folder) => ["--plugins", folder]);

/** A real `beckon serve` with its data, which stays where it is when the server is restarted. */
export class Place {
  /** How often the server has gone away so far. */
  restarts = 0;
  server: ServerProcess;
  readonly #directory: string;
  readonly #people = new Map<string, string>();
  readonly #clients: Client[] = [];

  private constructor(directory: string, server: ServerProcess) {
    this.#directory = directory;
    this.server = server;
  }

  /**
   * @param prepare gets the data directory before the server does
   * @param options of the first server; one that comes back does not have them
   */
  static async start(prepare?: (data: string) => void, ...options: string[]): Promise<Place> {
    const directory = mkdtempSync(join(tmpdir(), "beckon-browser-"));
    mkdirSync(join(directory, "data"), { mode: 0o700 });
    prepare?.(join(directory, "data"));
    const data = join(directory, "data");
    return new Place(directory, await ServerProcess.start(data, ...PLUGINS, ...options));
  }

  get url(): string {
    return this.server.url;
  }

  get data(): string {
    return join(this.#directory, "data");
  }

  /** Ends the server and starts it again at the same address, with the same data. */
  async restart(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    await this.goAway(signal);
    await this.comeBack();
  }

  async goAway(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.restarts++;
    await this.server.end(signal);
  }

  async comeBack(): Promise<void> {
    const { port } = new URL(this.url);
    this.server = await ServerProcess.start(this.data, "--port", port, ...PLUGINS);
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.terminate();
    await this.server.end("SIGKILL");
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** A fresh sign-in code: of the owner, or of the person of this name, who is made if need be. */
  async signInCode(person?: string): Promise<string> {
    return withData({ directory: this.data }, async ({ credentials }) => {
      const known = person === undefined ? OWNER_ID : this.#people.get(person);
      if (known !== undefined) return credentials.createSigninCode(known);
      const holder = { kind: "person", name: person ?? "" } as const;
      const { principalId } = await credentials.createToken({ holder });
      this.#people.set(holder.name, principalId);
      return credentials.createSigninCode(principalId);
    });
  }

  /** Somebody who is there and could answer, over a WebSocket; tools that ask need that. */
  async person(): Promise<Client> {
    const client = await this.server.person();
    this.#clients.push(client);
    return client;
  }

  async session(body: Record<string, unknown> = {}): Promise<SessionRecord> {
    return this.post("/api/sessions", body);
  }

  /** Sends a message to a session's agent: `/call TOOL {json}` makes the demo agent call a tool. */
  async say(sessionId: string, content: string): Promise<void> {
    await this.post(`/api/sessions/${sessionId}/messages`, { content });
  }

  /**
   * Lets the demo agent call a tool that asks this, whoever is there, and tells when it is asked.
   * A request as in `requestInteraction`, without hooks; by default it waits for ever.
   */
  async ask(
    request: Record<string, unknown>,
    { sessionId, next }: { sessionId?: string; next?: unknown } = {},
  ): Promise<InteractionRecord> {
    const session = sessionId ?? (await this.session()).id;
    const before = new Set((await this.waiting(session)).map((one) => one.id));
    await this.say(session, `/call stage_ask ${JSON.stringify({ request, next })}`);
    return eventually("the prompt", async () =>
      (await this.waiting(session)).find((one) => !before.has(one.id)),
    );
  }

  /** Calls a plugin's operation over HTTP, outside of any turn; resolves when the call has ended. */
  async call(
    sessionId: string,
    operation: `${string}/${string}`,
    args: Record<string, unknown> = {},
  ): Promise<{ ok: boolean; [key: string]: any }> {
    const path = `/api/plugins/${operation.replace("/", "/operations/")}`;
    return (await this.server.http("POST", path, args, { "x-session-id": sessionId })).body;
  }

  /** The open prompts of a session, or of all. */
  async waiting(sessionId?: string): Promise<InteractionRecord[]> {
    const of = sessionId === undefined ? "" : `&sessionId=${sessionId}`;
    return (await this.get(`/api/interactions?status=pending${of}`)).interactions;
  }

  /** Puts text events straight into a session's log, while the server is down for a moment. */
  async write(sessionId: string, texts: string[]): Promise<void> {
    await this.goAway();
    const store = openSqliteStore({ path: join(this.data, "beckon.db"), clock: systemClock });
    const events = texts.map((text, at) => ({
      id: `seeded-${at}-${sessionId}`.slice(0, 60),
      type: "text" as const,
      at: Date.now(),
      turnId: `turn-${Math.floor(at / 50)}`,
      payload: { text },
    }));
    const result = await store.commit({ sessionId, writes: [], events });
    await store.close();
    if (!result.ok) throw new Error(JSON.stringify(result));
    await this.comeBack();
  }

  async events(sessionId: string): Promise<ChatEvent[]> {
    const all: ChatEvent[] = [];
    for (;;) {
      const page = await this.get(
        `/api/sessions/${sessionId}/events?after=${all.length}&limit=10000`,
      );
      all.push(...page.events);
      if (all.length >= page.lastSeq) return all;
    }
  }

  async post<Reply = any>(path: string, body: unknown): Promise<Reply> {
    const reply = await this.server.http("POST", path, body);
    if (reply.status < 300) return reply.body as Reply;
    throw new Error(`${path} says ${reply.status}: ${JSON.stringify(reply.body)}`);
  }

  async get<Reply = any>(path: string): Promise<Reply> {
    return (await this.server.http("GET", path)).body as Reply;
  }
}

/** Asks again until there is something: over HTTP a server in another process tells no event. */
async function eventually<Found>(
  what: string,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Waited 60 s for ${what}.`);
    await pause(10);
  }
}

function pathOf(relative: string): string {
  return new URL(relative, import.meta.url).pathname;
}
