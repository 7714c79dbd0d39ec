import type {
  Action,
  ApprovalScope,
  CallOrigin,
  ClosedReason,
  InteractionRequest,
  InteractionResponse,
  InteractionType,
  PermissionMode,
  PromptRequest,
  Sender,
  TurnTrigger,
  Usage,
} from "../protocol/index.ts";

// Times are milliseconds since 1970. Null means "not so"; a row never has undefined.

export interface PrincipalRow {
  id: string;
  kind: "person" | "machine";
  name: string;
  createdAt: number;
  version: number;
}

/** One of the processes that share a store; the store stamps its times. */
export interface NodeRow {
  /** The `owner` of the runs that it executes: each start of a server has another. */
  id: string;
  /** What people call it. */
  name: string;
  /** Where the folders are that it can reach. */
  host: string;
  /** Of the program. */
  version: string;
  /** What is sealed with it only this process can open. */
  publicKey: string;
  startedAt: number;
  /** When it renewed its leases last. */
  seenAt: number;
}

/** A person who could answer, as one node sees it. */
export interface PresenceRow {
  nodeId: string;
  principalId: string;
  /** PRESENT while a client of theirs is open, for as long as the node lives; 0: not any more. */
  until: number;
  version: number;
}

/** `until` of somebody whose client is open now. */
export const PRESENT = 8_640_000_000_000_000;

export interface TokenRow {
  id: string;
  hash: string;
  principalId: string;
  kind: "bearer" | "browser" | "signin";
  sessionId: string | null;
  /** The token that it was made with, whose end is its end too. */
  parentId: string | null;
  singleUse: boolean;
  createdAt: number;
  expiresAt: number | null;
  usedAt: number | null;
  revokedAt: number | null;
  version: number;
}

export interface SessionRow {
  id: string;
  logId: string;
  agent: string;
  title: string;
  cwd: string | null;
  /** Where `cwd` is; null: anywhere. */
  host: string | null;
  ownerId: string;
  /** The machine to whose budget it counts, with its open prompts; null: a person made it. */
  budgetId: string | null;
  settings: { permissionMode: PermissionMode; model?: string; systemPrompt?: string };
  /** Private to the agent runtime. */
  runtimeState: unknown;
  /** Counted by the store as it appends events; not guarded by `version`. */
  lastSeq: number;
  /** The turn that has been started and has not ended. */
  activeRunId: string | null;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
  version: number;
}

export interface RunRow {
  id: string;
  sessionId: string;
  kind: "turn" | "call";
  trigger: TurnTrigger | null;
  status: "queued" | "live" | "suspended" | "ended";
  owner: string | null;
  epoch: number;
  /** A suspended run has one only while something in it may be at work. */
  leaseUntil: number | null;
  /** How often it was entered since it last got somewhere. */
  attempt: number;
  /** How often it was entered since it last came to rest. */
  lives: number;
  /** The place of its message among those of the session. */
  position: number | null;
  state: TurnState | AskState | OperationState | null;
  createdAt: number;
  endedAt: number | null;
  version: number;
}

/** What a turn needs to be entered again. */
export interface TurnState {
  v: 1;
  text: string;
  messageId: string;
  /** Missing in a turn that version 0.1.0 stored. */
  sender?: Sender;
  /** It is for the turn that ran when it came, if that takes it. */
  steers?: boolean;
  /** The model response under which the turn's blocks and calls are grouped. */
  responseId: string;
  /** What its agent has told of so far. */
  model?: string;
  usage?: Usage;
}

/** What a program outside asked, so that its end can be told at any time. */
export interface AskState {
  v: 1;
  ask: PromptRequest;
  askedBy: string;
  /** Whether it is withdrawn when nobody waits for its answer any more. */
  held?: boolean;
  /** The running call that the prompt belongs to; else the run has one of its own. */
  anchor?: string;
  /** With an anchor: what is to be approved, which no call of its own holds. */
  toolInput?: unknown;
}

/** An operation that works in the place of a running call, and ends with it at the latest. */
export interface OperationState {
  v: 1;
  anchor: string;
}

export interface CallRow {
  sessionId: string;
  id: string;
  nativeId: string | null;
  runId: string;
  /** The call inside which it is made: by a sub-agent, or by a program that the call runs. */
  parentCallId: string | null;
  tool: string;
  toolVersion: string | null;
  origin: CallOrigin;
  callerId: string | null;
  turnId: string | null;
  responseId: string | null;
  durable: Durability;
  input: unknown;
  inputDigest: string;
  /** Random, and shown to nobody: what `ctx.uuid()` gives is made of it. Null before there were any. */
  seed: string | null;
  effectiveInput: unknown;
  authorizedBy: string | null;
  status: "running" | "ended";
  ok: boolean | null;
  result: { value: unknown } | null;
  error: { code: string; message: string } | null;
  createdAt: number;
  endedAt: number | null;
  version: number;
}

export type Durability = "replay" | "orphan";

export interface JournalRow {
  scopeId: string;
  key: string;
  kind: "step" | "prompt" | "grant" | "value";
  state: "done" | "failed";
  digest: string | null;
  value: unknown;
  version: number;
}

export type Outcome =
  | { kind: "complete"; value: unknown }
  | { kind: "reprompt" }
  | { kind: "pending"; result: unknown }
  | { kind: "error"; error: { code: string; message: string } };

export interface InteractionRow {
  id: string;
  sessionId: string;
  callId: string;
  runId: string;
  toolName: string;
  turnId: string | null;
  responseId: string | null;
  /** Which prompt of its call this is; attempts of one prompt share it. */
  key: string;
  attempt: number;
  previousId: string | null;
  type: InteractionType;
  /** `expiring`: its deadline has passed and the tool's `onTimeout` is deciding. */
  status: "open" | "expiring" | "answered" | ClosedReason;
  link: "live" | "queued" | "orphaned";
  /** The payload of its `interaction_request`. */
  request: InteractionRequest;
  requestDigest: string;
  actionDigest: string | null;
  /** Whether the tool gave an `onTimeout`. */
  hasTimeoutHook: boolean;
  createdAt: number;
  expiresAt: number | null;
  endedAt: number | null;
  decidedResponseId: string | null;
  /** The payload of its `interaction_response`. */
  response: InteractionResponse | null;
  outcome: Outcome | null;
  adoptedByCall: string | null;
  version: number;
}

export interface ResponseRow {
  interactionId: string;
  id: string;
  bodyDigest: string;
  principalId: string;
  tokenId: string;
  via: Via;
  action: Action;
  scope: ApprovalScope | null;
  optionId: string | null;
  input: unknown;
  /** Secret values for the process that executes the run, until its hook has heard of them. */
  sealed: string | null;
  editedDigest: string | null;
  reason: string | null;
  stop: boolean;
  verdict: "decided" | "vote" | "refused";
  late: boolean;
  createdAt: number;
  version: number;
}

export type Via = "websocket" | "http" | "direct";

export interface GrantRow {
  id: string;
  tool: string;
  key: string;
  scope: ApprovalScope;
  sessionId: string | null;
  grantedBy: string;
  interactionId: string | null;
  createdAt: number;
  expiresAt: number | null;
  maxUses: number | null;
  uses: number;
  revokedAt: number | null;
  /** The only record of who it was: no event tells of it. */
  revokedBy: string | null;
  version: number;
}

export interface Tables {
  principals: PrincipalRow;
  tokens: TokenRow;
  sessions: SessionRow;
  runs: RunRow;
  tool_calls: CallRow;
  journal: JournalRow;
  interactions: InteractionRow;
  responses: ResponseRow;
  grants: GrantRow;
  presence: PresenceRow;
}
export type Table = keyof Tables;

/**
 * How a row is named: its id, or where two parts name it, both in this order:
 * tool_calls (sessionId, id), journal (scopeId, key), responses (interactionId, id),
 * presence (nodeId, principalId).
 */
export type RowId = string | readonly [string, string];
