import type { Client, EventOf } from "../scenarios/client.ts";

/** A person in one session. */
export class Talk {
  readonly client: Client;
  readonly sessionId: string;

  constructor(client: Client, sessionId: string) {
    this.client = client;
    this.sessionId = sessionId;
  }

  say(text: string, more: Record<string, unknown> = {}) {
    return this.client.say(this.sessionId, text, more);
  }

  /** The `nth` prompt, now or when it comes. */
  prompt(nth = 1): Promise<EventOf<"interaction_request">> {
    return this.client.event("interaction_request", nth);
  }

  async answer(request: EventOf<"interaction_request">, body: Record<string, unknown>) {
    const reply = await this.client.answer(request, body);
    if (!reply["ok"]) throw new Error(`The answer was refused: ${JSON.stringify(reply)}`);
  }

  async result(toolCallId: string): Promise<EventOf<"tool_result">["payload"]> {
    const event = await this.client.event(
      "tool_result",
      (payload) => payload.toolCallId === toolCallId,
    );
    return event.payload;
  }

  async ended(nth = 1): Promise<string> {
    return (await this.client.event("turn_end", nth)).payload.status;
  }

  types(): string[] {
    return this.client.events(this.sessionId).map(({ type }) => type);
  }
}
