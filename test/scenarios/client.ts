import { WebSocket } from "ws";
import type { ChatEvent, EventPayload, EventType } from "../../src/protocol/index.ts";

export type Frame = { type: string; [key: string]: any };
export type EventOf<Type extends EventType> = Extract<ChatEvent, { type: Type }>;

/** One client on a real socket. It keeps what it heard; waiting means waiting for a frame. */
export class Client {
  readonly frames: Frame[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly #socket: WebSocket;
  readonly #wakeUps = new Set<() => void>();
  #refs = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString("utf8")) as Frame);
      this.#wake();
    });
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake();
    });
    socket.on("error", () => {});
  }

  /** Opens a socket and says nothing yet. */
  static async open(url: string, headers: Record<string, string>): Promise<Client> {
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, { headers });
    const client = new Client(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("error", reject);
    });
    return client;
  }

  static async connect(
    url: string,
    token: string,
    hello: Record<string, unknown> = { interaction: { supported: true, enabled: true } },
  ): Promise<Client> {
    const client = await Client.open(url, { authorization: `Bearer ${token}` });
    client.send({ type: "hello", protocolVersion: 1, ...hello });
    await client.frame("welcome");
    return client;
  }

  send(frame: Frame | string): void {
    this.#socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** Sends with a `ref` and gives the frame that repeats it. */
  async ask(frame: Frame): Promise<Frame> {
    const ref = `r${++this.#refs}`;
    this.send({ ...frame, ref });
    return this.until((one) => one["ref"] === ref);
  }

  async subscribe(sessionId: string, cursor: Record<string, unknown> = {}): Promise<Frame> {
    const reply = await this.ask({ type: "subscribe", sessionId, ...cursor });
    if (reply.type !== "subscribed") throw new Error(JSON.stringify(reply));
    return reply;
  }

  async say(sessionId: string, text: string, more: Record<string, unknown> = {}): Promise<Frame> {
    return this.ask({ type: "user_message", sessionId, text, ...more });
  }

  /** Answers a prompt that it has seen. */
  async answer(
    request: EventOf<"interaction_request">,
    body: Record<string, unknown>,
  ): Promise<Frame> {
    return this.ask({
      type: "tool_interaction_response",
      sessionId: request.sessionId,
      callId: request.payload.toolCallId,
      interactionId: request.payload.interactionId,
      ...body,
    });
  }

  events(sessionId?: string): ChatEvent[] {
    return this.frames
      .filter((frame) => frame.type === "chat_event" && frame["event"].seq !== undefined)
      .filter((frame) => sessionId === undefined || frame["sessionId"] === sessionId)
      .map((frame) => frame["event"] as ChatEvent);
  }

  /** The `nth` (from 1) event of a type, now or when it comes. */
  async event<Type extends EventType>(
    type: Type,
    match: ((payload: EventPayload<Type>, event: EventOf<Type>) => boolean) | number = 1,
  ): Promise<EventOf<Type>> {
    const nth = typeof match === "number" ? match : 1;
    const fits = typeof match === "number" ? () => true : match;
    const found = () =>
      this.events().filter(
        (event): event is EventOf<Type> =>
          event.type === type && fits(event.payload as EventPayload<Type>, event as EventOf<Type>),
      )[nth - 1];
    await this.#waitUntil(() => found() !== undefined, `event ${type}`);
    return found() as EventOf<Type>;
  }

  async frame(type: string): Promise<Frame> {
    return this.until((frame) => frame.type === type);
  }

  async until(match: (frame: Frame) => boolean): Promise<Frame> {
    await this.#waitUntil(() => this.frames.some(match), `frame ${match.toString()}`);
    return this.frames.find(match) as Frame;
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    while (!this.closed) await this.#nextWake();
    return this.closed;
  }

  /** Hangs up and waits until that is done. */
  async close(): Promise<void> {
    this.#socket.close();
    await this.untilClosed();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  async #waitUntil(done: () => boolean, what: string): Promise<void> {
    while (!done()) {
      if (this.closed) throw new Error(`closed with ${this.closed.code} while waiting for ${what}`);
      await this.#nextWake();
    }
  }

  #nextWake(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wakeUps.delete(wake);
        resolve();
      };
      this.#wakeUps.add(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#wakeUps) wake();
  }
}
