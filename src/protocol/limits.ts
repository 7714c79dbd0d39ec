/**
 * Every limit of the wire and the engine in one table, so that each has one name and one test.
 * Tests may lower them; nothing else changes them at run time.
 */
export const LIMITS = {
  /** Bytes of one HTTP body or WebSocket message. */
  messageBytes: 256 * 1024,
  /** Bytes of the first WebSocket message. */
  helloBytes: 16 * 1024,
  jsonDepth: 32,
  jsonKeys: 2_000,
  /** Bytes of one string inside a body or frame. */
  jsonStringBytes: 64 * 1024,
  /** Bytes of an interaction request without its `toolInput`. */
  requestBytes: 128 * 1024,
  toolInputBytes: 4 * 1024 * 1024,
  /** Above this a request's event holds only the size of its `toolInput`. */
  inlineToolInputBytes: 64 * 1024,
  fields: 50,
  questions: 20,
  options: 100,
  promptCharacters: 20_000,
  reprompts: 20,
  openPromptsPerSession: 20,
  openPromptsPerServer: 20_000,
  /** Bytes of live frames waiting for one client; beyond it the client is closed. */
  queuedBytesPerClient: 1024 * 1024,
  queuedMessagesPerSession: 20,
  timeoutMinMs: 1_000,
  timeoutMaxMs: 365 * 24 * 60 * 60 * 1_000,
  eventsPageMax: 10_000,
  eventsPageDefault: 1_000,
  /** Seconds that `GET /api/interactions/:id?wait=` may ask for. */
  waitMaxSeconds: 60,
  listPageMax: 200,
  titleCharacters: 200,
} as const;
export type Limits = { readonly [Name in keyof typeof LIMITS]: number };

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
