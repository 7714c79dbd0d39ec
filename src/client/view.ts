import type {
  Action,
  CallOrigin,
  ClosedReason,
  FileChange,
  InteractionRequest,
  InteractionResponse,
  Sender,
  SessionStatus,
  TurnStatus,
  TurnTrigger,
  Usage,
} from "../protocol/index.ts";

/*
 * What a screen shows of one session, made from its log alone. The same log gives the same view,
 * whether it was read in one piece or heard event by event (only a block that is still streaming
 * differs). Everything here is data; nothing in it is a component.
 */

export interface ChatView {
  sessionId: string;
  /** The last stored event that is in the view. */
  lastSeq: number;
  /** The first one: events before it have not been read yet. 0 for an empty log. */
  firstSeq: number;
  turns: TurnView[];
  /** By id. A call is shown by the one block that names it. */
  calls: ReadonlyMap<string, ToolCallView>;
  /** By id, those of every call. */
  interactions: ReadonlyMap<string, InteractionView>;
  /** Prompts that a call waits for, as `interaction_pending` says; in the order of asking. */
  pending: readonly string[];
  status: SessionStatus;
  /** Somebody is at work and nothing waits for people. */
  typing: boolean;
}

/**
 * One turn of the agent; or what belongs to none: a message that waits for its turn, and calls made
 * from outside, which get a turn of their own that is named after their first event.
 */
export interface TurnView {
  id: string;
  kind: "turn" | "outside";
  trigger?: TurnTrigger;
  /** Missing while it runs. */
  end?: TurnStatus;
  /** Once it has ended, where its agent tells: which model answered, and what it used. */
  model?: string;
  usage?: Usage;
  blocks: BlockView[];
}

export type BlockView =
  | {
      kind: "message";
      id: string;
      at: string;
      text: string;
      messageId: string;
      source: "user" | "late_answer";
      /** Missing in logs of version 0.1.0. */
      sender?: Sender;
      /** The prompt that a late answer answers. */
      interactionId?: string;
      /** Accepted, and its turn has not begun. */
      queued: boolean;
    }
  | { kind: "text"; id: string; at: string; text: string; streaming: boolean }
  | { kind: "thinking"; id: string; at: string; text: string }
  /** Calls next to each other. A call with a prompt stands alone in its own group. */
  | { kind: "tools"; id: string; callIds: string[] }
  /** A prompt that stands by itself: the questionnaire of a call, its latest attempt. */
  | { kind: "questionnaire"; id: string; callId: string; interactionId: string }
  | { kind: "error"; id: string; at: string; code: string; message: string };

export interface ToolCallView {
  id: string;
  name: string;
  /** What it was called with; once a person has edited and approved that, what they made of it. */
  input: unknown;
  edited?: true;
  /** What its runtime calls it. */
  title?: string;
  /** What it does to files, where its runtime tells and the event could hold it. */
  changes?: FileChange[];
  origin: CallOrigin;
  /** The call inside which a sub-agent made it. */
  parentCallId?: string;
  /** Waiting: a prompt of it is pending. */
  status: "running" | "waiting" | "ok" | "error";
  /** Text shown while it runs; not stored, so a replayed call has none. */
  output: string;
  result?: unknown;
  error?: { code: string; message: string };
  /** Why it was let through: `tool`, `interaction:ID` or `grant:ID`. */
  authorizedBy?: string;
  /** Its prompts, oldest first. The last one is the one to show; those before it were replaced. */
  interactionIds: string[];
  /** It has not been seen being called: only its prompt or its result. */
  placeholder: boolean;
  startedAt: string;
  endedAt?: string;
}

export interface InteractionView {
  id: string;
  callId: string;
  request: InteractionRequest;
  /** The attempt before it, which it took the place of. */
  replaces?: string;
  /** What was answered to that, which this one begins with. */
  previous?: Record<string, unknown>;
  /** `closed` tells why in `reason`; `replaced`: its call has a newer prompt. */
  state: "open" | "answered" | "closed" | "replaced";
  /** A call waits for it. */
  pending: boolean;
  /** Open, but the call that asked is over: the answer will arrive as a message. */
  late?: "queued" | "orphaned";
  response?: InteractionResponse;
  /**
   * It was answered, and the call failed then, or ran in spite of a no. A failure only of a prompt
   * that stands in place of its call.
   */
  failure?: { code: string; message: string };
  reason?: ClosedReason;
  /** What was decided in the agent's own terminal, if it was. */
  action?: Action;
  message?: string;
  askedAt: string;
  endedAt?: string;
}
