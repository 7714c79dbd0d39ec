import { StringDecoder } from "node:string_decoder";
import type { ReadStream } from "node:tty";
import { CommandFailure, EXIT } from "../../failure.ts";
import { type Key, parseKeys } from "./keys.ts";

/** For so long after something to decide has appeared, no key decides: it was meant for before. */
const GRACE_MS = 350;
/** Keys that follow each other faster than this are held down, or pasted. */
const HELD_MS = 60;

interface Pressed {
  key: Key;
  /** Nothing came together with it, or right before it; and what it is for could be seen. */
  isDeliberate: boolean;
}

/** The keys of a terminal, one at a time. It is in raw mode until it is closed. */
export class Keyboard {
  /** Rejects when the person wants out. */
  readonly interrupted: Promise<never>;
  readonly #input: ReadStream;
  readonly #decoder = new StringDecoder("utf8");
  #interrupt: (error: Error) => void = () => {};
  #pressed: Pressed[] = [];
  #wake = () => {};
  #unread = "";
  #lastAt = 0;
  #isGrace = false;

  constructor(input: ReadStream) {
    this.#input = input;
    this.interrupted = new Promise((_resolve, reject) => {
      this.#interrupt = reject;
    });
    // Whoever does not wait for it hears of it by what they do wait for.
    this.interrupted.catch(() => {});
    input.setRawMode(true);
    input.on("data", this.#receive);
    input.on("end", this.interrupt);
    input.resume();
  }

  interrupt = (): void => {
    this.#interrupt(new CommandFailure("Interrupted.", EXIT.interrupted));
  };

  /** The next key. Rejects with the signal's reason if it aborts first. */
  async next(signal?: AbortSignal): Promise<Key> {
    return (await this.#next(signal)).key;
  }

  /**
   * Something to decide is on the screen now: from here on no key decides, until `onLive` is called.
   * The returned function ends the waiting.
   */
  beginGrace(onLive: () => void): () => void {
    this.forget();
    this.#isGrace = true;
    const live = () => {
      this.#isGrace = false;
      onLive();
    };
    let end = () => clearTimeout(timer);
    const timer = setTimeout(() => {
      // What was typed by now, and not read yet because the machine is busy, is read before this.
      const immediate = setImmediate(live);
      end = () => clearImmediate(immediate);
    }, GRACE_MS);
    return () => {
      end();
      this.#isGrace = false;
    };
  }

  /**
   * The next key that may decide. What comes too soon, is pasted or held down is dropped; Escape,
   * which decides nothing, is not.
   */
  async decision(signal: AbortSignal): Promise<Key> {
    for (;;) {
      const { key, isDeliberate } = await this.#next(signal);
      if (key.name === "escape" || isDeliberate) return key;
    }
  }

  /** There is a next key already. */
  get hasMore(): boolean {
    return this.#pressed.length > 0;
  }

  /** Drops what was typed ahead. */
  forget(): void {
    this.#pressed = [];
  }

  close(): void {
    this.#input.off("data", this.#receive).off("end", this.interrupt);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  async #next(signal?: AbortSignal): Promise<Pressed> {
    for (;;) {
      signal?.throwIfAborted();
      const pressed = this.#pressed.shift();
      if (pressed) return pressed;
      await new Promise<void>((resolve) => {
        this.#wake = () => {
          signal?.removeEventListener("abort", this.#wake);
          resolve();
        };
        signal?.addEventListener("abort", this.#wake);
      });
    }
  }

  readonly #receive = (bytes: Buffer): void => {
    const at = performance.now();
    const { keys, unread } = parseKeys(this.#unread + this.#decoder.write(bytes));
    this.#unread = unread;
    const isAlone = keys.length === 1 && at - this.#lastAt >= HELD_MS && !this.#isGrace;
    this.#lastAt = at;
    for (const key of keys) {
      if (key.name === "interrupt") return this.interrupt();
      this.#pressed.push({ key, isDeliberate: isAlone && key.name !== "paste" });
    }
    this.#wake();
  };
}
