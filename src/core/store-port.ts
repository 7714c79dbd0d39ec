import type { ChatEvent, EventPayload, EventType } from "../protocol/index.ts";
import type {
  PrincipalRow,
  TokenRow,
  SessionRow,
  RunRow,
  CallRow,
  JournalRow,
  InteractionRow,
  ResponseRow,
  GrantRow,
  NodeRow,
  PresenceRow,
  Tables,
  Table,
  RowId,
  Via,
} from "./rows.ts";

/**
 * One guarded write. `ifVersion: 0` means that the row must not exist and is inserted; any other
 * version must be the row's, and `set` changes the named columns. Either way the version grows by
 * one. Parts of the id need not stand in `set`. A commit may write a row again that it has written:
 * then `ifVersion` is the version that the write before leaves.
 */
export type Write = {
  [T in Table]: { table: T; id: RowId; ifVersion: number; set: Partial<Tables[T]> };
}[Table];

/** How a decision was made: kept with its event, and sent to nobody. */
export interface DecisionAudit {
  principalId: string;
  tokenId: string;
  via: Via;
  clientId?: string;
  /** Of the canonical JSON of the request, as it was stored and shown. */
  shownDigest: string;
  /** Of canonical (tool, input), where running it was the question. */
  actionDigest?: string;
  /** Of the input that the person put in place of the shown one. */
  editedDigest?: string;
}

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
    /** Who caused it. */
    actorId?: string;
    audit?: DecisionAudit;
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
  /** Refused if it adds to one of these and there would be more than `most`. */
  limits?: Limit[];
  /** Refused if one of these is not so before its writes: what was not read first, but taken for granted. */
  absent?: Absence[];
  /**
   * Called, at most once, when it is known what the commit comes to, before that is on disk: with
   * what is committed until the caller has nothing more to do, it may share one sync of the disk.
   * A store need not call it.
   */
  decided?(result: CommitResult): void;
}

/**
 * How many open (or expiring) prompts or queued turns there may be. Of one session the count is exact.
 * Over all sessions, or those of one machine's budget (`null`: of any machine's), commits at the
 * same instant in other sessions need not be counted, so that they do not wait for each other.
 */
export type Limit =
  | { of: "openPrompts"; most: number; sessionId?: string; budgetId?: string | null }
  | { of: "queuedTurns"; most: number; sessionId: string };

/** That no turn is queued in a session; or that there is nothing that `Store.orphans` would find. */
export type Absence = { of: "queuedTurns"; sessionId: string } | ({ of: "orphans" } & OrphanQuery);

export interface OrphanQuery {
  sessionId: string;
  tool: string;
  inputDigest: string;
  requestDigest: string;
}

export type CommitResult =
  | { ok: true; lastSeq: number }
  | { ok: false; reason: "full"; limit: Limit }
  | { ok: false; reason: "present"; absence: Absence }
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

export interface PageQuery {
  cursor?: string;
  limit: number;
  /** The page ends before its rows have more bytes as they are stored, but holds one at least. */
  maxBytes?: number;
}

export interface Page<Row> {
  rows: Row[];
  /** Give it as `cursor` to read on; absent at the end. */
  next?: string;
}

export interface LogQuery {
  sessionId: string;
  after?: number;
  before?: number;
  limit: number;
  /** The page ends before it has more bytes, but holds one event at least. */
  maxBytes?: number;
}

export interface EventText {
  seq: number;
  json: string;
  /** Of `json` in UTF-8, roughly. */
  bytes: number;
}

/** What a process can execute. Runs that need something else are left to others first. */
export interface Ability {
  /** Of a session whose folder is on another host it can run nothing. */
  host: string;
  /** Agents whose turns it can run. */
  agents: string[];
  /**
   * Name and version of each tool whose calls it can go on with. A running call with
   * `durable: 'replay'` needs its own, in a run that is no plain ask (`state.ask`).
   */
  tools: [name: string, version: string | null][];
  /** For how long nobody else must have wanted it before it is taken all the same. */
  patienceMs: number;
}

/** A run that somebody executes, as of which epoch. */
export type HeldRun = Pick<RunRow, "id" | "epoch">;

/** What was committed since another look. */
export interface Changes {
  /** Deleted ones too; those too whose log has grown. */
  sessions: SessionRow[];
  runs: RunRow[];
  interactions: InteractionRow[];
  /** Where the next look goes on. */
  cursor: string;
  /** There is more: look again at once. */
  more: boolean;
  /** Some of it is not known any more: look at everything. */
  isLost: boolean;
}

export interface Credential {
  token: TokenRow;
  principal: PrincipalRow;
}

/**
 * Where everything lives. It knows no rule of the domain: it checks versions and epochs, and what
 * it is told happens whole or not at all. What depends on time is decided by the store's own clock.
 *
 * Reads that begin in the same turn of the loop may share one round trip.
 */
export interface Store {
  /** The store's time, as exactly as it is known here: every process that shares the store has the same. */
  readonly clock: { now(): number };
  /** The only way to write. Resolves when it is on disk. A lost race is a value, not an error. */
  commit(commit: Commit): Promise<CommitResult>;
  /**
   * Takes over live and suspended runs whose lease has lapsed: epoch and attempt grow by one, the owner is set.
   * Never gives the same run to two callers. With `ability`, a run that needs something else is left
   * to others until its lease has lapsed for `patienceMs`.
   */
  claim(by: {
    owner: string;
    leaseMs: number;
    limit: number;
    ability?: Ability;
  }): Promise<RunRow[]>;
  /**
   * Extends the leases that runs of `owner` have, and keeps the node of this id alive. With `held`,
   * only of those: a run that was claimed for the owner without its hearing of it is to lapse.
   */
  renew(owner: string, leaseMs: number, held?: readonly HeldRun[]): Promise<void>;
  /** Open interactions whose deadline has passed, earliest deadline first. */
  due(limit: number): Promise<InteractionRow[]>;
  /** In how many milliseconds the earliest deadline of an open interaction passes; 0: it has. */
  nextDeadline(): Promise<number | null>;
  /**
   * Sessions with a queued turn and none started. With `ability`, those that need another agent or
   * host are left to others until `patienceMs` after the session was last updated.
   */
  startable(limit: number, ability?: Ability): Promise<string[]>;
  /**
   * What was committed after the look that gave `after`: all of it, some of it perhaps twice, each
   * row as it is now. Its cost grows with what changed. Without `after`: nothing, and the cursor.
   */
  changes(after?: string): Promise<Changes>;

  /**
   * Writes down a node, seen now. Forgets those that have not been seen for `forgetMs`, and who was
   * there with them.
   */
  join(node: Omit<NodeRow, "startedAt" | "seenAt">, forgetMs: number): Promise<void>;
  /** Forgets a node, but not who was there with it: the leases of its runs have lapsed now. */
  leave(nodeId: string): Promise<void>;
  /** Oldest first. */
  nodes(): Promise<NodeRow[]>;
  node(id: string): Promise<NodeRow | null>;
  /** Who is or was there, with when the node was seen last: null when it is not known any more. */
  presence(): Promise<(PresenceRow & { nodeSeenAt: number | null })[]>;

  /** Deleted sessions are given too; core decides who may know. */
  session(id: string): Promise<SessionRow | null>;
  summary(id: string): Promise<SessionSummary | null>;
  /** Not deleted, most recently updated first; `readableBy` limits to one machine's. */
  sessions(
    query: PageQuery & { readableBy?: { ownerId: string; sessionId: string | null } },
  ): Promise<Page<SessionSummary>>;
  /** `after`: ascending from there. `before`: the `limit` events before it, ascending. */
  events(query: LogQuery): Promise<ChatEvent[]>;
  /** The same events as the JSON text that clients get, made without parsing what is stored. */
  eventTexts(query: LogQuery): Promise<EventText[]>;
  run(id: string): Promise<RunRow | null>;
  /** Queued turns of a session, oldest message first. */
  queuedRuns(sessionId: string): Promise<RunRow[]>;
  /** Live and suspended runs of a session. */
  activeRuns(sessionId: string): Promise<RunRow[]>;
  /** Live and suspended runs of calls outside a turn, by id, from after the given one on. */
  activeCallRuns(query: { after?: string; limit: number }): Promise<RunRow[]>;
  call(sessionId: string, id: string): Promise<CallRow | null>;
  /** Calls of a run, oldest first. */
  calls(runId: string): Promise<CallRow[]>;
  journal(scopeId: string): Promise<JournalRow[]>;
  journalEntry(scopeId: string, key: string): Promise<JournalRow | null>;
  interaction(id: string): Promise<InteractionRow | null>;
  /** Of one call, oldest first, in any state. */
  interactionsOfCall(sessionId: string, callId: string): Promise<InteractionRow[]>;
  /**
   * Prompts of calls with this tool, input and question that nobody has adopted: orphaned ones that
   * are open, or answered and not heard by any hook; and queued approvals. Oldest first.
   */
  orphans(query: OrphanQuery): Promise<InteractionRow[]>;
  /** Open or expiring, of sessions that are not deleted, oldest first. */
  openInteractions(
    query: PageQuery & {
      sessionId?: string;
      readableBy?: { ownerId: string; sessionId: string | null };
    },
  ): Promise<Page<InteractionRow>>;
  /** Those whose ids begin so, in any state, of sessions that are not deleted, ordered by their ids. */
  interactionsBeginning(
    query: PageQuery & {
      begins: string;
      readableBy?: { ownerId: string; sessionId: string | null };
    },
  ): Promise<Page<InteractionRow>>;
  /** How many are open or expiring, in one session or in all; its cost does not grow with them. */
  openCount(sessionId?: string): Promise<number>;
  /** The same in all sessions of one machine's budget, or of every machine's. */
  budgetOpenCount(budgetId?: string): Promise<number>;
  /** How many sessions of a machine's budget are not deleted and were made at `since` or later. */
  budgetSessionCount(budgetId: string, since: number): Promise<number>;
  response(interactionId: string, id: string): Promise<ResponseRow | null>;
  /** Usable for this tool: neither revoked, expired nor used up. With `key`: only those. */
  grants(query: { tool: string; key?: string; sessionId?: string }): Promise<GrantRow[]>;
  /** All usable ones, oldest first. */
  grantPage(query: PageQuery): Promise<Page<GrantRow>>;
  grant(id: string): Promise<GrantRow | null>;
  /** The token with this hash and its holder, whether or not it is still good. */
  credential(hash: string): Promise<Credential | null>;
  credentialById(tokenId: string): Promise<Credential | null>;
  tokens(): Promise<Credential[]>;
  people(): Promise<PrincipalRow[]>;
  principal(id: string): Promise<PrincipalRow | null>;

  /** Resolves when the store can read and write; rejects with the reason when it cannot. */
  health(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Thrown by a store that cannot read or write now (disk full, locked, closed, not reached). Nothing
 * was stored, unless the connection broke before the answer to a commit came: see `inDoubt`.
 */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}
