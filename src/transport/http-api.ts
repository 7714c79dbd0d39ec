import type { ChatEvent, GrantRecord, InteractionRecord } from "../protocol/index.ts";
import type {
  CreateSessionBody,
  PatchSessionBody,
  SessionRecord,
  StreamEvent,
} from "../protocol/index.ts";
import { readEventStream } from "./event-stream.ts";
import { HttpExchange, type HttpExchangeOptions, toError } from "./http-exchange.ts";
import { type Transport, TransportError } from "./transport.ts";

/** Everything that is one request and one answer. */
export class HttpApi {
  readonly #http: HttpExchange;

  constructor(options: HttpExchangeOptions) {
    this.#http = new HttpExchange(options);
  }

  sessions(query: { cursor?: string } = {}) {
    type Page = { sessions: SessionRecord[]; next?: string };
    return this.#get<Page>("/api/sessions", query);
  }

  session(sessionId: string) {
    return this.#get<SessionRecord & { logId: string }>(`/api/sessions/${id(sessionId)}`);
  }

  createSession(body: CreateSessionBody = {}) {
    return this.#ask<SessionRecord>("POST", "/api/sessions", body);
  }

  updateSession(sessionId: string, body: PatchSessionBody) {
    return this.#ask<SessionRecord>("PATCH", `/api/sessions/${id(sessionId)}`, body);
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#ask("DELETE", `/api/sessions/${id(sessionId)}`);
  }

  async agents() {
    type Agents = { agents: Awaited<ReturnType<Transport["agents"]>> };
    return (await this.#get<Agents>("/api/agents")).agents;
  }

  events(sessionId: string, query: { after?: number; before?: number; limit?: number }) {
    type Page = { events: ChatEvent[]; lastSeq: number; logId: string };
    return this.#get<Page>(`/api/sessions/${id(sessionId)}/events`, query);
  }

  interaction(interactionId: string) {
    return this.#get<InteractionRecord>(`/api/interactions/${id(interactionId)}`);
  }

  interactions(query: { cursor?: string }) {
    type Page = { interactions: InteractionRecord[]; next?: string };
    return this.#get<Page>("/api/interactions", { status: "pending", ...query });
  }

  async grants() {
    const all: GrantRecord[] = [];
    let cursor: string | undefined;
    do {
      type Page = { grants: GrantRecord[]; next?: string };
      const page: Page = await this.#get<Page>("/api/grants", { cursor });
      all.push(...page.grants);
      cursor = page.next;
    } while (cursor !== undefined);
    return all;
  }

  async revokeGrant(grantId: string): Promise<void> {
    await this.#ask("DELETE", `/api/grants/${id(grantId)}`);
  }

  async cancel(sessionId: string, turnId?: string): Promise<{ stopped: boolean }> {
    const path = `/api/sessions/${id(sessionId)}/cancel`;
    const { stopped } = await this.#ask<{ stopped: boolean }>("POST", path, { turnId });
    return { stopped };
  }

  sendMessage(
    sessionId: string,
    { text, ...more }: { text: string; messageId: string; delivery?: string },
  ) {
    const path = `/api/sessions/${id(sessionId)}/messages`;
    return this.#ask<{ messageId: string }>("POST", path, { content: text, ...more });
  }

  async streamMessage(
    sessionId: string,
    { text, ...more }: { text: string; messageId?: string; delivery?: string },
    onEvent: (event: StreamEvent) => void,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const path = `/api/sessions/${id(sessionId)}/messages`;
    const body = await this.#http.stream(path, {}, signal, { content: text, ...more });
    const data = (event: string) => onEvent(JSON.parse(event) as StreamEvent);
    await readEventStream(body, { chunk() {}, data }, signal);
  }

  /** Whether the credential is known to be no good; false also when nobody can be asked. */
  async isSignedOut(): Promise<boolean> {
    try {
      await this.#get("/api/auth/me");
      return false;
    } catch (error) {
      return error instanceof TransportError && error.status === 401;
    }
  }

  /** Posts an answer; what the server makes of it is a value, whatever its status. */
  async answer(path: string, body: object): Promise<Record<string, unknown>> {
    const { ok, value } = await this.#http.exchange("POST", path, { body });
    return { ...value, ok };
  }

  stream(path: string, headers: Record<string, string>, signal: AbortSignal) {
    return this.#http.stream(path, headers, signal);
  }

  /** Breaks off what is under way; it rejects. */
  close(): void {
    this.#http.close();
  }

  #get<Result>(path: string, query: Record<string, string | number | undefined> = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.#ask<Result>("GET", given.length > 0 ? `${path}?${search.toString()}` : path);
  }

  async #ask<Result>(method: string, path: string, body?: object): Promise<Result> {
    const { ok, status, value } = await this.#http.exchange(method, path, { body });
    if (!ok) throw toError(status, value);
    return value as Result;
  }
}

const id = encodeURIComponent;
