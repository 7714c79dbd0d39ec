import type { Via, Who } from "../core/index.ts";
import {
  CLOSE_CODES,
  DEFAULTS,
  type FrameChannel,
  HelloFrame,
  LIMITS,
  parseBody,
  PROTOCOL_VERSION,
  ProtocolError,
} from "../protocol/index.ts";
import { Conversation, type Work } from "./conversation.ts";
import { toErrorBody } from "./errors.ts";
import { type Meter, meterOf } from "./meter.ts";
import { Outbox } from "./outbox.ts";
import type { ServerParts } from "./parts.ts";
import { glimpseFrame, type RawFrame, readFrame } from "./read-frame.ts";

type ConnectionParts = Pick<ServerParts, "core" | "clients" | "clock" | "ids" | "log" | "version">;

/** Serves one client over a channel until either side closes it. */
export function openConnection(
  parts: ConnectionParts,
  channel: FrameChannel,
  who: Who,
  via: Via,
): { close(code: number, reason: string): void } {
  return new Connection(parts, channel, who, via);
}

/**
 * One client's frames, whatever carries them: their sizes, the hello before all others, and the
 * order in which their work is done. What they mean is in conversation.ts.
 */
class Connection {
  readonly #parts: ConnectionParts;
  readonly #channel: FrameChannel;
  readonly #outbox: Outbox;
  readonly #meter: Meter;
  readonly #conversation: Conversation;
  readonly #cleanups: (() => void)[] = [];
  #greeted = false;
  #closed = false;
  #credentialEnded = false;
  #inFlight = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: ConnectionParts, channel: FrameChannel, who: Who, via: Via) {
    this.#parts = parts;
    this.#cleanups.push(parts.clients.hold(who));
    this.#channel = channel;
    this.#meter = meterOf(parts.core.quotas, who);
    const tooSlow = () => this.close(CLOSE_CODES.tooSlow, "Frames are not being read fast enough.");
    const outbox = new Outbox(channel, LIMITS.queuedBytesPerClient, tooSlow, this.#meter);
    this.#outbox = outbox;
    const { core, clock, clients, log } = parts;
    this.#conversation = new Conversation({ core, who, via, outbox }, (e) => toErrorBody(e, log));
    channel.onClose = () => this.#end();
    this.#cleanups.push(
      clock.timer(DEFAULTS.helloTimeoutMs, () => {
        if (!this.#greeted) this.close(CLOSE_CODES.noHello, "No hello came in time.");
      }),
    );
    const leave = clients.add({
      tokenId: who.tokenId,
      end: (why) => {
        this.#credentialEnded = why === "credential_ended";
        if (this.#credentialEnded) this.close(CLOSE_CODES.credentialEnded, "Sign in again.");
        else this.close(CLOSE_CODES.goingAway, "The server is stopping.");
      },
    });
    this.#cleanups.push(leave);
    channel.onFrame = (text) => this.#receive(text);
  }

  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#end();
    this.#channel.close(code, reason);
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#outbox.close();
    this.#conversation.end();
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }

  #receive(text: string): void {
    if (this.#closed) return;
    const limit = this.#greeted ? LIMITS.messageBytes : LIMITS.helloBytes;
    const bytes = Buffer.byteLength(text);
    if (bytes > limit) {
      return this.close(CLOSE_CODES.tooLarge, `A frame may have ${limit} bytes here.`);
    }
    let frame: RawFrame | undefined;
    try {
      this.#meter.received(bytes);
      frame = readFrame(text);
      const work = this.#greeted ? this.#conversation.handle(frame) : this.#greet(frame);
      if (work) this.#do(work, frame);
    } catch (error) {
      this.#conversation.refuse(frame ?? glimpseFrame(text), error);
    }
  }

  #greet(frame: RawFrame): Work | undefined {
    if (frame.type !== "hello") {
      throw new ProtocolError("invalid_request", "Send a hello frame first.");
    }
    const version = frame.value["protocolVersion"];
    if (version !== undefined && version !== PROTOCOL_VERSION) {
      this.close(CLOSE_CODES.noHello, `This server speaks protocol version ${PROTOCOL_VERSION}.`);
      return undefined;
    }
    const hello = parseBody(HelloFrame, frame.value);
    this.#greeted = true;
    this.#outbox.send({
      type: "welcome",
      ref: frame.ref,
      protocolVersion: PROTOCOL_VERSION,
      connectionId: this.#parts.ids.next(),
      serverVersion: this.#parts.version,
      serverTime: new Date(this.#parts.clock.now()).toISOString(),
    });
    return this.#conversation.greet(hello);
  }

  #do(work: Work, frame: RawFrame): void {
    if (this.#inFlight >= LIMITS.framesInFlightPerClient) {
      throw new ProtocolError("too_many", "Wait for replies before sending more frames.");
    }
    this.#inFlight++;
    // What arrived before a close is still done, unless the credential no longer allows it.
    const run = async () => {
      try {
        if (!this.#credentialEnded) await work.run();
      } catch (error) {
        this.#conversation.refuse(frame, error);
      } finally {
        this.#inFlight--;
      }
    };
    if (work.order === "beside") void run();
    else this.#queue = this.#queue.then(run);
  }
}
