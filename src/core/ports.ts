/*
 * Terminology, used with these meanings in code, SQL, events, docs and UI:
 *
 *   session      one conversation with one agent, and its append-only log
 *   run          whatever executes in it: a turn of the agent, or one tool call outside a turn
 *   call         one use of a tool, known by (sessionId, toolCallId)
 *   interaction  what is shown to people while a call waits; a re-prompt is a new one of that call
 *   request      what an interaction asks; never changes once stored
 *   response     what a person did about it
 *   outcome      what the tool made of the response: complete, reprompt, pending
 *   late answer  a response to an interaction whose call no longer waits (queued or orphaned)
 *   grant        a remembered approval: once, session or always
 *   journal      what a call has already done, so that running it again repeats none of it
 *   epoch        how often a run has changed hands; a write with an old epoch is refused
 */
import type {
  Action,
  ApprovalScope,
  CallOrigin,
  ChatEvent,
  EventPayload,
  EventType,
  InteractionRequest,
  InteractionResponse,
  InteractionType,
  PermissionMode,
  Presentation,
  TransientEvent,
  TurnStatus,
  TurnTrigger,
} from "../protocol/index.ts";

// ── Rows ─────────────────────────────────────────────────────────────────────────────────────────
// Times are milliseconds since 1970. Null means "not so"; a row never has undefined.

export interface PrincipalRow {
  id: string;
  kind: "person" | "machine";
  name: string;
  role: string;
  /** Until when this person counts as there: null never, PRESENT while a client of theirs is open. */
  presentUntil: number | null;
  createdAt: number;
  version: number;
}

/** `presentUntil` of somebody whose client is open now. */
export const PRESENT = 8_640_000_000_000_000;

export interface TokenRow {
  id: string;
  hash: string;
  principalId: string;
  kind: "bearer" | "browser" | "signin";
  sessionId: string | null;
  scopes: string[] | null;
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
  host: string | null;
  ownerId: string;
  parentSessionId: string | null;
  parentCallId: string | null;
  settings: { permissionMode: PermissionMode; model?: string };
  /** Private to the agent runtime. */
  runtimeState: unknown;
  /** Counted by the store as it appends events; not guarded by `version`. */
  lastSeq: number;
  /** The position of the last message that a turn has taken. */
  takenPosition: number;
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
  endStatus: TurnStatus | null;
  host: string | null;
  owner: string | null;
  epoch: number;
  leaseUntil: number | null;
  /** How often it was entered since it last got somewhere. */
  attempt: number;
  /** Grows when something happened that the owner must look at; guards against falling asleep on it. */
  wakes: number;
  /** The place of its message among those of the session. */
  position: number | null;
  state: TurnState | null;
  createdAt: number;
  endedAt: number | null;
  version: number;
}

/** What a turn needs to be entered again. */
export interface TurnState {
  v: 1;
  text: string;
  messageId: string;
  /** The model response under which the turn's blocks and calls are grouped. */
  responseId: string;
}

export interface CallRow {
  sessionId: string;
  id: string;
  nativeId: string | null;
  runId: string;
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
  effectiveInput: unknown;
  authorizedBy: string | null;
  status: "running" | "ended";
  attempt: number;
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
  epoch: number;
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
  kind: string | null;
  presentation: Presentation;
  /** `expiring`: its deadline has passed and the tool's `onTimeout` is deciding. */
  status: "open" | "expiring" | "answered" | "timed_out" | "cancelled" | "failed" | "superseded";
  link: "live" | "queued" | "orphaned";
  /** The payload of its `interaction_request`. */
  request: InteractionRequest;
  requestDigest: string;
  actionDigest: string | null;
  editable: boolean;
  audience: string | null;
  required: number;
  origin: CallOrigin;
  nativeRequestId: string | null;
  requestKey: string | null;
  /** Whether the tool gave an `onTimeout`. */
  hasTimeoutHook: boolean;
  createdAt: number;
  expiresAt: number | null;
  endedAt: number | null;
  decidedResponseId: string | null;
  /** The payload of its `interaction_response`. */
  response: InteractionResponse | null;
  outcome: Outcome | null;
  followupSeq: number | null;
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
  effect: "allow";
  tool: string;
  key: string;
  inputDigest: string | null;
  scope: ApprovalScope;
  sessionId: string | null;
  grantedBy: string;
  interactionId: string | null;
  createdAt: number;
  expiresAt: number | null;
  maxUses: number | null;
  uses: number;
  claimedByCall: string | null;
  revokedAt: number | null;
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
}
export type Table = keyof Tables;

/**
 * How a row is named: its id, or where two parts name it, both in this order:
 * tool_calls (sessionId, id), journal (scopeId, key), responses (interactionId, id).
 */
export type RowId = string | readonly [string, string];

// ── Store ────────────────────────────────────────────────────────────────────────────────────────

/**
 * One guarded write. `ifVersion: 0` means that the row must not exist and is inserted; any other
 * version must be the row's, and `set` changes the named columns. Either way the version grows by
 * one. Parts of the id need not stand in `set`.
 */
export type Write = {
  [T in Table]: { table: T; id: RowId; ifVersion: number; set: Partial<Tables[T]> };
}[Table];

/** An event without what the store gives it: its `seq`. */
export type NewEvent = {
  [Type in EventType]: {
    id: string;
    type: Type;
    at: number;
    turnId?: string;
    responseId?: string;
    callId?: string;
    interactionId?: string;
    actorId?: string;
    payload: EventPayload<Type>;
  };
}[EventType];

/** A whole transaction as a value: all of it happens, or none. */
export interface Commit {
  /** The session whose log gets `events`. */
  sessionId?: string;
  /** Refused unless the run still has this epoch and has not ended. */
  fence?: { runId: string; epoch: number };
  writes: Write[];
  events: NewEvent[];
}

export type CommitResult =
  | { ok: true; lastSeq: number }
  | { ok: false; reason: "conflict"; table: Table; id: RowId; current: Tables[Table] | null }
  | { ok: false; reason: "fenced"; epoch: number };

/** A session with what its log does not count. */
export interface SessionSummary extends SessionRow {
  openPrompts: number;
  /** Open prompts whose call still waits. */
  livePrompts: number;
  /** Live or suspended runs, turns and calls. */
  activeRuns: number;
}

export interface Page<Row> {
  rows: Row[];
  /** Give it as `cursor` to read on; absent at the end. */
  next?: string;
}

export interface Credential {
  token: TokenRow;
  principal: PrincipalRow;
}

/**
 * Where everything lives. It knows no rule of the domain: it checks versions and epochs, and what
 * it is told happens whole or not at all. Time-dependent reads use the store's own clock.
 */
export interface Store {
  /** The only way to write. Resolves when it is on disk. A lost race is a value, not an error. */
  commit(commit: Commit): Promise<CommitResult>;
  /**
   * Takes over live runs whose lease has lapsed: epoch and attempt grow by one, the owner is set.
   * Never gives the same run to two callers.
   */
  claim(by: { owner: string; host: string; leaseMs: number; limit: number }): Promise<RunRow[]>;
  /** Extends the leases of all live runs of `owner`. */
  renew(owner: string, leaseMs: number): Promise<void>;
  /** Open interactions whose deadline has passed, earliest deadline first. */
  due(limit: number): Promise<InteractionRow[]>;
  /** The earliest deadline of an open interaction. */
  nextDeadline(): Promise<number | null>;
  /** Sessions with a queued turn and none started. */
  startable(limit: number): Promise<string[]>;

  /** Deleted sessions are given too; core decides who may know. */
  session(id: string): Promise<SessionRow | null>;
  summary(id: string): Promise<SessionSummary | null>;
  /** Not deleted, most recently updated first; `readableBy` limits to one machine's. */
  sessions(query: {
    cursor?: string;
    limit: number;
    readableBy?: { ownerId: string; sessionId: string | null };
  }): Promise<Page<SessionSummary>>;
  /** `after`: ascending from there. `before`: the `limit` events before it, ascending. */
  events(query: {
    sessionId: string;
    after?: number;
    before?: number;
    limit: number;
    maxBytes?: number;
  }): Promise<ChatEvent[]>;
  run(id: string): Promise<RunRow | null>;
  /** Queued turns of a session, oldest message first. */
  queuedRuns(sessionId: string): Promise<RunRow[]>;
  /** Live and suspended runs of a session. */
  activeRuns(sessionId: string): Promise<RunRow[]>;
  call(sessionId: string, id: string): Promise<CallRow | null>;
  /** Calls of a run, oldest first. */
  calls(runId: string): Promise<CallRow[]>;
  journal(scopeId: string): Promise<JournalRow[]>;
  journalEntry(scopeId: string, key: string): Promise<JournalRow | null>;
  interaction(id: string): Promise<InteractionRow | null>;
  /** Of one call, oldest first, in any state. */
  interactionsOfCall(sessionId: string, callId: string): Promise<InteractionRow[]>;
  /** Open or expiring, of sessions that are not deleted, oldest first. */
  openInteractions(query: {
    sessionId?: string;
    cursor?: string;
    limit: number;
    readableBy?: { ownerId: string; sessionId: string | null };
  }): Promise<Page<InteractionRow>>;
  /** How many are open or expiring, in one session or in all; its cost does not grow with them. */
  openCount(sessionId?: string): Promise<number>;
  response(interactionId: string, id: string): Promise<ResponseRow | null>;
  /** Usable: neither revoked, expired nor used up. With `tool` and `key`: only those. */
  grants(query: { tool?: string; key?: string; sessionId?: string }): Promise<GrantRow[]>;
  grant(id: string): Promise<GrantRow | null>;
  /** The token with this hash and its holder, whether or not it is still good. */
  credential(hash: string): Promise<Credential | null>;
  credentialById(tokenId: string): Promise<Credential | null>;
  tokens(): Promise<Credential[]>;
  principals(): Promise<PrincipalRow[]>;

  /** Resolves when the store can read and write; rejects with the reason when it cannot. */
  health(): Promise<void>;
  close(): Promise<void>;
}

/** Thrown by a store that cannot read or write now (disk full, locked, closed). Nothing was stored. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}

// ── The other ports ──────────────────────────────────────────────────────────────────────────────

/** Everything that may be lost. Nobody may depend on hearing one; each is a hint to look. */
export type BusMessage =
  | { type: "events"; sessionId: string; lastSeq: number; events?: ChatEvent[] }
  | { type: "transient"; sessionId: string; event: TransientEvent }
  | { type: "interaction"; row: InteractionRow }
  | { type: "session"; sessionId: string }
  | { type: "session_deleted"; sessionId: string; ownerId: string }
  | { type: "run"; runId: string }
  | { type: "credential"; tokenId: string };

export interface Bus {
  publish(message: BusMessage): void;
  subscribe(listener: (message: BusMessage) => void): () => void;
}

export interface Clock {
  now(): number;
  /** Calls back once after `ms`; the returned function takes it back. Does not keep a process alive. */
  timer(ms: number, callback: () => void): () => void;
}

export interface Ids {
  /** A random id of at least 128 bits, in the alphabet of a client's id. */
  next(): string;
  /** SHA-256 of a text, in hex. */
  digest(text: string): string;
}

/** Tells which piece of asynchronous work is asking: the handler of a call, or one of its hooks. */
export interface Scope<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  current(): Value | undefined;
}

export interface Log {
  info(details: Record<string, unknown>, message: string): void;
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}
