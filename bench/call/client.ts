import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { WebSocket } from "ws";
import type { Asker } from "../ask/client.ts";
import { answerPrompts } from "../ask/person.ts";
import { connect, disconnect } from "../connect.ts";
import type { Place } from "../place.ts";

const OPERATION = "/api/plugins/questions/operations/ask";
const INPUT = JSON.stringify({
  prompt: "Which colour?",
  fields: [{ id: "answer", type: "text", label: "Answer", required: true }],
});

/** Asks by an operation over HTTP; the person who answers is on a socket. */
export class CallingClient implements Asker {
  readonly #place: Place;
  readonly #person: WebSocket;
  readonly #headers: Record<string, string>;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(place: Place, person: WebSocket, sessionId: string) {
    this.#place = place;
    this.#person = person;
    const type = { "content-type": "application/json" };
    this.#headers = { ...place.headers, ...type, "x-session-id": sessionId };
    answerPrompts(person, sessionId, () => {});
  }

  static async open(place: Place, sessionId: string): Promise<CallingClient> {
    return new CallingClient(place, await connect(place, { sessionId }), sessionId);
  }

  /** One call: a request, a prompt, its answer, the reply. */
  async ask(): Promise<number> {
    const began = performance.now();
    const call = request(`${this.#place.url}${OPERATION}`, {
      method: "POST",
      agent: this.#agent,
      headers: this.#headers,
    });
    call.end(INPUT);
    const [reply] = (await once(call, "response")) as [IncomingMessage];
    const body = await text(reply);
    const took = performance.now() - began;
    if (!body.includes('"ok":true')) throw new Error(`The call was refused: ${body}`);
    return took;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await disconnect(this.#person);
  }
}
