import { WebSocket } from "ws";
import type { ChatEvent } from "../../src/protocol/index.ts";
import type { EventOf, Frame } from "../scenarios/client.ts";
import { type Address, BACKOFF_MS, request } from "./http.ts";
import { SessionView } from "./session-view.ts";

type Body = Record<string, unknown>;
/** How a person answers a prompt; nothing while they would rather wait. */
export type Habit = (
  request: EventOf<"interaction_request">,
  detached: boolean,
) => Body[] | undefined;

/** One answer, from the moment it was given. It is resent until the server has replied. */
export interface Answer {
  sessionId: string;
  interactionId: string;
  responseId: string;
  body: Body;
  reply?: Frame;
}

interface Call {
  sessionId: string;
  toolCallId: string;
  reply?: unknown;
}

/** What a server says whose store is away: the same again later may go well. */
const AWAY = "store_unavailable";
/** Longer than a machine with too much to do takes to start a server. */
const PATIENCE_MS = 300_000;
const HANDSHAKE_MS = 15_000;
const MAX_BACKOFF_MS = 1_000;

/**
 * A person with a client as it should be: it comes back after every loss, goes on from where its
 * log ends, and keeps what it has said until the server has confirmed it, under the same id.
 */
export class Person {
  readonly views = new Map<string, SessionView>();
  readonly answers: Answer[] = [];
  readonly calls: Call[] = [];
  readonly messages: { sessionId: string; messageId: string }[] = [];
  readonly problems: string[] = [];
  /** What a server said that it cannot do now, and that was asked for again. */
  readonly refusals: string[] = [];
  /** Events heard over all lives. */
  heard = 0;
  /** How often it had to come back. */
  reconnects = -1;
  readonly #habit: Habit;
  readonly #nextId: () => string;
  readonly #considered = new Set<string>();
  /** Sessions with a call that has no end yet. */
  readonly #calling = new Map<Call, string>();
  readonly #outbox = new Map<string, { frame: Frame; answer?: Answer; isByHttp: boolean }>();
  /** How it says things and answers; what happens it always hears over its socket. */
  readonly #by: "socket" | "http";
  readonly #watchers = new Set<() => void>();
  #address: Address | undefined;
  #socket: WebSocket | undefined;
  #backoffMs = BACKOFF_MS;

  constructor(habit: Habit, nextId: () => string, by: "socket" | "http" = "socket") {
    this.#by = by;
    this.#habit = habit;
    this.#nextId = nextId;
  }

  /** The server is there, perhaps again. */
  connect(address: Address): void {
    this.#socket?.terminate();
    this.#address = address;
    this.reconnects++;
    const headers = { authorization: `Bearer ${address.token}` };
    const socket = new WebSocket(`${address.url.replace(/^http/, "ws")}/ws`, {
      headers,
      handshakeTimeout: HANDSHAKE_MS,
    });
    this.#socket = socket;
    socket.on("error", () => {});
    socket.on("open", () => {
      this.#backoffMs = BACKOFF_MS;
      const subscriptions = [...this.views.values()].map((view) => ({
        sessionId: view.id,
        afterSeq: view.lastSeq,
      }));
      const interaction = { supported: true, enabled: true };
      this.#send({ type: "hello", protocolVersion: 1, interaction, subscriptions });
      for (const { frame, isByHttp } of this.#outbox.values()) if (!isByHttp) this.#send(frame);
    });
    socket.on("message", (data: Buffer) => {
      if (this.#socket === socket) this.#hear(JSON.parse(data.toString("utf8")) as Frame);
    });
    // A connection can be lost without the server: a busy machine may be late with its hello.
    socket.on("close", () => {
      setTimeout(() => {
        if (this.#socket === socket) this.connect(address);
      }, this.#backoffMs);
      this.#backoffMs = Math.min(2 * this.#backoffMs, MAX_BACKOFF_MS);
    });
  }

  /** The server is gone, or we are. */
  hangUp(): void {
    this.#socket?.terminate();
    this.#socket = undefined;
    this.#changed();
  }

  /** At what it would not answer before. */
  lookAgain(): void {
    for (const view of this.views.values()) {
      for (const request of view.open.values()) {
        this.#consider(request, view.detached.has(request.payload.interactionId));
      }
    }
  }

  /** For good. */
  leave(): void {
    this.#address = undefined;
    this.hangUp();
  }

  http(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const line = {
      address: () => this.#address,
      refused: (refusal: string) => void this.refusals.push(refusal),
    };
    return request(line, method, path, body, headers);
  }

  async openSession(): Promise<SessionView> {
    const { id } = (await this.http("POST", "/api/sessions", {})) as { id: string };
    const view = new SessionView(id);
    this.views.set(id, view);
    this.#send({ type: "subscribe", sessionId: id, afterSeq: 0 });
    return view;
  }

  say(sessionId: string, text: string): void {
    const message = { sessionId, messageId: this.#nextId() };
    this.messages.push(message);
    this.#post({ type: "user_message", text, ...message });
  }

  /** Calls a plugin's operation, again and again with the same id, until it has an end. */
  call(sessionId: string, operation: string, input: unknown): void {
    const call: Call = { sessionId, toolCallId: this.#nextId() };
    this.calls.push(call);
    this.#calling.set(call, sessionId);
    const headers = { "x-session-id": sessionId, "x-tool-call-id": call.toolCallId };
    void this.http("POST", `/api/plugins/${operation}`, input, headers).then((reply) => {
      call.reply = reply;
      this.#calling.delete(call);
      this.#changed();
    });
  }

  /** Nothing of this session is under way, here or there. */
  isOver(view: SessionView): boolean {
    if (!view.isOver) return false;
    for (const sessionId of this.#calling.values()) if (sessionId === view.id) return false;
    for (const { frame } of this.#outbox.values()) {
      if (frame["sessionId"] === view.id) return false;
    }
    return true;
  }

  /** Waits until nothing of this session is under way; gives why that does not happen. */
  async untilOver(view: SessionView, what: string): Promise<string[]> {
    const isBroken = () => view.problems.length + this.problems.length > 0;
    try {
      await this.until(() => this.isOver(view) || isBroken(), `${what} to be over`);
      return [];
    } catch (error) {
      return [`${String(error)}; the last it heard was ${JSON.stringify(view.log.at(-1))}`];
    }
  }

  /** Looks again whenever something was heard. Long silence says that the system is stuck. */
  async until(done: () => boolean, what: string): Promise<void> {
    if (done()) return;
    await new Promise<void>((resolve, reject) => {
      const stuck = setTimeout(() => {
        this.#watchers.delete(look);
        const line = `socket ${this.#socket?.readyState}, ${this.#outbox.size} unsent, ${this.reconnects} reconnects`;
        reject(
          new Error(`stuck: ${PATIENCE_MS} ms of silence while waiting for ${what} (${line})`),
        );
      }, PATIENCE_MS);
      const look = () => {
        stuck.refresh();
        if (!done()) return;
        clearTimeout(stuck);
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  #post(frame: Frame, answer?: Answer): void {
    const ref = this.#nextId();
    const item = { frame: { ...frame, ref }, answer, isByHttp: this.#by === "http" };
    this.#outbox.set(ref, item);
    if (item.isByHttp) void this.#sendByHttp(item.frame, answer);
    else this.#send(item.frame);
  }

  async #sendByHttp(frame: Frame, answer: Answer | undefined): Promise<void> {
    const { ref, type: _type, sessionId, callId: _callId, interactionId, text, ...body } = frame;
    const reply = await (answer
      ? this.http("POST", `/api/interactions/${interactionId}/respond`, body)
      : this.http("POST", `/api/sessions/${sessionId}/messages`, { content: text, ...body }));
    const ok = reply.code === undefined;
    this.#hearReply({ ...reply, type: ok ? "ack" : "error", ok, ref });
    this.#changed();
  }

  #send(frame: Frame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #hear(frame: Frame): void {
    if (frame["code"] === AWAY) this.refusals.push(JSON.stringify(frame));
    if (frame.type === "chat_event") this.#hearEvent(frame["event"] as ChatEvent);
    else if (frame["ref"] !== undefined) this.#hearReply(frame);
    else if (frame["code"] === AWAY) this.#socket?.terminate();
    else if (frame.type === "error") this.problems.push(`the server said ${JSON.stringify(frame)}`);
    this.#changed();
  }

  #hearEvent(event: ChatEvent): void {
    const view = this.views.get(event.sessionId);
    if (event.seq === undefined || !view?.take(event)) return;
    this.heard++;
    if (event.type !== "interaction_request" && event.type !== "interaction_pending") return;
    const { interactionId } = event.payload;
    const request = view.open.get(interactionId);
    if (request) this.#consider(request, view.detached.has(interactionId));
  }

  #consider(request: EventOf<"interaction_request">, detached: boolean): void {
    const { sessionId } = request;
    const { interactionId, toolCallId: callId } = request.payload;
    const bodies = this.#considered.has(interactionId) ? [] : this.#habit(request, detached);
    if (!bodies) return;
    this.#considered.add(interactionId);
    for (const body of bodies) {
      const answer: Answer = { sessionId, interactionId, responseId: this.#nextId(), body };
      this.answers.push(answer);
      const { responseId } = answer;
      const named = { sessionId, callId, interactionId, responseId };
      this.#post({ type: "tool_interaction_response", ...named, ...body }, answer);
    }
  }

  #hearReply(frame: Frame): void {
    const item = this.#outbox.get(String(frame["ref"]));
    if (!item) return;
    if (frame["code"] === AWAY) {
      setTimeout(() => this.#send(item.frame), BACKOFF_MS);
      return;
    }
    this.#outbox.delete(String(frame["ref"]));
    if (item.answer) item.answer.reply = frame;
    else if (frame.type !== "ack") this.problems.push(`a message got ${JSON.stringify(frame)}`);
  }

  #changed(): void {
    for (const look of this.#watchers) look();
  }
}
