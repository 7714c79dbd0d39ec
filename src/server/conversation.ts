import type { Core, PresenceHandle, Via, Who } from "../core/index.ts";
import {
  ClientFrame,
  type ErrorBody,
  type FrameRef,
  type HelloFrame,
  parseBody,
  ProtocolError,
} from "../protocol/index.ts";
import { isPerson, personRequired } from "./access.ts";
import { Inbox } from "./inbox.ts";
import type { Outbox } from "./outbox.ts";
import { type RawFrame, textOf } from "./read-frame.ts";
import { sharedText } from "./shared-text.ts";
import { Subscriptions } from "./subscriptions.ts";

type FrameOf<Type extends ClientFrame["type"]> = Extract<ClientFrame, { type: Type }>;

/** What is left to do for a frame: after the frames before it, or beside them. */
export interface Work {
  order: "queued" | "beside";
  run(): Promise<void>;
}

/** What one client and the core say to each other after the hello. */
export class Conversation {
  readonly #core: Core;
  readonly #who: Who;
  readonly #via: Via;
  readonly #outbox: Outbox;
  readonly #subscriptions: Subscriptions;
  readonly #inbox: Inbox;
  readonly #toBody: (error: unknown) => ErrorBody;
  #watch: { close(): void } | undefined;
  #clientId: string | undefined;
  #mode = { supported: false, enabled: false };
  #presence: PresenceHandle | undefined;

  constructor(
    parts: { core: Core; who: Who; via: Via; outbox: Outbox },
    toBody: (error: unknown) => ErrorBody,
  ) {
    this.#core = parts.core;
    this.#who = parts.who;
    this.#via = parts.via;
    this.#outbox = parts.outbox;
    this.#toBody = toBody;
    this.#inbox = new Inbox(parts.core, parts.who, parts.outbox);
    this.#subscriptions = new Subscriptions(
      parts.core,
      parts.who,
      parts.outbox,
      (error, sessionId) => this.refuse({ type: "subscribe", value: { sessionId } }, error),
    );
  }

  greet(hello: HelloFrame): Work {
    this.#clientId = hello.client?.id;
    // Who runs in our own process is there by being connected.
    const direct = this.#via === "direct" ? { supported: true, enabled: true } : undefined;
    const mode = hello.interaction ?? direct;
    if (mode) this.#setMode({ supported: mode.supported, enabled: mode.enabled });
    this.#watch = this.#core.watch({
      who: this.#who,
      sessionUpdated: (session) => {
        const toText = () => JSON.stringify({ type: "session_updated", session });
        this.#outbox.sendText(sharedText(session, toText), true);
      },
      sessionDeleted: (sessionId) => {
        this.#subscriptions.close(sessionId);
        this.#outbox.send({ type: "session_deleted", sessionId });
      },
    });
    const subscribeAll = async () => {
      for (const { sessionId, afterSeq } of hello.subscriptions ?? []) {
        try {
          await this.#subscriptions.open({ sessionId, after: afterSeq });
        } catch (error) {
          this.refuse({ type: "hello", ref: hello.ref, value: { sessionId } }, error);
        }
      }
    };
    return { order: "queued", run: subscribeAll };
  }

  handle(raw: RawFrame): Work | undefined {
    if (raw.type === "tool_interaction_response" && !isPerson(this.#who)) throw personRequired();
    const frame = parseBody(ClientFrame, raw.value);
    const { ref } = raw;
    switch (frame.type) {
      case "hello":
        throw new ProtocolError("invalid_request", "There was a hello already.");
      case "ping":
        this.#outbox.send({ type: "pong", ref });
        return undefined;
      case "set_interaction_mode":
        // At once, not in order with the rest: an answer that comes right after counts on it.
        this.#setMode({ supported: this.#mode.supported || frame.enabled, enabled: frame.enabled });
        return { order: "beside", run: () => this.#acknowledgeMode(ref) };
      case "subscribe":
        return { order: "queued", run: () => this.#subscribe(frame, ref) };
      case "unsubscribe":
        return { order: "queued", run: () => this.#unsubscribe(frame, ref) };
      case "user_message":
        return { order: "queued", run: () => this.#sendMessage(frame, ref) };
      case "cancel":
        return { order: "queued", run: () => this.#cancel(frame, ref) };
      case "tool_interaction_response":
        return { order: "beside", run: () => this.#answer(frame, ref) };
      default:
        return frame satisfies never;
    }
  }

  /** Tells the sender that its frame failed, in the form that replies to it have. */
  refuse(frame: RawFrame | undefined, error: unknown): void {
    const body = this.#toBody(error);
    const ref = frame?.ref;
    const sessionId = frame && textOf(frame, "sessionId");
    const interactionId = frame && textOf(frame, "interactionId");
    if (frame?.type === "tool_interaction_response" && interactionId !== undefined) {
      const responseId = textOf(frame, "responseId");
      const reply = { ref, interactionId, responseId, ok: false };
      this.#outbox.send({ type: "interaction_result", ...reply, ...body });
    } else {
      this.#outbox.send({ type: "error", ref, sessionId, interactionId, ...body });
    }
  }

  end(): void {
    this.#watch?.close();
    this.#subscriptions.end();
    this.#inbox.close();
    this.#presence?.close();
  }

  #setMode(mode: { supported: boolean; enabled: boolean }): void {
    this.#mode = mode;
    if (!isPerson(this.#who)) return;
    if (this.#presence) this.#presence.set(mode);
    else this.#presence = this.#core.attend(this.#who, mode);
  }

  async #acknowledgeMode(ref?: FrameRef): Promise<void> {
    await this.#presence?.stored();
    this.#outbox.send({ type: "ack", ref });
  }

  async #subscribe(frame: FrameOf<"subscribe">, ref?: FrameRef): Promise<void> {
    const { sessionId, afterSeq: after, tail, inbox } = frame;
    if (sessionId === undefined && !inbox) {
      throw new ProtocolError("invalid_request", "Name a sessionId, or ask for the inbox.");
    }
    if (after !== undefined && tail !== undefined) {
      throw new ProtocolError("invalid_request", "Give afterSeq or tail, not both.");
    }
    if (sessionId !== undefined) await this.#subscriptions.open({ sessionId, after, tail }, ref);
    if (inbox) await this.#inbox.open(ref);
  }

  async #unsubscribe(frame: FrameOf<"unsubscribe">, ref?: FrameRef): Promise<void> {
    if (frame.sessionId !== undefined) this.#subscriptions.close(frame.sessionId);
    if (frame.inbox) this.#inbox.close();
    this.#outbox.send({ type: "ack", ref });
  }

  async #sendMessage(frame: FrameOf<"user_message">, ref?: FrameRef): Promise<void> {
    const { sessionId, text, messageId, delivery } = frame;
    const sent = await this.#core.sendMessage(this.#who, sessionId, { text, messageId, delivery });
    this.#outbox.send({ type: "ack", ref, messageId: sent.messageId });
  }

  async #cancel(frame: FrameOf<"cancel">, ref?: FrameRef): Promise<void> {
    const { stopped } = await this.#core.cancel(this.#who, frame.sessionId, frame.turnId);
    this.#outbox.send({ type: "ack", ref, stopped });
  }

  async #answer(frame: FrameOf<"tool_interaction_response">, ref?: FrameRef): Promise<void> {
    const { type: _type, ref: _ref, sessionId, callId, interactionId, ...body } = frame;
    const { response } = await this.#core.respond(this.#who, {
      interactionId,
      sessionId,
      toolCallId: callId,
      via: this.#via,
      clientId: this.#clientId,
      disabled: !this.#mode.enabled,
      body,
    });
    const responseId = body.responseId ?? response?.answerId;
    const reply = { ref, interactionId, responseId, ok: true, response };
    this.#outbox.send({ type: "interaction_result", ...reply });
  }
}
