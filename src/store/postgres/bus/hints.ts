import type { BusMessage } from "../../../core/ports.ts";
import type { TransientEvent } from "../../../protocol/index.ts";

/** PostgreSQL refuses 8,000 bytes. */
const MAX_BYTES = 7_900;
/** Pieces of a text that grows: each character takes at most six bytes in JSON. */
const PIECE_LENGTH = 1_200;

/** What other processes hear of a message: nothing that they can read themselves. */
function toHints(message: BusMessage): BusMessage[] {
  switch (message.type) {
    case "events":
      return [{ type: "events", sessionId: message.sessionId, lastSeq: message.lastSeq }];
    case "interaction":
      return [{ type: "interaction", id: message.id }];
    case "transient":
      return pieces(message.event).map((event) => ({
        type: "transient",
        sessionId: message.sessionId,
        event,
      }));
    case "look":
      return [];
    default:
      return [message];
  }
}

/** A text that grows in pieces that fit; whoever misses one reads the block when it is stored. */
function pieces(event: TransientEvent): TransientEvent[] {
  const { payload } = event as { payload: { text?: unknown; offset?: unknown } };
  const { text, offset } = payload;
  if (typeof text !== "string" || typeof offset !== "number" || text.length <= PIECE_LENGTH) {
    return [event];
  }
  return Array.from({ length: Math.ceil(text.length / PIECE_LENGTH) }, (_, index) => {
    const from = index * PIECE_LENGTH;
    const part = { ...payload, offset: offset + from, text: text.slice(from, from + PIECE_LENGTH) };
    return { ...event, payload: part } as TransientEvent;
  });
}

/** Hints on their way: of several that say the same, the last. */
export class Hints {
  readonly #most: number;
  readonly #waiting = new Map<string, BusMessage>();
  #transients = 0;
  #isLost = false;

  /** @param most of more than these it is only said that there were some */
  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && !this.#isLost;
  }

  add(message: BusMessage): void {
    for (const hint of toHints(message)) {
      if (this.#waiting.size >= this.#most) return this.lose();
      const name = hint.type === "transient" ? `transient ${this.#transients++}` : nameOf(hint);
      const before = this.#waiting.get(name);
      if (hint.type === "events" && before?.type === "events") {
        hint.lastSeq = Math.max(hint.lastSeq, before.lastSeq);
      }
      this.#waiting.set(name, hint);
    }
  }

  /** What was on its way has not arrived: everybody is to look. */
  lose(): void {
    this.#waiting.clear();
    this.#isLost = true;
  }

  /** As few payloads as they fit into; what fits into none is left out. */
  take(from: string): string[] {
    const messages = this.#isLost ? [{ type: "look" } as const] : this.#waiting.values();
    const payloads: string[] = [];
    const head = JSON.stringify(from);
    let body: string[] = [];
    let bytes = 0;
    const end = (): void => {
      if (body.length > 0) payloads.push(`[${head},${body.join()}]`);
      body = [];
      bytes = head.length + 2;
    };
    end();
    for (const message of messages) {
      const json = JSON.stringify(message);
      const size = Buffer.byteLength(json) + 1;
      if (size + head.length + 2 > MAX_BYTES) continue;
      if (bytes + size > MAX_BYTES) end();
      body.push(json);
      bytes += size;
    }
    end();
    this.#waiting.clear();
    this.#isLost = false;
    return payloads;
  }
}

function nameOf(hint: BusMessage): string {
  if (hint.type === "events") return `events ${hint.sessionId}`;
  return JSON.stringify(hint);
}

/** Nothing for what this process sent itself, or for what is none of ours. */
export function parseHints(payload: string, self: string): BusMessage[] {
  try {
    const [from, ...messages] = JSON.parse(payload) as [string, ...BusMessage[]];
    return from === self ? [] : messages;
  } catch {
    return [];
  }
}
