/**
 * Every limit of the wire and the engine in one table, so that each has one name, and one row in
 * `test/limits` that tries it around its edge. Nothing changes them at run time; a test that needs
 * a lower one mocks this module.
 *
 * Bytes are those of UTF-8. Characters are code points, as zod and JSON Schema count them: an
 * emoji is one, where `length` says two. What is longer is refused, never cut.
 */
export const LIMITS = {
  /** Bytes of one HTTP body or WebSocket message. */
  messageBytes: 256 * 1024,
  /** Bytes of the first WebSocket message. */
  helloBytes: 16 * 1024,
  /** Levels of a body, a frame or a prompt, the outermost object being the first. */
  jsonDepth: 32,
  /** Keys in a body or frame, at all levels together. */
  jsonKeys: 2_000,
  /** Bytes of one text inside a body or frame, a key or a value, without its escapes. */
  jsonStringBytes: 64 * 1024,
  /**
   * Bytes of a prompt as its tool gives it, without `toolInput` and `changes`. What a person typed and a re-prompt
   * shows again comes on top.
   */
  requestBytes: 128 * 1024,
  /** Of a call's input, and of what is told of its changes of files. */
  toolInputBytes: 4 * 1024 * 1024,
  /** Above this an event holds only the size of a `toolInput` or of `changes`. */
  inlineToolInputBytes: 64 * 1024,
  fields: 50,
  questions: 20,
  questionOptionsMin: 2,
  questionOptionsMax: 4,
  /** Options of one field, and choices of one approval. */
  options: 100,
  promptCharacters: 20_000,
  headerCharacters: 12,
  patternCharacters: 1_000,
  /** Instructions that a pattern stands for: a repetition is as many copies, and classes weigh too. */
  patternSize: 4_000,
  /** The same, of all patterns of one form together. */
  patternSizePerForm: 20_000,
  /** Characters of an answer, each as often as the pattern of its field has instructions. */
  patternSteps: 4_000_000,
  /**
   * Steps in which a tool's arguments are checked by its schema, each part of them by each schema
   * that speaks of it being one.
   */
  schemaSteps: 100_000,
  reasonCharacters: 20_000,
  titleCharacters: 200,
  cwdCharacters: 4_096,
  /** Of an id that a client or an author makes: of messages, answers, calls, tools, fields. */
  idCharacters: 64,
  /** Of an id that may come from elsewhere, of a frame's `ref` and of a prompt's `key`. */
  referenceCharacters: 200,
  /** Of a text in an address, such as a cursor. */
  queryCharacters: 500,
  reprompts: 20,
  openPromptsPerSession: 20,
  openPromptsPerServer: 20_000,
  /** The last of a session's open prompts, which no machine may take whose session it is not. */
  openPromptsKeptForSession: 5,
  queuedMessagesPerSession: 20,
  /** Bytes of live frames waiting for one client; beyond it the client is closed. */
  queuedBytesPerClient: 1024 * 1024,
  /** Frames of one client whose work has not ended. */
  framesInFlightPerClient: 100,
  subscriptionsPerClient: 1_000,
  /** Subscriptions that a hello may name. */
  helloSubscriptions: 200,
  timeoutMinMs: 1_000,
  timeoutMaxMs: 365 * 24 * 60 * 60 * 1_000,
  eventsPageMax: 10_000,
  eventsPageDefault: 1_000,
  /** Bytes of the events of one page, roughly; a page holds one event at least. */
  eventsPageBytes: 4 * 1024 * 1024,
  listPageMax: 200,
  /** Bytes of the rows of one page of a list, as they are stored; a page holds one at least. */
  listPageBytes: 512 * 1024,
  /** Seconds that `GET /api/interactions/:id?wait=` may ask for. */
  waitMaxSeconds: 60,
} as const;
export type Limits = { readonly [Name in keyof typeof LIMITS]: number };

/**
 * What one caller may use, whatever entrance it takes, so that none can use up the server. `bound`:
 * a machine whose token is bound to a session, such as a command that an agent runs. `machines`: all
 * machines together; what is left beyond it is kept for people and their agents. What is counted a
 * minute may come all at once, and then at that pace.
 */
export const QUOTAS = {
  /** New sessions in 24 hours, those that a person deleted not counted. */
  sessionsPerDay: { person: Infinity, machine: 1_000, bound: 50, machines: Infinity },
  /** Open prompts in the sessions of a caller. People have all that a server has. */
  openPrompts: { person: Infinity, machine: 1_000, bound: 100, machines: 15_000 },
  /** Prompts, and calls of operations. */
  asksPerMinute: { person: 60_000, machine: 600, bound: 300, machines: 6_000 },
  messagesPerMinute: { person: 60_000, machine: 300, bound: 60, machines: 3_000 },
  /** HTTP requests and WebSocket frames. */
  requestsPerMinute: { person: 600_000, machine: 6_000, bound: 3_000, machines: 60_000 },
  /** Bytes of what a caller sends: bodies and frames. */
  bytesWrittenPerMinute: {
    person: 4 * 1024 ** 3,
    machine: 64 * 1024 ** 2,
    bound: 32 * 1024 ** 2,
    machines: 256 * 1024 ** 2,
  },
  /** Bytes of what a caller is sent: bodies, frames and streams. */
  bytesReadPerMinute: {
    person: 64 * 1024 ** 3,
    machine: 512 * 1024 ** 2,
    bound: 256 * 1024 ** 2,
    machines: 2 * 1024 ** 3,
  },
  /** WebSockets, event streams and requests that wait, at once. */
  sockets: { person: 4_000, machine: 400, bound: 50, machines: 1_000 },
} as const satisfies Record<string, Record<Caller | "machines", number>>;
export type Caller = "person" | "machine" | "bound";
export type Quota = keyof typeof QUOTAS;

/**
 * TCP connections of a server, so that nobody is locked out by those who only connect. A stranger is
 * a connection over which no good credential has come yet.
 */
export const CONNECTIONS = {
  /** At once; a further one is not accepted. */
  connections: 10_000,
  /** The last of them: for each new one that takes of these, the oldest that is idle is closed. */
  connectionsKept: 1_000,
  /** Strangers at once; for a further one the oldest is closed, one that is idle if there is any. */
  strangers: 1_000,
  /** The same, of one address. */
  strangersPerAddress: 500,
  /** Milliseconds in which a request's headers must be here, also of a connection that says nothing. */
  headersMs: 15_000,
  /** Milliseconds in which all of a request must be here. */
  requestMs: 60_000,
  /** Milliseconds that a connection stays open after an answer. */
  keepAliveMs: 30_000,
  /** Milliseconds between two looks at whose time is over. */
  checkMs: 5_000,
} as const;
export type ConnectionLimits = { readonly [Name in keyof typeof CONNECTIONS]: number };

export const DEFAULTS = {
  interactionTimeoutMs: 5 * 60 * 1_000,
  helloTimeoutMs: 10_000,
  /** How long a person who has just left still counts as there. */
  presenceGraceMs: 60_000,
  /** How long a caller who hung up may take to come back before its call is withdrawn. */
  callerGraceMs: 60_000,
  /** How long the answer of an orphaned prompt may be adopted by an identical call. */
  adoptionMs: 2 * 60 * 60 * 1_000,
  /** How long an answer may wait for an `onTimeout` hook to finish. */
  expiringHoldMs: 30_000,
} as const;
