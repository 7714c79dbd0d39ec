import type { ChatEvent, GrantRecord, InteractionRecord } from "../protocol/index.ts";
import type { CreateSessionBody, PatchSessionBody, SessionRecord } from "../protocol/index.ts";
import { closed, unreachable } from "./replies.ts";
import type { Timers } from "./timers.ts";
import { TransportError } from "./transport.ts";

/** `fetch`, as far as it is used: one whole request at a time. */
export type Fetch = (request: Request) => Promise<Response>;

export interface HttpApiOptions {
  /** The address of the server, without a path: `https://beckon.example`. */
  baseUrl: string;
  fetch: Fetch;
  /** Sent as a Bearer token; a browser sends its cookie instead. */
  token?: string;
  clientId: string;
  timers: Timers;
  /** Told of every answer, and of every request that got none. */
  onAnswer?: (status: number | "none") => void;
}

const TIMEOUT_MS = 30_000;

/** Everything that is one request and one answer. */
export class HttpApi {
  readonly #options: HttpApiOptions;
  /** How to break off each. */
  readonly #underWay = new Set<() => void>();
  #isClosed = false;

  constructor(options: HttpApiOptions) {
    this.#options = options;
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
    type Agents = { agents: { id: string; name: string; description: string }[] };
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
    return (await this.#get<{ grants: GrantRecord[] }>("/api/grants")).grants;
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
    const { ok, value } = await this.#exchange("POST", path, body);
    return { ...value, ok };
  }

  /** An answer that goes on; its body ends when `signal` aborts. Throws what is not a stream. */
  async stream(path: string, headers: Record<string, string>, signal: AbortSignal) {
    const request = this.#request("GET", path, undefined, signal, {
      accept: "text/event-stream",
      ...headers,
    });
    const response = await this.#send(request, signal);
    if (response.ok && response.body) return response.body;
    throw toError(response.status, await response.json().catch(() => ({})));
  }

  /** Breaks off what is under way; it rejects. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#underWay]) end();
  }

  #get<Result>(path: string, query: Record<string, string | number | undefined> = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.#ask<Result>("GET", given.length > 0 ? `${path}?${search.toString()}` : path);
  }

  async #ask<Result>(method: string, path: string, body?: object): Promise<Result> {
    const { ok, status, value } = await this.#exchange(method, path, body);
    if (!ok) throw toError(status, value);
    return value as Result;
  }

  async #exchange(method: string, path: string, body?: object) {
    const patience = new AbortController();
    const stop = this.#options.timers.timer(TIMEOUT_MS, () => patience.abort());
    try {
      const request = this.#request(method, path, body, patience.signal);
      const response = await this.#send(request, patience.signal);
      const { ok, status } = response;
      const value = await this.#whileOpen(response.text(), patience.signal).then(parse);
      // A proxy may answer for a server that does not.
      if (!ok && typeof value["code"] !== "string") throw new Error(`HTTP status ${status}`);
      return { ok, status, value };
    } catch (error) {
      throw error instanceof TransportError ? error : unreachable(error);
    } finally {
      stop();
      patience.abort();
    }
  }

  #request(
    method: string,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
    headers: Record<string, string> = {},
  ): Request {
    const { baseUrl, token, clientId } = this.#options;
    return new Request(baseUrl + path, {
      method,
      signal,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        "x-client-id": clientId,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #send(request: Request, signal: AbortSignal): Promise<Response> {
    const { fetch, onAnswer } = this.#options;
    try {
      const response = await this.#whileOpen(fetch(request), signal);
      onAnswer?.(response.status);
      return response;
    } catch (error) {
      if (this.#isClosed) throw closed();
      onAnswer?.("none");
      throw unreachable(error);
    }
  }

  /** Rejects when this is closed or the signal aborts, also where a `fetch` listens to neither. */
  #whileOpen<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const end = () => settle(() => reject(this.#isClosed ? closed() : unreachable()));
      const settle = (how: () => void) => {
        this.#underWay.delete(end);
        signal.removeEventListener("abort", end);
        how();
      };
      this.#underWay.add(end);
      signal.addEventListener("abort", end);
      if (this.#isClosed || signal.aborted) end();
      work.then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }
}

const id = encodeURIComponent;

function parse(text: string): Record<string, unknown> {
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}

function toError(status: number, { code, error }: Record<string, unknown>): TransportError {
  if (typeof code !== "string") return unreachable(new Error(`HTTP status ${status}`));
  return new TransportError(code, String(error), { status });
}
