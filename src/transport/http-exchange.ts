import { closed, unreachable } from "./replies.ts";
import type { Timers } from "./timers.ts";
import { TransportError } from "./transport.ts";

/** `fetch`, as far as it is used: one whole request at a time. */
export type Fetch = (request: Request) => Promise<Response>;

/** One request in plain words, and what of a reply is read. */
export interface PlainRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}
type Reply = Pick<Response, "ok" | "status" | "text"> & {
  headers: Pick<Headers, "get">;
  body?: Response["body"];
};

export interface HttpExchangeOptions {
  /** The address of the server, without a path: `https://beckon.example`. A server may move. */
  baseUrl: string | (() => string);
  fetch: (request: PlainRequest) => Promise<Reply>;
  /** Sent as a Bearer token; a browser sends its cookie instead. */
  token?: string | (() => string);
  clientId?: string;
  timers: Timers;
  /** Told of every answer, and of every request that got none. */
  onAnswer?: (status: number | "none", headers?: Pick<Headers, "get">) => void;
}

/** What one request has besides its method and path. */
export interface Exchange {
  body?: unknown;
  /** In place of a body: JSON as somebody else has written it. */
  text?: string;
  headers?: Record<string, string>;
  /** Hangs up. */
  signal?: AbortSignal;
  /** How long to wait for the answer. @default 30 s */
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

/** What answered is not the server, but perhaps a proxy in its place. */
export class NotTheServer extends Error {
  readonly status: number;

  constructor(status: number, options?: ErrorOptions) {
    super(`HTTP status ${status}`, options);
    this.status = status;
  }
}

/** Whether whoever should answer may do so if asked again in a moment. */
export const isAway = (status: number) => status >= 502 && status <= 504;

/**
 * The one place that builds requests to a server and reads its answers. It waits no longer for an
 * answer than it makes sense to.
 */
export class HttpExchange {
  readonly #options: HttpExchangeOptions;
  /** How to break off each. */
  readonly #underWay = new Set<() => void>();
  #isClosed = false;

  constructor(options: HttpExchangeOptions) {
    this.#options = options;
  }

  /** One request and its whole answer. Throws only if nobody answered. */
  async exchange(method: string, path: string, given: Exchange = {}) {
    const patience = new AbortController();
    const { timeoutMs = TIMEOUT_MS } = given;
    const { timers } = this.#options;
    const stop = timeoutMs < Infinity ? timers.timer(timeoutMs, () => patience.abort()) : () => {};
    const signal = given.signal
      ? AbortSignal.any([given.signal, patience.signal])
      : patience.signal;
    try {
      const response = await this.#send(this.#request(method, path, { ...given, signal }));
      const { ok, status } = response;
      const text = await this.#whileOpen(response.text(), signal);
      return { ok, status, value: parse(text, response), retryAfterMs: retryAfterMs(response) };
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
    { body, headers, signal, ...given }: Exchange & { signal: AbortSignal },
  ): PlainRequest {
    const { clientId } = this.#options;
    const url = valueOf(this.#options.baseUrl) + path;
    const token = valueOf(this.#options.token);
    const text = given.text ?? (body === undefined ? undefined : JSON.stringify(body));
    return {
      url,
      method,
      signal,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { "content-type": "application/json" }),
        ...(clientId === undefined ? {} : { "x-client-id": clientId }),
        ...headers,
      },
      body: text,
    };
  }

  async #send(request: PlainRequest): Promise<Reply> {
    const { fetch, onAnswer } = this.#options;
    try {
      const response = await this.#whileOpen(fetch(request), request.signal);
      onAnswer?.(response.status, response.headers);
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

  /** An answer that goes on; its body ends when `signal` aborts. Throws what is not a stream. */
  async stream(path: string, headers: Record<string, string>, signal: AbortSignal, body?: object) {
    const request = this.#request(body ? "POST" : "GET", path, {
      body,
      signal,
      headers: { accept: "text/event-stream", ...headers },
    });
    const response = await this.#send(request);
    if (response.ok && response.body) return response.body;
    throw toError(
      response.status,
      await response
        .text()
        .then(JSON.parse)
        .catch(() => ({})),
    );
  }

  /** Breaks off what is under way; it rejects. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#underWay]) end();
  }
}

/** What a browser, or a `fetch` of somebody else's, makes of a plain request. */
export const byFetch =
  (given: Fetch = (request) => fetch(request)) =>
  ({ url, ...request }: PlainRequest): Promise<Response> =>
    given(new Request(url, request));

const valueOf = <Value>(given: Value | (() => Value)): Value =>
  typeof given === "function" ? (given as () => Value)() : given;

/** How long the server asks to be left alone. */
function retryAfterMs({ headers }: Reply): number | undefined {
  const seconds = Number(headers.get("retry-after"));
  return seconds > 0 ? seconds * 1_000 : undefined;
}

function parse(text: string, { ok, status }: Reply): Record<string, unknown> {
  try {
    const value = (status === 204 ? {} : JSON.parse(text)) as Record<string, unknown>;
    if (ok || typeof value["code"] === "string") return value;
  } catch (cause) {
    throw new NotTheServer(status, { cause });
  }
  throw new NotTheServer(status);
}

export function toError(status: number, details: Record<string, unknown>): TransportError {
  const { code, error } = details;
  if (typeof code !== "string") return unreachable(new NotTheServer(status));
  return new TransportError(code, String(error), { status, details });
}
