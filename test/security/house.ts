import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClaudeAgent, createCodexAgent, demoAgent } from "../../src/agents/index.ts";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/index.ts";
import { Client } from "../scenarios/client.ts";
import type { HttpEntrance } from "./entrances.ts";
import { bearer, parse, type Reply, type SentHeaders, Wire } from "./wire.ts";

/** Tools that ask in every way, as a plugin. */
export const PLUGIN = fileURLToPath(new URL("plugin", import.meta.url));

/**
 * A whole server with something in it worth attacking: two sessions, an open approval in the first
 * and an open form in the second, a grant, and credentials of every kind.
 */
export class House {
  readonly clock: FakeClock;
  readonly beckon: Beckon;
  readonly port: number;
  readonly wire: Wire;
  /** What the tables write as $session, $other, $approval, $call, $form, $formCall and $grant; in
   * $quiet, a third session, anything may happen. */
  readonly names: Record<string, string> = {};
  readonly #directory: string;
  readonly #clients: Client[] = [];
  /** A machine that is bound to $session, and one that is bound to $other. */
  machine = "";
  stranger = "";
  /** A browser's, of the owner. */
  cookie = "";

  private constructor(beckon: Beckon, clock: FakeClock, port: number, directory: string) {
    this.beckon = beckon;
    this.clock = clock;
    this.port = port;
    this.wire = new Wire(port);
    this.#directory = directory;
  }

  static async build(): Promise<House> {
    const directory = mkdtempSync(join(tmpdir(), "beckon-house-"));
    const clock = createFakeClock();
    const beckon = await createBeckon({
      dataDir: join(directory, "data"),
      plugins: [PLUGIN],
      agents: [demoAgent, createClaudeAgent(), createCodexAgent()],
      clock,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    const { port } = await beckon.listen({ host: "127.0.0.1", port: 0 });
    const house = new House(beckon, clock, port, directory);
    await house.#furnish();
    return house;
  }

  get owner(): string {
    return this.beckon.ownerToken;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** `PORT` is the port that the server listens on, `NEXT` one that it does not. */
  withPorts(text: string): string {
    return text.replace("PORT", String(this.port)).replace("NEXT", String(this.port + 1));
  }

  /** Puts what the names stand for into a value that holds them. */
  withNames<Value>(value: Value): Value {
    const named = (whole: string, name: string) => this.names[name] ?? whole;
    const text = JSON.stringify(value).replaceAll(/\$([a-z]+)/gi, named);
    return JSON.parse(text) as Value;
  }

  async send(line: string, headers: SentHeaders = {}, body?: string | Buffer): Promise<Reply> {
    return this.wire.send(this.withNames(line), this.withNames(headers), body);
  }

  /** Comes in by an entrance as the table has it, with other headers or another body. */
  async enter(entrance: HttpEntrance, headers: SentHeaders = {}, body?: string): Promise<Reply> {
    const content = body ?? this.bodyOf(entrance);
    const type: SentHeaders = content === undefined ? {} : { "content-type": "application/json" };
    return this.send(entrance.request, { ...type, ...entrance.headers, ...headers }, content);
  }

  /** The same in process, without a socket. */
  async enterInProcess(entrance: HttpEntrance, token: string, body?: string): Promise<Reply> {
    const [method = "GET", path = "/"] = this.withNames(entrance.request).split(" ");
    const content = body ?? this.bodyOf(entrance);
    const headers = new Headers({ ...this.withNames(entrance.headers ?? {}), ...bearer(token) });
    if (content !== undefined) headers.set("content-type", "application/json");
    const request = new Request(`http://localhost${path}`, { method, headers, body: content });
    const response = await this.beckon.fetch(request);
    const text = await response.text();
    const { status } = response;
    return { status, headers: Object.fromEntries(response.headers), text, body: parse(text) };
  }

  bodyOf({ body }: HttpEntrance): string | undefined {
    return body && JSON.stringify(this.withNames(body));
  }

  async connect(token: string): Promise<Client> {
    const client = await Client.connect(this.origin, token);
    this.#clients.push(client);
    return client;
  }

  async token(kind: "person" | "machine", sessionId?: string) {
    const holder = { kind, name: "Guest" };
    return this.beckon.credentials.createToken({ holder, sessionId });
  }

  /** Everything that a decision would change, to be compared before and after. */
  async state(): Promise<unknown> {
    const get = async (path: string) => (await this.send(`GET ${path}`, bearer(this.owner))).body;
    return {
      session: await get("/api/sessions/$session"),
      other: await get("/api/sessions/$other"),
      interactions: await get("/api/interactions"),
      grants: await get("/api/grants"),
      log: await get("/api/sessions/$session/events"),
      otherLog: await get("/api/sessions/$other/events"),
    };
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.terminate();
    await this.beckon.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #furnish(): Promise<void> {
    const client = await this.connect(this.owner);
    for (const name of ["session", "other", "quiet"])
      this.names[name] = await this.#session(client);
    await client.say(this.withNames("$other"), "/call house_granted {}");
    const granted = await client.event("interaction_request");
    await client.answer(granted, { action: "approve", approvalScope: "always" });
    await client.event("turn_end");
    const { grants } = (await this.send("GET /api/grants", bearer(this.owner))).body;
    await client.say(this.withNames("$session"), "/call house_approval {}");
    const approval = (await client.event("interaction_request", 2)).payload;
    await client.say(this.withNames("$other"), "/call house_form {}");
    const form = (await client.event("interaction_request", 3)).payload;
    Object.assign(this.names, {
      grant: grants[0].id,
      approval: approval.interactionId,
      call: approval.toolCallId,
      form: form.interactionId,
      formCall: form.toolCallId,
    });
    this.machine = (await this.token("machine", this.names["session"])).token;
    this.stranger = (await this.token("machine", this.names["other"])).token;
    const { credentials } = this.beckon;
    const signedIn = await credentials.exchangeCode(await credentials.createSigninCode("owner"));
    this.cookie = `beckon-${this.port}=${signedIn?.token}`;
  }

  async #session(client: Client): Promise<string> {
    const headers = { ...bearer(this.owner), "content-type": "application/json" };
    const { id } = (await this.send("POST /api/sessions", headers, "{}")).body;
    await client.subscribe(id);
    return id as string;
  }
}
