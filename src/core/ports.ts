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
 *   node         one process of those that share a store
 */
import type { ChatEvent, TransientEvent } from "../protocol/index.ts";
import type { InteractionRow, RunRow } from "./rows.ts";

export * from "./rows.ts";
export * from "./store-port.ts";

/** Who is asking, as a credential proved it. */
export interface Who {
  principalId: string;
  kind: "person" | "machine";
  name: string;
  tokenId: string;
  /** The session that a machine's token is bound to. */
  sessionId: string | null;
  /** The machine to whose budget it counts, where that is another. @default itself */
  budgetId?: string;
}

/**
 * Everything that may be lost. Nobody may depend on hearing one; each is a hint to look. To other
 * processes a bus may leave out `events`, `row` and `run`, and whole transient messages.
 */
export type BusMessage =
  | { type: "events"; sessionId: string; lastSeq: number; events?: ChatEvent[] }
  | { type: "transient"; sessionId: string; event: TransientEvent }
  /** With its run where the commit that ended it has left that to a process to go on with. */
  | { type: "interaction"; id: string; row?: InteractionRow; run?: RunRow }
  | { type: "session"; sessionId: string }
  | { type: "session_deleted"; sessionId: string; ownerId: string }
  | { type: "run"; runId: string }
  | { type: "credential"; tokenId: string }
  /** From the bus itself: it was cut off, and hints of others may be lost. */
  | { type: "look" };

export interface Bus {
  publish(message: BusMessage): void;
  subscribe(listener: (message: BusMessage) => void): () => void;
}

export interface Clock {
  now(): number;
  /** Calls back once after `ms`; the returned function takes it back. Does not keep a process alive. */
  timer(ms: number, callback: () => void): () => void;
  /** Resolves in a later turn of the event loop, after everything that is ready by now. */
  turn(): Promise<void>;
}

export interface Ids {
  /** A random id of at least 128 bits, in the alphabet of a client's id. */
  next(): string;
  /** SHA-256 of a text, in hex. */
  digest(text: string): string;
}

/** Hides a text from everybody but one process, for as long as that runs. */
export interface Sealing {
  /** With which others seal for this process: made at its start and kept in its memory. */
  readonly publicKey: string;
  seal(publicKey: string, text: string): string;
  /** Nothing for what was not sealed for this process, or was changed since. */
  open(sealed: string): string | undefined;
}

/** Tells which piece of asynchronous work is asking: the handler of a call, or one of its hooks. */
export interface Scope<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  current(): Value | undefined;
}

/** Which piece of a call is running: its handler (`path` empty), or a hook of one interaction. */
export interface CallScope {
  callId: string;
  path: string;
  /** The interaction whose response the hook is looking at. */
  answering?: InteractionRow;
}

export interface Log {
  info(details: Record<string, unknown>, message: string): void;
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What lets a process that an agent starts ask through this server. */
export interface MachineAccess {
  /** An environment with it: `BECKON_URL`, `BECKON_TOKEN`, `BECKON_SESSION_ID`, and `beckon` found. */
  environment(base: Environment): Record<string, string | undefined>;
  /** Takes it back. Contract: must not reject. */
  release(): Promise<void>;
}

/** @param at the session; and the call, where it is one command that is started */
export type LendAccess = (at: { sessionId: string; toolCallId?: string }) => Promise<MachineAccess>;

/** Runs commands of agents' shells that ask through this server, without leaving them to a shell. */
export interface AskingPrograms {
  /**
   * The program, by its path, and its arguments, in place of a command line that only asks people or
   * calls an operation; nothing for any other.
   */
  programFor(command: string): string[] | undefined;
  /** Whether such a command can do nothing but ask, so that nobody need allow it first. */
  onlyAsks(command: string): boolean;
  /** What the program needs in its environment beside what is lent. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * A line for the shell of an agent's runtime, in place of a command that can do nothing but ask.
   * Nothing where it might do more, or where the agent could change in its folder what is run.
   */
  lineFor(
    command: string,
    at: { sessionId: string; toolCallId: string; folder: string },
  ): string | undefined;
}
