import type { ChatEvent } from "../../src/protocol/index.ts";
import type { World } from "./world.ts";

export interface StreamMessage {
  id: string | undefined;
  name: string | undefined;
  data: any;
}

/** A client of one session's server-sent events. */
export class EventStream {
  readonly messages: StreamMessage[] = [];
  ended = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #hangUp: AbortController;
  #text = "";

  private constructor(body: ReadableStream<Uint8Array>, hangUp: AbortController) {
    this.#reader = body.getReader();
    this.#hangUp = hangUp;
  }

  static async open(
    world: World,
    sessionId: string,
    headers: Record<string, string> = {},
  ): Promise<EventStream> {
    return EventStream.#request(world, `/api/sessions/${sessionId}/events`, { headers });
  }

  /** Sends a message and follows the turn that it starts. */
  static send(world: World, sessionId: string, body: object): Promise<EventStream> {
    return EventStream.#request(world, `/api/sessions/${sessionId}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  static async #request(world: World, path: string, init: RequestInit): Promise<EventStream> {
    const hangUp = new AbortController();
    const response = await fetch(world.node.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${world.owner}`,
        accept: "text/event-stream",
        ...(init.headers as Record<string, string>),
      },
      signal: hangUp.signal,
    });
    if (!response.ok || !response.body)
      throw new Error(`${response.status} ${await response.text()}`);
    return new EventStream(response.body, hangUp);
  }

  get events(): ChatEvent[] {
    return this.messages.filter(({ id }) => id !== undefined).map(({ data }) => data as ChatEvent);
  }

  async until(match: (event: ChatEvent) => boolean): Promise<ChatEvent> {
    for (;;) {
      const found = this.events.find(match);
      if (found) return found;
      if (this.ended) throw new Error("The stream ended.");
      await this.#readMore();
    }
  }

  /** The first message of this name, now or when it comes. */
  async message(name: string): Promise<any> {
    for (;;) {
      const found = this.messages.find((one) => one.name === name);
      if (found) return found.data.data;
      if (this.ended) throw new Error(`The stream ended without ${name}.`);
      await this.#readMore();
    }
  }

  async untilEnded(): Promise<void> {
    while (!this.ended) await this.#readMore();
  }

  close(): void {
    this.#hangUp.abort();
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done) {
      this.ended = true;
      return;
    }
    this.#text += new TextDecoder().decode(value, { stream: true });
    const frames = this.#text.split("\n\n");
    this.#text = frames.pop() ?? "";
    for (const frame of frames) this.#take(frame);
  }

  #take(frame: string): void {
    const lines = frame.split("\n");
    const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
    if (data === undefined) return;
    const id = lines.find((line) => line.startsWith("id: "))?.slice(4);
    const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
    this.messages.push({ id, name, data: JSON.parse(data) });
  }
}
