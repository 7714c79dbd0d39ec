import type {
  ChatEvent,
  EventType,
  InteractionRecord,
  SessionRecord,
  TransientEvent,
} from "../../protocol/index.ts";
import type {
  Connection,
  InboxListener,
  LogListener,
  SessionsListener,
  Transport,
} from "../../transport/index.ts";

type EventOf<Type extends EventType> = Extract<ChatEvent, { type: Type }>;

/** Keeps what it is told. Waiting means for the next thing that it is told. */
class Listener {
  readonly #wakeUps = new Set<() => void>();

  async until<Result>(read: () => Result | undefined | false): Promise<Result> {
    for (;;) {
      const found = read();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => this.#wakeUps.add(resolve));
    }
  }

  protected told(): void {
    for (const wakeUp of this.#wakeUps) wakeUp();
    this.#wakeUps.clear();
  }
}

export class Followed extends Listener implements LogListener {
  readonly starts: Parameters<LogListener["started"]>[0][] = [];
  readonly events: ChatEvent[] = [];
  readonly failures: { code: string; error: string }[] = [];

  started(at: Parameters<LogListener["started"]>[0]): void {
    this.starts.push(at);
    this.events.length = 0;
    this.told();
  }

  event(event: ChatEvent | TransientEvent): void {
    if ("seq" in event) this.events.push(event);
    this.told();
  }

  failed(error: { code: string; error: string }): void {
    this.failures.push(error);
    this.told();
  }

  /** The `nth` event (from 1) of a type, now or when it comes. */
  async nth<Type extends EventType>(type: Type, nth = 1): Promise<EventOf<Type>> {
    const isOne = (event: ChatEvent): event is EventOf<Type> => event.type === type;
    return this.until(() => this.events.filter(isOne)[nth - 1]);
  }
}

/** What an inbox shows that believes everything it is told. */
export class WatchedInbox extends Listener implements InboxListener {
  lists = 0;
  readonly open = new Map<string, InteractionRecord>();
  readonly ended = new Map<string, InteractionRecord>();

  list(interactions: InteractionRecord[]): void {
    this.lists++;
    this.open.clear();
    for (const one of interactions) this.open.set(one.id, one);
    this.told();
  }

  updated(interaction: InteractionRecord): void {
    if (interaction.status === "pending") this.open.set(interaction.id, interaction);
    else {
      this.open.delete(interaction.id);
      this.ended.set(interaction.id, interaction);
    }
    this.told();
  }
}

export class WatchedSessions extends Listener implements SessionsListener {
  staleCount = 0;
  readonly updates: SessionRecord[] = [];
  readonly deletions: string[] = [];

  updated(session: SessionRecord): void {
    this.updates.push(session);
    this.told();
  }

  deleted(sessionId: string): void {
    this.deletions.push(sessionId);
    this.told();
  }

  stale(): void {
    this.staleCount++;
    this.told();
  }
}

/** Resolves when the connection stands so, now or later. */
export async function untilState(
  transport: Transport,
  ...states: Connection["state"][]
): Promise<Connection> {
  const isThere = () => states.includes(transport.connection().state);
  if (!isThere()) {
    await new Promise<void>((resolve) => {
      const stop = transport.onConnection(() => {
        if (!isThere()) return;
        stop();
        resolve();
      });
    });
  }
  return transport.connection();
}
