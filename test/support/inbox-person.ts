import type { InteractionRecord } from "../../src/protocol/index.ts";
import { Client, type Frame } from "../scenarios/client.ts";

/** Somebody who sits at the inbox and answers what comes. */
export class InboxPerson {
  readonly client: Client;
  readonly #seen = new Set<string>();

  private constructor(client: Client) {
    this.client = client;
  }

  static async connect(url: string, token: string): Promise<InboxPerson> {
    const client = await Client.connect(url, token);
    await client.ask({ type: "subscribe", inbox: true });
    return new InboxPerson(client);
  }

  /** The first open prompt that it has not been given before, now or when it comes. */
  async next(): Promise<InteractionRecord> {
    const fresh = (frame: Frame) =>
      promptsOf(frame).find(({ id, status }) => status === "pending" && !this.#seen.has(id));
    const prompt = fresh(await this.client.until((frame) => fresh(frame) !== undefined));
    if (!prompt) throw new Error("There was one a moment ago.");
    this.#seen.add(prompt.id);
    return prompt;
  }

  async answer(prompt: InteractionRecord, body: Record<string, unknown>): Promise<void> {
    const reply = await this.client.ask({
      type: "tool_interaction_response",
      sessionId: prompt.sessionId,
      callId: prompt.toolCallId,
      interactionId: prompt.id,
      ...body,
    });
    if (reply["ok"] !== true) throw new Error(JSON.stringify(reply));
  }

  /** Answers the next one. */
  async say(body: Record<string, unknown>): Promise<InteractionRecord> {
    const prompt = await this.next();
    await this.answer(prompt, body);
    return prompt;
  }
}

function promptsOf(frame: Frame): InteractionRecord[] {
  if (frame.type === "inbox") return frame["interactions"] as InteractionRecord[];
  return frame.type === "interaction_updated" ? [frame["interaction"] as InteractionRecord] : [];
}
