import { once } from "node:events";
import { WebSocket } from "ws";

type Frame = Record<string, unknown> & {
  type: string;
  event?: { type: string; seq?: number; payload: Record<string, unknown> };
};

const ASK = '/call ask_user {"question":"Which colour?"}';

/** A client that asks, answers itself, and waits for the end, over one session. */
export class AskingClient {
  readonly #socket: WebSocket;
  readonly #sessionId: string;
  #ended: () => void = () => {};
  #count = 0;

  private constructor(socket: WebSocket, sessionId: string) {
    this.#socket = socket;
    this.#sessionId = sessionId;
    socket.on("message", (data: Buffer) => this.#take(JSON.parse(data.toString()) as Frame));
  }

  static async open(url: string, sessionId: string, token?: string): Promise<AskingClient> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
    await once(socket, "open");
    const client = new AskingClient(socket, sessionId);
    const subscribed = client.#next("subscribed");
    client.#send({
      type: "hello",
      protocolVersion: 1,
      client: { id: "bench" },
      interaction: { supported: true, enabled: true },
      subscriptions: [{ sessionId }],
    });
    await subscribed;
    return client;
  }

  /** One turn: a message, a prompt, its answer, the result, the turn's end. Gives milliseconds. */
  async ask(): Promise<number> {
    const ended = new Promise<void>((resolve) => (this.#ended = resolve));
    const began = performance.now();
    this.#send({ type: "user_message", sessionId: this.#sessionId, text: ASK });
    await ended;
    return performance.now() - began;
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }

  #take({ type, event }: Frame): void {
    if (type !== "chat_event") return;
    if (event?.type === "turn_end") this.#ended();
    if (event?.type !== "interaction_request") return;
    this.#send({
      type: "tool_interaction_response",
      sessionId: this.#sessionId,
      callId: event.payload["toolCallId"],
      interactionId: event.payload["interactionId"],
      responseId: `answer-${this.#sessionId}-${++this.#count}`,
      action: "submit",
      input: { answer: "blue" },
    });
  }

  #next(type: string): Promise<void> {
    return new Promise((resolve) => {
      const take = (data: Buffer) => {
        if ((JSON.parse(data.toString()) as Frame).type !== type) return;
        this.#socket.off("message", take);
        resolve();
      };
      this.#socket.on("message", take);
    });
  }

  #send(frame: unknown): void {
    this.#socket.send(JSON.stringify(frame));
  }
}
