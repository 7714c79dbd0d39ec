import { closed, unreachable } from "./replies.ts";
import type { Timers } from "./timers.ts";
import { TransportError } from "./transport.ts";

/** `fetch`, as far as it is used: one whole request at a time. */
export type Fetch = (request: Request) => Promise<Response>;

export interface HttpExchangeOptions {
  /** The address of the server, without a path: `https://beckon.example`. */
  baseUrl: string;
  fetch: Fetch;
  /** Sent as a Bearer token; a browser sends its cookie instead. */
  token?: string;
  clientId: string;
  timers: Timers;
  /** Told of every answer, and of every request that got none. */
  onAnswer?: (status: number | "none", headers?: Headers) => void;
}

const TIMEOUT_MS = 30_000;

/** Sends requests, and waits no longer for an answer than it makes sense to. */
export class HttpExchange {
  readonly #options: HttpExchangeOptions;
  /** How to break off each. */
  readonly #underWay = new Set<() => void>();
  #isClosed = false;

  constructor(options: HttpExchangeOptions) {
    this.#options = options;
  }

  /** One request and its whole answer. Throws only if nobody answered. */
  async exchange(method: string, path: string, body?: object) {
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
    const request = this.#request(body ? "POST" : "GET", path, body, signal, {
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
}

function parse(text: string): Record<string, unknown> {
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}

export function toError(status: number, { code, error }: Record<string, unknown>): TransportError {
  if (typeof code !== "string") return unreachable(new Error(`HTTP status ${status}`));
  return new TransportError(code, String(error), { status });
}
