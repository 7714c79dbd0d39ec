import type { WebSocket } from "ws";
import { connect, disconnect } from "../connect.ts";
import type { Place } from "../place.ts";
import { answerPrompts } from "./person.ts";

/** Asks in one session, and answers itself. */
export interface Asker {
  /** One ask, from its start to its end. Gives milliseconds. */
  ask(): Promise<number>;
  close(): Promise<void>;
}

const ASK = '/call ask_user {"question":"Which colour?"}';

/** Asks by a message to the demo agent: a whole turn, over one socket. */
export class AskingClient implements Asker {
  readonly #socket: WebSocket;
  readonly #message: string;
  #ended: () => void = () => {};

  private constructor(socket: WebSocket, sessionId: string) {
    this.#socket = socket;
    this.#message = JSON.stringify({ type: "user_message", sessionId, text: ASK });
    answerPrompts(socket, sessionId, (type) => {
      if (type === "turn_end") this.#ended();
    });
  }

  /** @param afterSeq where the log ends that it does not read */
  static async open(place: Place, sessionId: string, afterSeq = 0): Promise<AskingClient> {
    return new AskingClient(await connect(place, { sessionId, afterSeq }), sessionId);
  }

  /** One turn: a message, a prompt, its answer, the result, the turn's end. */
  async ask(): Promise<number> {
    const ended = new Promise<void>((resolve) => (this.#ended = resolve));
    const began = performance.now();
    this.#socket.send(this.#message);
    await ended;
    return performance.now() - began;
  }

  async close(): Promise<void> {
    await disconnect(this.#socket);
  }
}
