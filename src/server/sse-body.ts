import { type Meter, UNMETERED } from "./meter.ts";

/**
 * The body of a stream that is read at the client's pace. Live chunks that the client does not
 * take pile up to a limit; then the stream ends, and the client resumes from its last event.
 */
export class SseBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #limit: number;
  readonly #onEnd: () => void;
  readonly #meter: Pick<Meter, "sent" | "maySend">;
  readonly #encoder = new TextEncoder();
  readonly #chunks: { bytes: Uint8Array; live: boolean }[] = [];
  readonly #waiting: { until: number; resolve: () => void }[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wake: (() => void) | undefined;
  #liveBytes = 0;
  #sent = 0;
  #taken = 0;
  #ended = false;

  constructor(
    limit: number,
    onEnd: () => void,
    meter: Pick<Meter, "sent" | "maySend"> = UNMETERED,
  ) {
    this.#limit = limit;
    this.#onEnd = onEnd;
    this.#meter = meter;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.#finish(),
      },
      { highWaterMark: 0 },
    );
  }

  get ended(): boolean {
    return this.#ended;
  }

  send(text: string, live: boolean): void {
    if (this.#ended) return;
    const bytes = this.#encoder.encode(text);
    this.#meter.sent(bytes.byteLength);
    if (live) this.#liveBytes += bytes.byteLength;
    if (this.#liveBytes > this.#limit) return this.end();
    this.#chunks.push({ bytes, live });
    this.#sent++;
    this.#wake?.();
  }

  /** Resolves when what was sent so far has been taken and more may be sent; never, once the client is gone. */
  async drained(): Promise<void> {
    await this.#allTaken();
    await this.#meter.maySend();
  }

  #allTaken(): Promise<void> {
    if (this.#taken >= this.#sent) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ until: this.#sent, resolve }));
  }

  end(): void {
    if (this.#ended) return;
    this.#finish();
    this.#controller?.close();
  }

  async #pull(): Promise<void> {
    if (this.#chunks.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const chunk = this.#chunks.shift();
    if (!chunk || this.#ended) return;
    if (chunk.live) this.#liveBytes -= chunk.bytes.byteLength;
    this.#controller?.enqueue(chunk.bytes);
    this.#taken++;
    while (this.#waiting[0] && this.#waiting[0].until <= this.#taken) {
      this.#waiting.shift()?.resolve();
    }
  }

  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#chunks.length = 0;
    this.#waiting.length = 0;
    this.#wake?.();
    this.#onEnd();
  }
}
