import type { Departure } from "./run/departure.ts";
import type {
  CallOrigin,
  CreateSessionBody,
  Delivery,
  GrantRecord,
  InteractionRecord,
  NodeRecord,
  PatchSessionBody,
  PromptRequest,
  ResponseBody,
  SessionRecord,
} from "../protocol/index.ts";
import type { AgentRegistry } from "./turn/agent.ts";
import type {
  AskingPrograms,
  Bus,
  CallScope,
  Clock,
  Ids,
  LendAccess,
  Log,
  Scope,
  Sealing,
  Store,
  Via,
  Who,
} from "./ports.ts";
import type { WaitingDefaults } from "./prompt/waiting-defaults.ts";
import type { QuotaTable, Quotas } from "./live/quotas.ts";
import type { CallEnd, ToolRegistry } from "./call/tool.ts";

/** What the engine is put together from. Each part of it takes those that it uses. */
export interface CorePorts {
  store: Store;
  bus: Bus;
  clock: Clock;
  ids: Ids;
  scope: Scope<CallScope>;
  agents: AgentRegistry;
  tools: ToolRegistry;
  log: Log;
  /** Without it, a secret that is answered at another node is asked for again. */
  sealing?: Sealing;
  /** Without it, what agents start cannot ask. */
  access?: LendAccess;
  /** Without it, people are asked about every command that asks. */
  asking?: AskingPrograms;
}

interface NodeFacts {
  /** What people call it. */
  name: string;
  /** Where the folders are that it can reach. */
  host: string;
  /** Of the program. */
  version: string;
}

export interface CoreOptions {
  /** Names this process among those that share the store. */
  owner: string;
  /** What others are told of this process. */
  node?: NodeFacts;
  defaultAgent?: string;
  /** How prompts wait that do not say it themselves. */
  defaults?: WaitingDefaults;
  /** Other processes use the same store: then nothing is taken for known because it was told here. */
  shared?: boolean;
  /** Forgets a waiting run at every prompt, so that every answer goes through replay. For tests. */
  alwaysOrphan?: boolean;
  /** Gives each change of a run a commit of its own, so that a test can cut between any two. For tests. */
  commitsSingly?: boolean;
  /** Of how many runs that wait for people the closures are held. For tests. */
  mostResting?: number;
  /** What each caller may use. For tests. @default QUOTAS */
  quotaTable?: QuotaTable;
}

/** One event on its way to one client; `json` is made once for all of them. */
export interface OutgoingEvent {
  sessionId: string;
  /** Absent for transient events. */
  seq?: number;
  json: string;
}

/** Where a subscription's events go. */
export interface LogSink {
  /** `live` events count toward the client's queue limit; replayed ones are paced by `drained`. */
  send(event: OutgoingEvent, live: boolean): void;
  /** Resolves when what was sent so far has left; rejects or never settles when the client is gone. */
  drained(): Promise<void>;
  /** Its client hears `sessionUpdated` too, which says what a `session_status` says. */
  hearsSessions?: boolean;
}

export interface Subscription {
  close(): void;
}

/** Hears of changes in every session that `who` may read. */
export interface Watcher {
  who: Who;
  sessionUpdated?(session: SessionRecord): void;
  sessionDeleted?(sessionId: string): void;
  interactionUpdated?(interaction: InteractionRecord): void;
}

/** What a program says of itself. Only a hint: nothing in it is an error. */
export interface CallerHint {
  /** The call that runs it, as its environment has it. */
  toolCallId?: string;
  /** Its command line. */
  command?: string;
}

/**
 * A use of a tool about which an agent asks in more than one way at once: by the second way it is
 * given the prompt of the first, whatever it says itself.
 */
export interface AskedUse {
  name: string;
  way: string;
}

/** One client that could answer. Its person counts as there while it is enabled, and 60 s after. */
export interface PresenceHandle {
  set(mode: { supported: boolean; enabled: boolean }): void;
  /** Resolves when what was set last is stored, so that it also holds after a restart. */
  stored(): Promise<void>;
  close(): void;
}

export interface SentMessage {
  messageId: string;
  /** A place in the log that the message comes after. */
  after: number;
  /** It was accepted before. */
  isRepeat?: boolean;
  /** It has joined this turn, which was running; else it starts one of its own. */
  joinedTurnId?: string;
}

interface LogPage {
  /** Each as JSON text. */
  events: string[];
  lastSeq: number;
  logId: string;
}

/**
 * Everything that an entrance may ask of the engine. Each method checks that `who` may see what it
 * names (404 otherwise) and throws a `ProtocolError` for everything a client did wrong. That only
 * people decide is checked by the entrance, before it reads the body, and again here.
 */
export interface Core {
  readonly agents: AgentRegistry;
  readonly tools: ToolRegistry;
  /** What each caller may use; entrances count there what never reaches the engine. */
  readonly quotas: Quotas;

  createSession(who: Who, body: CreateSessionBody): Promise<SessionRecord>;
  session(who: Who, sessionId: string): Promise<{ session: SessionRecord; logId: string }>;
  sessions(
    who: Who,
    query: { cursor?: string; limit: number },
  ): Promise<{ sessions: SessionRecord[]; next?: string }>;
  patchSession(who: Who, sessionId: string, body: PatchSessionBody): Promise<SessionRecord>;
  deleteSession(who: Who, sessionId: string): Promise<void>;
  /** At most `limit` events, and fewer where they would pass a page's bytes; one at least. */
  events(
    who: Who,
    query: { sessionId: string; after?: number; before?: number; limit: number },
    gone?: Departure,
  ): Promise<LogPage>;

  sendMessage(
    who: Who,
    sessionId: string,
    message: { text: string; messageId?: string; delivery?: Delivery },
  ): Promise<SentMessage>;
  cancel(who: Who, sessionId: string, turnId?: string): Promise<{ stopped: boolean }>;

  respond(
    who: Who,
    response: {
      interactionId: string;
      /** Where the entrance names them, they must be the interaction's own. */
      sessionId?: string;
      toolCallId?: string;
      via: Via;
      clientId?: string;
      /** A client whose interactive mode is off may look and not answer. */
      disabled?: boolean;
      body: ResponseBody;
    },
  ): Promise<InteractionRecord>;
  /** The same for who knows the call and not its prompt: 404 if it never had one of that kind. */
  respondToCall(
    who: Who,
    response: {
      sessionId: string;
      toolCallId: string;
      kind: "approval" | "questions";
      via: Via;
      clientId?: string;
      body: ResponseBody;
    },
  ): Promise<InteractionRecord>;
  /**
   * Asks from outside: stores the prompt and resolves. The answer waits in the record and starts no
   * turn. The same `requestId` by the same credential: the same prompt.
   */
  ask(
    who: Who,
    question: {
      sessionId?: string;
      requestId?: string;
      /** The use of a tool that it is about, if an agent asks about that in more than one way. */
      use?: AskedUse;
      /**
       * The same `requestId` asks anew once its answer was heard (`markHeard`), or is two hours old,
       * and where it ended without one.
       */
      untilHeard?: boolean;
      /** Without a session: which of the asker's own, made at its first use. */
      place?: { key: string; title: string; cwd?: string };
      /** @default 'ask' */
      toolName?: string;
      toolCallId?: string;
      /**
       * What the asker says of itself, be it nothing: its prompt belongs to the call that runs it,
       * if one does. Without it no call is looked for.
       */
      caller?: CallerHint;
      /** What is to be approved. */
      toolInput?: unknown;
      origin: CallOrigin;
      /** Without a timeout it waits for ever, and for people too who are not there yet. */
      prompt: PromptRequest;
    },
  ): Promise<{ interaction: InteractionRecord; isNew: boolean }>;
  /**
   * Asks and waits for the end; who hangs up and is not back in a minute withdraws it. With `waitMs`
   * it resolves after that long at the latest, and the prompt outlives its asker's server.
   */
  askAndWait(
    who: Who,
    question: Parameters<Core["ask"]>[1],
    gone: Departure,
    waitMs?: number,
  ): Promise<InteractionRecord>;
  /**
   * Who has asked under this id says that it was decided in the agent's own terminal, and what came
   * of it; false where no such prompt is open.
   */
  decidedElsewhere(who: Who, requestId: string, end: CallEnd): Promise<boolean>;
  /** The answer has reached whoever asked with `untilHeard`. */
  markHeard(who: Who, interactionId: string): Promise<void>;
  /** What the agent keeps of the session that the credential is bound to; null for any other. */
  keptState(who: Who): Promise<unknown>;
  /** The session of who names none: the one it is bound to, else its own, made at its first use. */
  ownSession(who: Who): Promise<string>;
  /** Withdraws an open prompt: whoever asked it, or a person. */
  cancelInteraction(who: Who, interactionId: string): Promise<InteractionRecord>;
  /** With `waitMs`, resolves when it is no longer open, the time is over or the caller is gone. */
  interaction(
    who: Who,
    interactionId: string,
    wait?: { waitMs: number; gone?: Departure },
  ): Promise<InteractionRecord>;
  /** What is open; or, open or not, what has an id that begins so. */
  interactions(
    who: Who,
    query: { sessionId?: string; begins?: string; cursor?: string; limit: number },
  ): Promise<{ interactions: InteractionRecord[]; next?: string }>;

  grants(
    who: Who,
    query: { cursor?: string; limit: number },
  ): Promise<{ grants: GrantRecord[]; next?: string }>;
  revokeGrant(who: Who, grantId: string): Promise<void>;

  /**
   * Runs a tool outside a turn and resolves with its end. The same id again: the same call. With
   * the id of a running call of another tool, it works in that call's place.
   */
  callTool(
    who: Who,
    call: {
      sessionId: string;
      toolName: string;
      input: unknown;
      toolCallId?: string;
      /** What the caller says of itself: it works in the place of the call that runs it, if one does. */
      caller?: CallerHint;
      /**
       * The names of the plugin and of its operation, by which the call that runs the caller is
       * found. Without them none is looked for.
       */
      names?: string[];
      /**
       * The runtime of the session's turn makes it: it is a call of that turn, by the runtime's id if
       * that is known. Where no turn runs here it is one of its own.
       */
      ofTurn?: { nativeId?: string };
      origin: CallOrigin;
      /** When the caller hangs up; one that is not back in 60 s withdraws its prompt. */
      gone?: Departure;
    },
  ): Promise<CallEnd>;

  /** The end of a call that the same credential made outside a turn; undefined while it runs. */
  callEnd(
    who: Who,
    call: { sessionId: string; toolCallId: string },
    wait: { waitMs: number; gone?: Departure },
  ): Promise<CallEnd | undefined>;

  /**
   * Sends what the client is missing, then what happens. `after: n`: from there; `tail: n`: the
   * last n. Throws `resync` for a cursor ahead of the log. `started` is called with what the log
   * holds before the first event is sent.
   */
  subscribe(
    who: Who,
    query: { sessionId: string; after?: number; tail?: number },
    sink: LogSink,
    started: (at: { session: SessionRecord; lastSeq: number; logId: string }) => void,
  ): Promise<Subscription>;
  watch(watcher: Watcher): Subscription;
  attend(who: Who, mode: { supported: boolean; enabled: boolean }): PresenceHandle;

  /** Takes over what a stopped process left, and begins to keep deadlines. */
  start(): Promise<void>;
  /** Stops taking work and lets running hooks finish, for 4 s or `drainMs`; prompts stay open. */
  stop(options?: { drainMs?: number }): Promise<void>;
  /** The servers that share the store, the oldest first; those that died too, for a day. */
  nodes(): Promise<NodeRecord[]>;
  /** Whether the store could be read and written when that was last tried. Costs nothing. */
  isHealthy(): boolean;
  /** Tries it now, with a write; rejects with the reason when it cannot. */
  checkHealth(): Promise<void>;
}
