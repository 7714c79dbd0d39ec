import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { findAddress, noServer, readToken } from "./find-server.ts";
import { type HttpReply, isAway, send, shutIn } from "./send.ts";

/** How long a server may be away that was not there from the start; long enough for a restart. */
const FIRST_PATIENCE_MS = 2_000;
const RETRY_MS = 250;

export const AWAY = "The server is away. Waiting for it to come back; Ctrl+C stops.";

export interface Call {
  body?: unknown;
  headers?: Record<string, string>;
  /** Hangs up, and stops trying. */
  signal?: AbortSignal;
  /**
   * The same call again does the same: so it is sent again where no reply came, and a server that
   * was there waits for as long as it is away.
   */
  repeatable?: boolean;
  /** How long the line may be silent before it is taken for broken. @default for ever */
  silentMs?: number;
}

/** The server refused, in its own words. */
export class Refused extends CommandFailure {
  override name = "Refused";
  readonly status: number;
  readonly code: string;
  /** All that it said, `fieldErrors` and the like. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, details: { error: string; code: string }) {
    super(details.error, status === 401 ? EXIT.notSignedIn : EXIT.failure);
    this.status = status;
    this.code = details.code;
    this.details = details;
  }
}

/** The running server, as one command talks to it. */
export class Connection {
  readonly #io: Io;
  readonly #data: string;
  /** It has been there, so it may be back. */
  #known = false;
  #saidAway = false;

  constructor(io: Io, data: string) {
    this.#io = io;
    this.#data = data;
  }

  get<Reply>(path: string, call: Omit<Call, "body" | "repeatable"> = {}): Promise<Reply> {
    return this.#call("GET", path, { ...call, repeatable: true });
  }

  post<Reply>(path: string, body: unknown, call: Omit<Call, "body"> = {}): Promise<Reply> {
    return this.#call("POST", path, { ...call, body });
  }

  delete<Reply>(path: string): Promise<Reply> {
    return this.#call("DELETE", path, {});
  }

  async #call<Reply>(method: string, path: string, call: Call): Promise<Reply> {
    const giveUpAt = Date.now() + FIRST_PATIENCE_MS;
    for (;;) {
      const reply = await this.#send(method, path, call);
      if (!isAway(reply)) {
        this.#known = true;
        this.#saidAway = false;
        return read(reply) as Reply;
      }
      call.signal?.throwIfAborted();
      if (reply.isShutIn && !this.#known) throw new CommandFailure(reply.text);
      const mayRepeat = call.repeatable === true || !reply.reached;
      const isPatient = call.repeatable === true && (this.#known || reply.reached);
      if (!mayRepeat || (!isPatient && Date.now() >= giveUpAt)) {
        throw new CommandFailure(sentenceOf(reply));
      }
      if (isPatient) this.#sayAway();
      await sleep(RETRY_MS, undefined, { signal: call.signal });
    }
  }

  async #send(method: string, path: string, call: Call): Promise<HttpReply> {
    const { body, headers, signal, silentMs } = call;
    const address = findAddress(this.#io, this.#data);
    if (address === undefined) return { status: 0, text: noServer(this.#data), reached: false };
    const url = new URL(path, address);
    const json: Record<string, string> =
      body === undefined ? {} : { "content-type": "application/json" };
    const reply = await send(url, {
      method,
      headers: {
        ...headers,
        ...json,
        authorization: `Bearer ${readToken(this.#io, this.#data)}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      silentMs,
    });
    // Codex says so in the environment; its sandbox may have a network of its own with nobody in it.
    const isShutIn = this.#io.env["CODEX_SANDBOX_NETWORK_DISABLED"] === "1";
    const nobody = reply.status === 0 && !reply.reached;
    return isShutIn && nobody ? { ...reply, isShutIn, text: shutIn(url) } : reply;
  }

  #sayAway(): void {
    if (this.#saidAway) return;
    this.#saidAway = true;
    this.#io.err(AWAY);
  }
}

function read(reply: HttpReply): unknown {
  const value = parse(reply.text);
  if (reply.status < 300) {
    if (value !== undefined) return value;
  } else if (isError(value)) throw new Refused(reply.status, value);
  throw new CommandFailure("What answered at Beckon's address is not Beckon.");
}

function sentenceOf(reply: HttpReply): string {
  const value = parse(reply.text);
  return isError(value) ? value.error : reply.text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isError(value: unknown): value is { error: string; code: string } {
  return typeof value === "object" && value !== null && "error" in value && "code" in value;
}
