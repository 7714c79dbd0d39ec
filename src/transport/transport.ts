import type {
  AgentRecord,
  ChatEvent,
  CreateSessionBody,
  Delivery,
  FieldErrors,
  GrantRecord,
  InteractionRecord,
  InteractionResponse,
  PatchSessionBody,
  ApprovalScope,
  ResponseBody,
  SessionRecord,
  StreamEvent,
  TransientEvent,
} from "../protocol/index.ts";

/** How the line to the server stands. `signed_out`: the credential ended; trying again is no use. */
export interface Connection {
  state: "connecting" | "online" | "offline" | "signed_out";
  /** While offline: when the next try is made, in milliseconds since 1970. */
  retryAt?: number;
}

/**
 * What became of something that a person did. A refusal is a value: the card shows it, with what
 * was typed. A transport throws (`TransportError`) only when nobody answered at all.
 */
export type Reply =
  | { ok: true }
  | {
      ok: false;
      code: string;
      error: string;
      fieldErrors?: FieldErrors;
      /** With `already_answered`: what the winner chose. */
      response?: InteractionResponse;
      /** With `stale_interaction`: the id of the prompt to answer instead. */
      current?: string;
      /** With `interaction_closed`: why. */
      reason?: string;
    };

/** Which prompt a response is for. */
export interface PromptRef {
  sessionId: string;
  toolCallId: string;
  interactionId: string;
}

export interface LogListener {
  /**
   * Called before the first event, and again after the server had to start over (another log, or a
   * cursor that it does not know): then everything heard before is void, and `from` is where the
   * events begin again (0: the whole log; else older ones are read with `events({ before })`).
   */
  started(at: { session: SessionRecord; lastSeq: number; logId: string; from: number }): void;
  /** Stored events come once each, in order of `seq`; transient ones have none. */
  event(event: ChatEvent | TransientEvent): void;
  /** The log cannot be followed: there is no such session (any more), or it is not yours. */
  failed(error: { code: string; error: string }): void;
}

export interface InboxListener {
  /** All that is open, after each (re)connect; replaces what was known. */
  list(interactions: InteractionRecord[]): void;
  updated(interaction: InteractionRecord): void;
}

export interface SessionsListener {
  updated(session: SessionRecord): void;
  deleted(sessionId: string): void;
  /** Something may have been missed while the line was down: read the list again. */
  stale(): void;
}

/**
 * Everything that a client may do, whatever carries it: a WebSocket, HTTP with event streams, or an
 * object in the same process. Components never know which one is active.
 *
 * Contract: a subscription survives a lost line without a gap or a repeat. A response that got no
 * reply is sent again under the same `responseId` until one comes, so it counts once.
 */
export interface Transport {
  /** Names this client in what it answers (`responder.clientId`). */
  readonly clientId: string;
  connection(): Connection;
  onConnection(listener: (connection: Connection) => void): () => void;
  /** Tries at once to reach the server again, instead of when it would. */
  reconnect(): void;
  close(): void;
  /**
   * What time it is for the server, in milliseconds since 1970, as far as it has said. A transport
   * that cannot know leaves it out: then this machine's clock is believed.
   */
  serverNow?(): number;

  sessions(query?: { cursor?: string }): Promise<{ sessions: SessionRecord[]; next?: string }>;
  session(sessionId: string): Promise<SessionRecord>;
  createSession(body?: CreateSessionBody): Promise<SessionRecord>;
  updateSession(sessionId: string, body: PatchSessionBody): Promise<SessionRecord>;
  deleteSession(sessionId: string): Promise<void>;
  agents(): Promise<AgentRecord[]>;
  events(
    sessionId: string,
    query: { after?: number; before?: number; limit?: number },
  ): Promise<{ events: ChatEvent[]; lastSeq: number; logId: string }>;
  /** With its whole `toolInput`, also where the event held only its size. */
  interaction(interactionId: string): Promise<InteractionRecord>;
  grants(): Promise<GrantRecord[]>;
  revokeGrant(grantId: string): Promise<void>;

  subscribe(
    sessionId: string,
    cursor: { after?: number; tail?: number },
    listener: LogListener,
  ): () => void;
  watchInbox(listener: InboxListener): () => void;
  watchSessions(listener: SessionsListener): () => void;

  /** Sent again like a response, under one `messageId`. Rejects with what the server refuses. */
  sendMessage(
    sessionId: string,
    message: { text: string; messageId?: string; delivery?: Delivery },
  ): Promise<{ messageId: string }>;
  /**
   * Sends a message and gives the turn that answers it as stream events; resolves after `done`. For
   * simple clients: it is sent once, and a line that breaks ends it (the turn goes on). With the
   * same `messageId` it can be followed again from its start.
   */
  streamMessage(
    sessionId: string,
    message: { text: string; messageId?: string; delivery?: Delivery },
    onEvent: (event: StreamEvent) => void,
    options?: { signal?: AbortSignal },
  ): Promise<void>;
  cancel(sessionId: string, turnId?: string): Promise<{ stopped: boolean }>;
  /** Whether this client may answer, and so whether its person counts as there. On at first. */
  setInteractive(enabled: boolean): void;

  /**
   * Answers a prompt. Without a `responseId` one is made.
   *
   * Contract: resolves once, with what the server said; a lost line or a server that is away only
   * makes it take longer. Rejects with `closed` when the transport is closed first, and with
   * `unreachable` after five minutes in which nobody answered: then it may have counted or not, and
   * the same `responseId` can be given again.
   */
  respond(to: PromptRef, body: ResponseBody): Promise<Reply>;
  /** Answers the open questions of a call. `answers`: see the protocol. */
  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: Record<string, string>,
    options?: { responseId?: string },
  ): Promise<Reply>;
  approveTool(
    sessionId: string,
    toolCallId: string,
    options?: { scope?: ApprovalScope; updatedInput?: unknown; responseId?: string },
  ): Promise<Reply>;
  denyTool(
    sessionId: string,
    toolCallId: string,
    options?: { reason?: string; stop?: boolean; responseId?: string },
  ): Promise<Reply>;
}

/**
 * The server refused a request, or nobody answered it (`code: 'unreachable'`). `details` is all that
 * the server said: `fieldErrors` and the like.
 */
export class TransportError extends Error {
  readonly code: string;
  readonly status: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    options?: ErrorOptions & { status?: number; details?: Record<string, unknown> },
  ) {
    super(message, options);
    this.name = "TransportError";
    this.code = code;
    this.status = options?.status;
    this.details = options?.details ?? {};
  }
}
