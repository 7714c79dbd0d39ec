import type { FrameChannel } from "../protocol/index.ts";

/**
 * Two ends of a pipe in one process. Frames arrive in order and never inside the sender's own call.
 * What is sent before the other end listens waits for it.
 */
export function createDirectPair(): [FrameChannel, FrameChannel] {
  const one = new DirectEnd();
  const other = new DirectEnd();
  one.connect(other);
  other.connect(one);
  return [one, other];
}

class DirectEnd implements FrameChannel {
  onClose?: (code: number, reason: string) => void;
  readonly #arrived: (() => void)[] = [];
  #peer: DirectEnd | undefined;
  #onFrame: ((frame: string) => void) | undefined;
  #closing = false;
  #peerClosed = false;
  #delivering = false;

  connect(peer: DirectEnd): void {
    this.#peer = peer;
  }

  get onFrame(): ((frame: string) => void) | undefined {
    return this.#onFrame;
  }

  set onFrame(listener: ((frame: string) => void) | undefined) {
    this.#onFrame = listener;
    this.#deliver();
  }

  send(frame: string, sent?: () => void): void {
    const peer = this.#peer;
    if (this.#closing || !peer) return;
    peer.#arrived.push(() => {
      if (peer.#closing) return;
      peer.#onFrame?.(frame);
      sent?.();
    });
    peer.#deliver();
  }

  close(code = 1000, reason = ""): void {
    if (this.#closing) return;
    this.#closing = true;
    queueMicrotask(() => this.onClose?.(code, reason));
    const peer = this.#peer;
    if (!peer) return;
    peer.#peerClosed = true;
    peer.#arrived.push(() => {
      if (peer.#closing) return;
      peer.#closing = true;
      peer.onClose?.(code, reason);
    });
    peer.#deliver();
  }

  #deliver(): void {
    // An end that only wants to know of the close has no use for the frames before it.
    const listens = this.#onFrame ?? (this.#peerClosed && this.onClose);
    if (this.#delivering || !listens) return;
    this.#delivering = true;
    queueMicrotask(() => {
      this.#delivering = false;
      this.#arrived.shift()?.();
      if (this.#arrived.length > 0) this.#deliver();
    });
  }
}
