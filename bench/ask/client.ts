import type { WebSocket } from "ws";
import { connect, disconnect } from "../connect.ts";
import type { Place } from "../place.ts";

interface Frame {
  type: string;
  event?: { type: string; payload: Record<string, unknown> };
}

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

  /** @param afterSeq where the log ends that it does not read */
  static async open(place: Place, sessionId: string, afterSeq = 0): Promise<AskingClient> {
    return new AskingClient(await connect(place, { sessionId, afterSeq }), sessionId);
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
    await disconnect(this.#socket);
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

  #send(frame: unknown): void {
    this.#socket.send(JSON.stringify(frame));
  }
}
