import type { ServerFrame } from "../protocol/index.ts";
import { LIMITS } from "../protocol/limits.ts";
import { GIVE_UP_MS } from "./answers.ts";
import { TOO_LARGE, unreachable } from "./replies.ts";
import type { Timers } from "./timers.ts";
import { TransportError } from "./transport.ts";

interface Letter {
  text: string;
  sent: boolean;
  resolve(frame: ServerFrame): void;
  reject(error: Error): void;
}

/** Half of what a server takes at a time, which leaves room for what is not in here. */
const UNDER_WAY = LIMITS.framesInFlightPerClient / 2;

/**
 * Frames that must be answered. Each goes out again on every new line until its answer comes, so
 * the server must know it again by an id in it; the order stays.
 *
 * Contract: a promise settles once; it rejects when the outbox is emptied or when nobody has
 * answered for five minutes.
 */
export class Outbox {
  readonly #letters = new Map<string, Letter>();
  readonly #send: (text: string) => boolean;
  readonly #timers: Timers;
  #count = 0;

  constructor(send: (text: string) => boolean, timers: Timers) {
    this.#send = send;
    this.#timers = timers;
  }

  ask(frame: object): Promise<ServerFrame> {
    const ref = `o${++this.#count}`;
    const text = JSON.stringify({ ...frame, ref });
    if (new TextEncoder().encode(text).byteLength > LIMITS.messageBytes) {
      return Promise.reject(tooLarge());
    }
    return new Promise((resolve, reject) => {
      const stop = this.#timers.timer(GIVE_UP_MS, () => this.#take(ref)?.reject(unreachable()));
      this.#letters.set(ref, {
        text,
        sent: false,
        resolve: (answer) => (stop(), resolve(answer)),
        reject: (error) => (stop(), reject(error)),
      });
      this.#pump();
    });
  }

  /** Whether this was the answer to something in here. */
  receive(frame: ServerFrame): boolean {
    const letter = this.#take(String(frame.ref));
    letter?.resolve(frame);
    this.#pump();
    return letter !== undefined;
  }

  /** There is a new line, on which nothing has been sent. */
  sendAgain(): void {
    for (const letter of this.#letters.values()) letter.sent = false;
    this.#pump();
  }

  /** Something was more than the server takes; sent again, it would end the next line too. */
  dropLargest(): void {
    const bySize = [...this.#letters].sort(([, a], [, b]) => b.text.length - a.text.length);
    const largest = bySize[0]?.[0];
    if (largest !== undefined) this.#take(largest)?.reject(tooLarge());
  }

  empty(error: Error): void {
    for (const ref of this.#letters.keys()) this.#take(ref)?.reject(error);
  }

  #take(ref: string): Letter | undefined {
    const letter = this.#letters.get(ref);
    this.#letters.delete(ref);
    return letter;
  }

  #pump(): void {
    let underWay = 0;
    for (const letter of this.#letters.values()) {
      if (++underWay > UNDER_WAY) return;
      letter.sent ||= this.#send(letter.text);
    }
  }
}

function tooLarge(): TransportError {
  return new TransportError(TOO_LARGE.code, TOO_LARGE.error);
}
