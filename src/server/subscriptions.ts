import type { Core, LogSink, OutgoingEvent, Subscription, Who } from "../core/index.ts";
import { type FrameRef, LIMITS, ProtocolError } from "../protocol/index.ts";
import type { Outbox } from "./outbox.ts";
import { sharedText } from "./shared-text.ts";

interface OpenSubscription {
  closed: boolean;
  handle?: Subscription;
}

/** The sessions whose logs one client follows. */
export class Subscriptions {
  readonly #open = new Map<string, OpenSubscription>();
  readonly #core: Core;
  readonly #who: Who;
  readonly #outbox: Outbox;
  /** Told when a subscription breaks off after it had begun. */
  readonly #onBroken: (error: unknown, sessionId: string) => void;
  #ended = false;

  constructor(
    core: Core,
    who: Who,
    outbox: Outbox,
    onBroken: (error: unknown, sessionId: string) => void,
  ) {
    this.#core = core;
    this.#who = who;
    this.#outbox = outbox;
    this.#onBroken = onBroken;
  }

  /**
   * Resolves when the subscription has begun; its replay goes on after that. One that the client
   * has already for this session is replaced then, and stays if the new one is refused.
   */
  open(query: { sessionId: string; after?: number; tail?: number }, ref?: FrameRef): Promise<void> {
    const { sessionId } = query;
    if (this.#open.size >= LIMITS.subscriptionsPerClient && !this.#open.has(sessionId)) {
      throw new ProtocolError(
        "too_many",
        `At most ${LIMITS.subscriptionsPerClient} sessions can be followed on one connection.`,
      );
    }
    const mine: OpenSubscription = { closed: false };
    const sink: LogSink = {
      send: (event, live) => {
        if (mine.closed) return;
        this.#outbox.sendText(
          sharedText(event, () => toChatEventFrame(event)),
          live,
        );
      },
      drained: () => this.#outbox.drained(),
      hearsSessions: true,
    };
    return new Promise((resolve, reject) => {
      let begun = false;
      const begin = (frame: Parameters<Parameters<Core["subscribe"]>[3]>[0]) => {
        begun = true;
        resolve();
        this.close(sessionId);
        if (this.#ended) {
          mine.closed = true;
          return;
        }
        this.#open.set(sessionId, mine);
        this.#outbox.send({ type: "subscribed", ref, ...frame });
      };
      this.#core.subscribe(this.#who, query, sink, begin).then(
        (handle) => {
          mine.handle = handle;
          if (mine.closed) handle.close();
        },
        (error: unknown) => {
          if (begun && !mine.closed) this.#onBroken(error, sessionId);
          if (this.#open.get(sessionId) === mine) this.#open.delete(sessionId);
          mine.closed = true;
          reject(error);
        },
      );
    });
  }

  close(sessionId: string): void {
    const one = this.#open.get(sessionId);
    if (!one) return;
    this.#open.delete(sessionId);
    one.closed = true;
    one.handle?.close();
  }

  end(): void {
    this.#ended = true;
    for (const sessionId of this.#open.keys()) this.close(sessionId);
  }
}

function toChatEventFrame({ sessionId, json }: OutgoingEvent): string {
  return `{"type":"chat_event","sessionId":${JSON.stringify(sessionId)},"event":${json}}`;
}
