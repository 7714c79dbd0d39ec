import type {
  ChatEvent,
  EventPayload,
  EventType,
  InteractionRecord,
  InteractionRequest,
  InteractionResponse,
  TransientEvent,
} from "../../src/protocol/index.ts";

type Sent = ChatEvent | TransientEvent;
type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

const START = Date.UTC(2026, 0, 1);

/** Writes a log as the server would, event by event; its ids say what they are. */
export class LogWriter {
  readonly sessionId: string;
  /** Everything that a client hears, transient events too. */
  readonly sent: Sent[] = [];
  readonly requests: Map<string, InteractionRequest> = new Map();
  readonly #turnOfCall = new Map<string, string | undefined>();
  #seq = 0;
  #ids = 0;

  constructor(sessionId = "s") {
    this.sessionId = sessionId;
  }

  get log(): ChatEvent[] {
    return this.sent.filter((event): event is ChatEvent => "seq" in event);
  }

  id(kind: string): string {
    return `${kind}${++this.#ids}`;
  }

  add<Type extends EventType>(
    type: Type,
    payload: EventPayload<Type>,
    turnId?: string,
  ): Extract<ChatEvent, { type: Type }> {
    const seq = ++this.#seq;
    const event = {
      id: `e${seq}`,
      seq,
      sessionId: this.sessionId,
      timestamp: new Date(START + seq * 1_000).toISOString(),
      type,
      ...(turnId === undefined ? {} : { turnId }),
      payload,
    } as Extract<ChatEvent, { type: Type }>;
    this.sent.push(event);
    return event;
  }

  transient(event: DistributiveOmit<TransientEvent, "sessionId" | "timestamp">): void {
    const timestamp = new Date(START + this.#seq * 1_000).toISOString();
    this.sent.push({ sessionId: this.sessionId, timestamp, ...event });
  }

  message(more: Partial<EventPayload<"user_message">> = {}): string {
    const messageId = this.id("message");
    this.add("user_message", { text: "Hello", messageId, source: "user", ...more });
    return messageId;
  }

  start(messageId?: string): string {
    const turnId = this.id("turn");
    this.add("turn_start", { trigger: "user", ...(messageId ? { messageId } : {}) }, turnId);
    return turnId;
  }

  end(turnId: string, status: EventPayload<"turn_end">["status"] = "completed"): void {
    this.add("turn_end", { status }, turnId);
  }

  /** Without a turn: a call from outside. */
  call(turnId?: string, toolName = "bash"): string {
    const toolCallId = this.id("call");
    this.#turnOfCall.set(toolCallId, turnId);
    const origin = turnId === undefined ? "http" : "agent";
    this.add("tool_call", { toolCallId, toolName, input: { n: toolCallId }, origin }, turnId);
    return toolCallId;
  }

  result(toolCallId: string, end: Partial<EventPayload<"tool_result">> = {}): void {
    const payload = { toolCallId, toolName: "bash", ok: true, ...end };
    this.add("tool_result", payload, this.#turnOfCall.get(toolCallId));
  }

  fail(toolCallId: string, code = "tool_error"): void {
    this.result(toolCallId, { ok: false, error: { code, message: "It failed." } });
  }

  ask(toolCallId: string, more: Partial<InteractionRequest> = {}): string {
    const interactionId = this.id("prompt");
    const request: InteractionRequest = {
      toolCallId,
      interactionId,
      toolName: "bash",
      interactionType: "approval",
      presentation: "tool",
      attempt: 1,
      ...more,
    };
    this.requests.set(interactionId, request);
    this.pending(interactionId, true);
    this.add("interaction_request", request, this.#turnOfCall.get(toolCallId));
    return interactionId;
  }

  /** The next attempt of a prompt that was answered or timed out. */
  askAgain(interactionId: string, more: Partial<InteractionRequest> = {}): string {
    const { interactionId: _id, ...before } = this.#request(interactionId);
    return this.ask(before.toolCallId, { ...before, attempt: before.attempt + 1, ...more });
  }

  answer(interactionId: string, more: Partial<InteractionResponse> = {}): void {
    const { toolCallId } = this.#request(interactionId);
    this.add(
      "interaction_response",
      {
        toolCallId,
        interactionId,
        answerId: this.id("answer"),
        action: "approve",
        responder: { id: "owner", name: "Ada", clientId: "laptop" },
        ...more,
      },
      this.#turnOfCall.get(toolCallId),
    );
    if (!more.late) this.pending(interactionId, false);
  }

  close(interactionId: string, reason: EventPayload<"interaction_closed">["reason"]): void {
    const { toolCallId } = this.#request(interactionId);
    const payload = { toolCallId, interactionId, reason };
    this.add("interaction_closed", payload, this.#turnOfCall.get(toolCallId));
    this.pending(interactionId, false);
  }

  pending(
    interactionId: string,
    pending: boolean,
    late: { queued?: boolean; orphaned?: boolean } = {},
  ): void {
    const { toolCallId, toolName, presentation } = this.#request(interactionId);
    const payload = { toolCallId, toolName, interactionId, pending, ...late, presentation };
    this.add("interaction_pending", payload, this.#turnOfCall.get(toolCallId));
  }

  /** The prompt as the server lists it. */
  record(interactionId: string, more: Partial<InteractionRecord> = {}): InteractionRecord {
    const request = this.#request(interactionId);
    return {
      id: interactionId,
      sessionId: this.sessionId,
      toolCallId: request.toolCallId,
      toolName: request.toolName,
      status: "pending",
      waiting: "live",
      request,
      createdAt: new Date(START).toISOString(),
      ...more,
    };
  }

  #request(interactionId: string): InteractionRequest {
    const request = this.requests.get(interactionId);
    if (!request) throw new Error(`There is no prompt ${interactionId}.`);
    return request;
  }
}
