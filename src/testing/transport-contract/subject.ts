import type { ChatEvent, EventType } from "../../protocol/index.ts";
import type { PromptRef, Transport } from "../../transport/index.ts";
import { Followed } from "./listeners.ts";

/** A server, clients of it by the transport under test, and hands to break what is between them. */
export interface TransportSubject {
  /** A new client of a person: of the owner, if no token is given. */
  connect(token?: string): Transport;
  /** A client of the same person whose line nothing here breaks, while the server is up. */
  witness(): Transport;
  /** From here on nothing that the server says arrives at a client under test, until a cut. */
  mute(): void;
  /** Breaks every line there is, without a goodbye. The next ones work. */
  cut(): void;
  /** Stops the server. */
  down(): Promise<void>;
  /** Starts it again on the same data, under the same address. */
  up(): Promise<void>;
  /** A token of a person, and how to revoke it. */
  token(): Promise<{ token: string; revoke: () => Promise<void> }>;
  /** Lets the server's clock go on, where that is not the real one. */
  passTime?(ms: number): Promise<void>;
  /** How many timers of the transports that it made are armed. */
  armedTimers(): number;
  close(): Promise<void>;
}

export type Subject = () => Stage;

/** The subject of one test, with what most tests do first. Closes what it opened. */
export class Stage {
  readonly subject: TransportSubject;
  readonly #opened: Transport[] = [];

  constructor(subject: TransportSubject) {
    this.subject = subject;
  }

  connect(token?: string): Transport {
    return this.#keep(this.subject.connect(token));
  }

  witness(): Transport {
    return this.#keep(this.subject.witness());
  }

  /** The server tells the changes of a session at most ten times a second. */
  async letItTell(): Promise<void> {
    await this.subject.passTime?.(100);
  }

  /** A session, a client under test that follows it from its start, and what it heard. */
  async conversation(transport = this.connect()): Promise<Conversation> {
    const { id } = await this.witness().createSession();
    const followed = new Followed();
    transport.subscribe(id, {}, followed);
    await followed.until(() => followed.starts.length > 0);
    return { transport, sessionId: id, followed };
  }

  /** The same, in which the agent has called a tool, up to its prompt. */
  async prompt(tool: string): Promise<Conversation & { prompt: PromptRef }> {
    const conversation = await this.conversation();
    const { transport, sessionId, followed } = conversation;
    await transport.sendMessage(sessionId, { text: `/call ${tool} {}` });
    return { ...conversation, prompt: await promptOf(followed) };
  }

  /** The log as it is stored. */
  async log(sessionId: string): Promise<ChatEvent[]> {
    return (await this.witness().events(sessionId, {})).events;
  }

  async count(sessionId: string, type: EventType): Promise<number> {
    return (await this.log(sessionId)).filter((event) => event.type === type).length;
  }

  async close(): Promise<void> {
    for (const transport of this.#opened) transport.close();
    await this.subject.close();
  }

  #keep(transport: Transport): Transport {
    this.#opened.push(transport);
    return transport;
  }
}

interface Conversation {
  transport: Transport;
  sessionId: string;
  followed: Followed;
}

/** The `nth` prompt of a log, now or when it comes. */
export async function promptOf(followed: Followed, nth = 1): Promise<PromptRef> {
  const { sessionId, payload } = await followed.nth("interaction_request", nth);
  return { sessionId, toolCallId: payload.toolCallId, interactionId: payload.interactionId };
}
