import { WebSocket } from "ws";
import type { ChatEvent, EventPayload, EventType, FrameChannel } from "../../src/protocol/index.ts";

export type Frame = { type: string; [key: string]: any };
export type EventOf<Type extends EventType> = Extract<ChatEvent, { type: Type }>;

/** What a client needs of its socket, or of what stands for one. */
interface Line {
  send(text: string): void;
  close(): void;
  terminate(): void;
}

/** One client, on a real socket as a rule. It keeps what it heard; waiting means for a frame. */
export class Client {
  readonly frames: Frame[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly #line: Line;
  readonly #wakeUps = new Set<() => void>();
  #refs = 0;

  private constructor(line: Line) {
    this.#line = line;
  }

  /** Opens a socket and says nothing yet. */
  static async open(url: string, headers: Record<string, string>): Promise<Client> {
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, { headers });
    const client = new Client(socket);
    socket.on("message", (data: Buffer) => client.#hear(data.toString("utf8")));
    socket.on("close", (code, reason) => client.#end(code, reason.toString()));
    socket.on("error", () => {});
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
    return client.#greet(hello);
  }

  /** A client in the server's own process, which says nothing yet if there is no hello. */
  static async over(channel: FrameChannel, hello?: Record<string, unknown>): Promise<Client> {
    const close = () => channel.close(1000, "");
    const client = new Client({ send: (text) => channel.send(text), close, terminate: close });
    channel.onFrame = (text) => client.#hear(text);
    channel.onClose = (code, reason) => client.#end(code, reason);
    return hello ? client.#greet(hello) : client;
  }

  async #greet(hello: Record<string, unknown>): Promise<this> {
    this.send({ type: "hello", protocolVersion: 1, ...hello });
    await this.frame("welcome");
    return this;
  }

  send(frame: Frame | string): void {
    this.#line.send(typeof frame === "string" ? frame : JSON.stringify(frame));
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
    this.#line.close();
    await this.untilClosed();
  }

  terminate(): void {
    this.#line.terminate();
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

  #hear(text: string): void {
    this.frames.push(JSON.parse(text) as Frame);
    this.#wake();
  }

  #end(code: number, reason: string): void {
    this.closed = { code, reason };
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakeUps) wake();
  }
}
