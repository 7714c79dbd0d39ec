import type { FrameChannel, ServerFrame } from "../protocol/index.ts";
import { CLOSE_CODES } from "../protocol/errors.ts";
import type { ConnectionState } from "./connection-state.ts";
import { backoffMs, LONGEST_WAIT_MS, type Timers } from "./timers.ts";

export interface LineOptions {
  open: () => FrameChannel;
  /** The first frame on every line. */
  hello: () => object;
  connection: ConnectionState;
  timers: Timers;
  /** A new line: what was followed or not answered on the one before is to be sent again. */
  onOpen: () => void;
  onWelcome: (frame: Extract<ServerFrame, { type: "welcome" }>) => void;
  onFrame: (frame: ServerFrame) => void;
  /** `unwelcome`: it broke before the server had said a word, perhaps for want of a credential. */
  onLost: (how: { code: number; unwelcome: boolean }) => void;
}

const WELCOME_MS = 15_000;
/** A line on which nothing was heard for so long is tried, and given up if nothing comes then. */
const IDLE_MS = 25_000;
const PONG_MS = 10_000;
/** A line that held for so long was a good one: after it the waits begin anew. */
const STABLE_MS = 5_000;
const BROKEN = 1006;

/** One channel after the other to the same server: opens the next when one is lost. */
export class Line {
  readonly #options: LineOptions;
  #channel: FrameChannel | undefined;
  #welcomedAt: number | undefined;
  #tries = 0;
  #closed = false;
  /** Of all the things that a line waits for, it waits for one at a time. */
  #stopWaiting = () => {};

  constructor(options: LineOptions) {
    this.#options = options;
  }

  connect(): void {
    const { open, hello, connection, onOpen } = this.#options;
    this.#welcomedAt = undefined;
    connection.set({ state: "connecting" });
    const channel = open();
    this.#channel = channel;
    channel.onFrame = (text) => {
      if (this.#channel === channel) this.#receive(text);
    };
    channel.onClose = (code) => {
      if (this.#channel === channel) this.#lost(code);
    };
    this.#wait(WELCOME_MS, () => this.#drop());
    this.send({ type: "hello", ...hello() });
    onOpen();
  }

  /** False if there is no line now; what matters is sent again by `onOpen`. */
  send(frame: object): boolean {
    return this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): boolean {
    this.#channel?.send(text);
    return this.#channel !== undefined;
  }

  reconnect(): void {
    if (this.#closed) return;
    if (this.#channel && this.#welcomedAt !== undefined) return this.#ping();
    this.#leave();
    this.#tries = 0;
    this.connect();
  }

  /** The credential is no good: nothing is tried until `reconnect`. */
  signOut(): void {
    if (this.#closed) return;
    this.#leave();
    this.#options.connection.set({ state: "signed_out" });
  }

  close(): void {
    this.#closed = true;
    this.#leave();
    this.#options.connection.set({ state: "offline" });
  }

  #receive(text: string): void {
    const { connection, timers, onWelcome, onFrame } = this.#options;
    const frame = parse(text);
    if (!frame) return this.#drop();
    this.#wait(IDLE_MS, () => this.#ping());
    if (frame.type !== "welcome") return onFrame(frame);
    this.#welcomedAt = timers.now();
    connection.set({ state: "online" });
    onWelcome(frame);
  }

  #ping(): void {
    this.send({ type: "ping" });
    this.#wait(PONG_MS, () => this.#drop());
  }

  /** A dead line tells nobody that it is dead. */
  #drop(): void {
    const channel = this.#channel;
    this.#lost(BROKEN);
    channel?.close();
  }

  #leave(): void {
    const channel = this.#channel;
    this.#channel = undefined;
    this.#stopWaiting();
    channel?.close();
  }

  #lost(code: number): void {
    const { connection, timers, onLost } = this.#options;
    this.#channel = undefined;
    this.#stopWaiting();
    if (code === CLOSE_CODES.credentialEnded) return this.signOut();
    const held = this.#welcomedAt === undefined ? 0 : timers.now() - this.#welcomedAt;
    if (held >= STABLE_MS) this.#tries = 0;
    const wait = isOurFault(code) ? LONGEST_WAIT_MS : backoffMs(this.#tries++, timers);
    connection.set({ state: "offline", retryAt: timers.now() + wait });
    this.#wait(wait, () => this.connect());
    onLost({ code, unwelcome: this.#welcomedAt === undefined });
  }

  #wait(ms: number, then: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#options.timers.timer(ms, then);
  }
}

/** Doing the same again would end the same way, until the other side has changed. */
function isOurFault(code: number): boolean {
  return code === CLOSE_CODES.noHello || code === CLOSE_CODES.tooLarge;
}

function parse(text: string): ServerFrame | undefined {
  try {
    return JSON.parse(text) as ServerFrame;
  } catch {
    return undefined;
  }
}
