import { setTimeout as sleep } from "node:timers/promises";
import {
  type Exchange,
  HttpExchange,
  isAway,
  NotTheServer,
  toError,
} from "../../transport/http-exchange.ts";
import { systemTimers } from "../../transport/timers.ts";
import { CommandFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import { findAddress, noServer, readToken } from "./find-server.ts";
import { nodeFetch, NoReply, shutIn } from "./node-fetch.ts";

/** How long a server may be away that was not there from the start; long enough for a restart. */
const FIRST_PATIENCE_MS = 2_000;
const RETRY_MS = 250;

export const AWAY = "The server is away. Waiting for it to come back; Ctrl+C stops.";
export const NOT_BECKON = "What answered at Beckon's address is not Beckon.";

export interface Call extends Exchange {
  /**
   * The same call again does the same: so it is sent again where no reply came, and a server that
   * was there waits for as long as it is away.
   */
  repeatable?: boolean;
}

interface ConnectionOptions {
  /** Files of the data directory that may hold the token, the best first. */
  tokenFiles?: readonly string[];
  /** Says nothing of a server that is away. */
  isQuiet?: boolean;
}

type Answer = Awaited<ReturnType<HttpExchange["exchange"]>>;

/** The running server, as one command talks to it. Throws `TransportError` for what it refuses. */
export class Connection {
  readonly #io: Io;
  readonly #http: HttpExchange;
  /** It has been there, so it may be back. */
  #known = false;
  #saidAway = false;

  constructor(io: Io, data: string, { tokenFiles, isQuiet = false }: ConnectionOptions = {}) {
    this.#io = io;
    this.#saidAway = isQuiet;
    this.#http = new HttpExchange({
      // Looked up for each try: a server that comes back may be on another port.
      baseUrl() {
        const address = findAddress(io, data);
        if (address === undefined) throw new NoReply(noServer(data));
        return new URL(address).origin;
      },
      token: () => readToken(io, data, tokenFiles),
      fetch: nodeFetch,
      timers: systemTimers,
    });
  }

  get<Reply>(path: string, call: Omit<Call, "body" | "repeatable"> = {}): Promise<Reply> {
    return this.#call("GET", path, { ...call, repeatable: true });
  }

  /** All items of a list that the server gives page by page. */
  async all<Item>(path: string, name: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined = "";
    while (cursor !== undefined) {
      const from: string = cursor === "" ? "" : `cursor=${encodeURIComponent(cursor)}`;
      type Page = { next?: string } & Record<string, unknown>;
      const page: Page = await this.get(path + (path.includes("?") ? "&" : "?") + from);
      items.push(...(page[name] as Item[]));
      cursor = page.next;
    }
    return items;
  }

  post<Reply>(path: string, body: unknown, call: Omit<Call, "body"> = {}): Promise<Reply> {
    return this.#call("POST", path, { ...call, body });
  }

  delete<Reply>(path: string): Promise<Reply> {
    return this.#call("DELETE", path, {});
  }

  async #call<Reply>(method: string, path: string, call: Call): Promise<Reply> {
    const { repeatable = false, signal } = call;
    const giveUpAt = Date.now() + FIRST_PATIENCE_MS;
    for (;;) {
      const answer = await this.#attempt(method, path, call);
      const waitMs = (answer instanceof Error ? undefined : answer.retryAfterMs) ?? RETRY_MS;
      if (!(answer instanceof Error) && !isAway(answer.status)) {
        if (!repeatable || !isTooOften(answer)) return this.#read<Reply>(answer);
      } else {
        signal?.throwIfAborted();
        const { reached, isShutIn, message } = answer instanceof Error ? answer : noReplyOf(answer);
        if (isShutIn && !this.#known) throw new CommandFailure(message);
        // A line that broke was one to a server: from now on it is only away.
        this.#known ||= reached;
        const isPatient = repeatable && this.#known;
        const mayRepeat = repeatable || !reached;
        if (!mayRepeat || (!isPatient && Date.now() >= giveUpAt)) throw new CommandFailure(message);
        if (isPatient) this.#sayAway();
      }
      await sleep(waitMs, undefined, { signal });
    }
  }

  #read<Reply>({ ok, status, value }: Answer): Reply {
    this.#known = true;
    if (!ok) throw toError(status, value);
    return value as Reply;
  }

  async #attempt(method: string, path: string, call: Call): Promise<Answer | NoReply> {
    try {
      return await this.#http.exchange(method, path, { timeoutMs: Infinity, ...call });
    } catch (error) {
      const { cause } = error as Error;
      if (cause instanceof CommandFailure) throw cause;
      if (cause instanceof NotTheServer && !isAway(cause.status))
        throw new CommandFailure(NOT_BECKON);
      if (!(cause instanceof NoReply)) return new NoReply(wordsOf(error), { reached: true });
      // Codex says so in the environment; its sandbox may have a network of its own with nobody in it.
      const isShutIn = this.#io.env["CODEX_SANDBOX_NETWORK_DISABLED"] === "1" && !cause.reached;
      return isShutIn && cause.url ? new NoReply(shutIn(cause.url), { isShutIn }) : cause;
    }
  }

  #sayAway(): void {
    if (this.#saidAway) return;
    this.#saidAway = true;
    this.#io.err(AWAY);
  }
}

/** A server that says that it cannot answer now is as good as away. */
function noReplyOf({ value }: Answer): NoReply {
  return new NoReply(String(value["error"]), { reached: true });
}

/**
 * A rate was exceeded, which time mends. What is bounded in number may stay as it is for ever, though
 * the server says when to look again.
 */
function isTooOften({ status, value }: Answer): boolean {
  return status === 429 && String(value["quota"]).endsWith("PerMinute");
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
