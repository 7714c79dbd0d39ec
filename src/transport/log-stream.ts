import type { ChatEvent, TransientEvent } from "../protocol/index.ts";
import { readEventStream } from "./event-stream.ts";
import type { HttpApi } from "./http-api.ts";
import { pause, type Reach } from "./reach.ts";
import { unreachable } from "./replies.ts";
import { backoffMs, type Timers } from "./timers.ts";
import { type LogListener, TransportError } from "./transport.ts";

interface StreamPorts {
  api: HttpApi;
  reach: Reach;
  timers: Timers;
}

/** The server says every 20 s that it is there. */
const SILENCE_MS = 50_000;
const STABLE_MS = 5_000;
const TEMPORARY = new Set([
  "unreachable",
  "unauthorized",
  "store_unavailable",
  "too_many",
  "internal",
]);

/** Follows one log by event streams, one after the other, each from where the last one broke off. */
export class LogStream {
  readonly #ports: StreamPorts;
  readonly #sessionId: string;
  readonly #listener: LogListener;
  readonly #ending = new AbortController();
  #wants: { after?: number; tail?: number };
  #place: { logId: string; seq: number } | undefined;
  /** Tells the listener where it begins. */
  #begin: (() => void) | undefined;

  constructor(
    ports: StreamPorts,
    sessionId: string,
    wants: { after?: number; tail?: number },
    listener: LogListener,
  ) {
    this.#ports = ports;
    this.#sessionId = sessionId;
    this.#wants = wants;
    this.#listener = listener;
  }

  close(): void {
    this.#ending.abort();
  }

  async run(): Promise<void> {
    const { reach, timers } = this.#ports;
    const { signal } = this.#ending;
    for (let tries = 0; !signal.aborted; tries++) {
      const begun = timers.now();
      try {
        await this.#findPlace();
        await this.#read();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof TransportError)) throw error;
        if (error.code === "resync") this.#startOver();
        else if (!TEMPORARY.has(error.code)) {
          return this.#listener.failed({ code: error.code, error: error.message });
        }
      }
      if (timers.now() - begun >= STABLE_MS) tries = 0;
      await pause(backoffMs(tries, timers), timers, signal);
      await reach.untilOnline(signal);
    }
  }

  /** Finds the place to read on from; the listener is told of a new one when its stream is open. */
  async #findPlace(): Promise<void> {
    const { logId, ...session } = await this.#ports.api.session(this.#sessionId);
    if (this.#ending.signal.aborted) return;
    const { lastSeq } = session;
    const isOther = this.#place && (this.#place.logId !== logId || this.#place.seq > lastSeq);
    if (isOther || (this.#wants.after ?? 0) > lastSeq) this.#startOver();
    if (this.#place) return;
    const { after = 0, tail } = this.#wants;
    const from = tail === undefined ? after : Math.max(0, lastSeq - tail);
    this.#place = { logId, seq: from };
    this.#begin = () => this.#listener.started({ session, lastSeq, logId, from });
  }

  #startOver(): void {
    this.#place = undefined;
    this.#wants = this.#wants.tail === undefined ? {} : this.#wants;
  }

  async #read(): Promise<void> {
    const { api, timers } = this.#ports;
    const stream = new AbortController();
    const end = () => stream.abort();
    this.#ending.signal.addEventListener("abort", end);
    let stop = timers.timer(SILENCE_MS, end);
    try {
      if (this.#ending.signal.aborted) return;
      const path = `/api/sessions/${encodeURIComponent(this.#sessionId)}/events`;
      const headers = { "last-event-id": String(this.#place?.seq ?? 0) };
      const body = await api.stream(path, headers, stream.signal);
      // Not before: who has a stream counts as there, and what a listener does next may ask.
      this.#begin?.();
      this.#begin = undefined;
      const on = {
        chunk: () => {
          stop();
          stop = timers.timer(SILENCE_MS, end);
        },
        data: (text: string) => this.#hear(JSON.parse(text) as ChatEvent | TransientEvent),
      };
      await readEventStream(body, on, stream.signal).catch((error: unknown) => {
        throw error instanceof TypeError || stream.signal.aborted ? unreachable(error) : error;
      });
    } finally {
      stop();
      this.#ending.signal.removeEventListener("abort", end);
    }
  }

  #hear(event: ChatEvent | TransientEvent): void {
    if (!this.#place || this.#ending.signal.aborted) return;
    if ("seq" in event) {
      if (event.seq <= this.#place.seq) return;
      // The next stream begins where this one should have gone on.
      if (event.seq > this.#place.seq + 1) throw unreachable(new Error("An event is missing."));
      this.#place.seq = event.seq;
    }
    this.#listener.event(event);
  }
}
