import type { FrameChannel, ServerFrame } from "../protocol/index.ts";
import type { Meter } from "./meter.ts";

/**
 * What is on its way to one client. Live frames that have not left yet count toward a limit, beyond
 * which the client is too slow to be served; replayed frames do not, because their sender waits for
 * `drained` between pages.
 */
export class Outbox {
  readonly #channel: FrameChannel;
  readonly #limit: number;
  readonly #onTooSlow: () => void;
  readonly #meter: Pick<Meter, "sent" | "maySend">;
  readonly #waiting: { until: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  /** What each frame on its way counts, the oldest first. */
  readonly #leaving: number[] = [];
  #liveBytes = 0;
  #sent = 0;
  #left = 0;
  #closed = false;

  constructor(
    channel: FrameChannel,
    limit: number,
    onTooSlow: () => void,
    meter: Pick<Meter, "sent" | "maySend">,
  ) {
    this.#channel = channel;
    this.#limit = limit;
    this.#onTooSlow = onTooSlow;
    this.#meter = meter;
  }

  send(frame: ServerFrame, live = true): void {
    this.sendText(JSON.stringify(frame), live);
  }

  sendText(text: string, live: boolean): void {
    if (this.#closed) return;
    const size = sizeOf(text);
    this.#meter.sent(size);
    const bytes = live ? size : 0;
    this.#liveBytes += bytes;
    if (this.#liveBytes > this.#limit) return this.#onTooSlow();
    this.#sent++;
    this.#leaving.push(bytes);
    this.#channel.send(text, this.#oneLeft);
  }

  readonly #oneLeft = (): void => {
    this.#liveBytes -= this.#leaving.shift() ?? 0;
    this.#left++;
    while (this.#waiting[0] && this.#waiting[0].until <= this.#left) {
      this.#waiting.shift()?.resolve();
    }
  };

  /** Resolves when what was sent so far has left and more may be sent; rejects when the client is gone. */
  async drained(): Promise<void> {
    await this.#allLeft();
    await this.#meter.maySend();
  }

  #allLeft(): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The client is gone."));
    if (this.#left >= this.#sent) return Promise.resolve();
    const until = this.#sent;
    return new Promise((resolve, reject) => this.#waiting.push({ until, resolve, reject }));
  }

  /** Drops what has not been handed over yet. */
  close(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error("The client is gone."));
  }
}

let lastSized = { text: "", size: 0 };

/** What many are told without a break is measured once. */
function sizeOf(text: string): number {
  if (text !== lastSized.text) lastSized = { text, size: Buffer.byteLength(text) };
  return lastSized.size;
}
