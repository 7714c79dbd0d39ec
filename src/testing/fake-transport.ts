import type {
  ChatEvent,
  InteractionRecord,
  SessionRecord,
  TransientEvent,
} from "../protocol/index.ts";
import type {
  Connection,
  InboxListener,
  LogListener,
  SessionsListener,
  Transport,
} from "../transport/index.ts";

type Methods = {
  [
    Name in keyof Transport as Transport[Name] extends (...args: never[]) => Promise<unknown>
      ? Name
      : never
  ]: Transport[Name];
};
type Method = keyof Methods;
type ReplyOf<Name extends Method> = Awaited<ReturnType<Methods[Name]>>;
type Scripted<Name extends Method> =
  | ReplyOf<Name>
  | Error
  | ((...args: Parameters<Methods[Name]>) => ReplyOf<Name> | Promise<ReplyOf<Name>>);

export interface FakeCall {
  method: string;
  args: unknown[];
}

/** A transport whose server is the test: it sees what is asked, and says what comes back, and when. */
export interface FakeTransport extends Transport {
  /** Everything that was asked, in order, subscriptions too. */
  readonly calls: readonly FakeCall[];
  argumentsOf(method: keyof Transport): unknown[][];
  /**
   * The next reply to a method; the last one given stays for all calls after it. An error rejects.
   * Without a script, what a person does is accepted and lists are empty; all else rejects.
   */
  script<Name extends Method>(method: Name, ...replies: Scripted<Name>[]): void;
  setConnection(connection: Connection): void;
  /** Begins the log of a session for those who follow it now. */
  start(sessionId: string, at?: Partial<Parameters<LogListener["started"]>[0]>): void;
  send(sessionId: string, ...events: (ChatEvent | TransientEvent)[]): void;
  fail(sessionId: string, error: { code: string; error: string }): void;
  list(...interactions: InteractionRecord[]): void;
  update(...interactions: InteractionRecord[]): void;
  sessionUpdated(session: SessionRecord): void;
  sessionDeleted(sessionId: string): void;
  sessionsStale(): void;
  /** How many subscriptions have not been ended. */
  readonly following: number;
}

const ACCEPTED = { ok: true } as const;

/** What a server would say to somebody who does not care. */
const DEFAULTS: Partial<{ [Name in Method]: Scripted<Name> }> = {
  respond: ACCEPTED,
  submitAnswers: ACCEPTED,
  approveTool: ACCEPTED,
  denyTool: ACCEPTED,
  streamMessage: () => undefined,
  sendMessage: (_sessionId, { messageId = "message" }) => ({ messageId }),
  cancel: { stopped: true },
  sessions: { sessions: [] },
  agents: [],
  grants: [],
};

/** A session as the server describes it. */
export function fakeSession(id: string, more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    title: id,
    agent: "demo",
    permissionMode: "default",
    status: "idle",
    pendingCount: 0,
    lastSeq: 0,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...more,
  };
}

export interface FakeTransportOptions {
  /** @default "this-client" */
  clientId?: string;
  /** The server's clock, where it is not this machine's. */
  serverNow?: () => number;
}

export function createFakeTransport(options: FakeTransportOptions = {}): FakeTransport {
  const { clientId = "this-client", serverNow = Date.now } = options;
  const calls: FakeCall[] = [];
  const scripts = new Map<string, unknown[]>();
  const logs = new Set<{ sessionId: string; listener: LogListener }>();
  const inboxes = new Set<InboxListener>();
  const lists = new Set<SessionsListener>();
  const lines = new Set<(connection: Connection) => void>();
  let line: Connection = { state: "online" };

  function follow<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  async function ask(method: Method, args: unknown[]): Promise<unknown> {
    calls.push({ method, args });
    const left = scripts.get(method) ?? [];
    const next = left.length > 1 ? left.shift() : (left[0] ?? DEFAULTS[method]);
    if (next === undefined) throw new Error(`This test has no reply to ${method}.`);
    if (next instanceof Error) throw next;
    return typeof next === "function" ? await next(...args) : next;
  }

  const method = <Name extends Method>(name: Name): Methods[Name] =>
    ((...args: unknown[]) => ask(name, args)) as Methods[Name];

  const listenersOf = (sessionId: string) =>
    [...logs].filter((one) => one.sessionId === sessionId).map((one) => one.listener);

  return {
    clientId,
    serverNow: () => serverNow(),
    calls,
    argumentsOf: (name) => calls.filter((call) => call.method === name).map((call) => call.args),
    script: (name, ...replies) => void scripts.set(name, replies),
    get following() {
      return logs.size + inboxes.size + lists.size + lines.size;
    },

    connection: () => line,
    onConnection: (listener) => follow(lines, listener),
    reconnect: () => void calls.push({ method: "reconnect", args: [] }),
    close: () => void calls.push({ method: "close", args: [] }),
    setInteractive: (enabled) => void calls.push({ method: "setInteractive", args: [enabled] }),
    setConnection(connection) {
      line = connection;
      for (const listener of lines) listener(connection);
    },

    subscribe(sessionId, cursor, listener) {
      calls.push({ method: "subscribe", args: [sessionId, cursor] });
      return follow(logs, { sessionId, listener });
    },
    watchInbox: (listener) => follow(inboxes, listener),
    watchSessions: (listener) => follow(lists, listener),
    start(sessionId, at) {
      const whole = { session: fakeSession(sessionId), lastSeq: 0, logId: "log", from: 0, ...at };
      for (const listener of listenersOf(sessionId)) listener.started(whole);
    },
    send(sessionId, ...events) {
      for (const listener of listenersOf(sessionId)) for (const one of events) listener.event(one);
    },
    fail(sessionId, error) {
      for (const listener of listenersOf(sessionId)) listener.failed(error);
    },
    list(...interactions) {
      for (const listener of inboxes) listener.list(interactions);
    },
    update(...interactions) {
      for (const listener of inboxes) for (const one of interactions) listener.updated(one);
    },
    sessionUpdated(session) {
      for (const listener of lists) listener.updated(session);
    },
    sessionDeleted(sessionId) {
      for (const listener of lists) listener.deleted(sessionId);
    },
    sessionsStale() {
      for (const listener of lists) listener.stale();
    },

    sessions: method("sessions"),
    session: method("session"),
    createSession: method("createSession"),
    updateSession: method("updateSession"),
    deleteSession: method("deleteSession"),
    agents: method("agents"),
    events: method("events"),
    interaction: method("interaction"),
    grants: method("grants"),
    revokeGrant: method("revokeGrant"),
    sendMessage: method("sendMessage"),
    streamMessage: method("streamMessage"),
    cancel: method("cancel"),
    respond: method("respond"),
    submitAnswers: method("submitAnswers"),
    approveTool: method("approveTool"),
    denyTool: method("denyTool"),
  };
}
