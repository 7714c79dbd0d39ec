import { LIMITS, ProtocolError, type Sender } from "../../protocol/index.ts";
import type { AgentMessage } from "./agent.ts";
import type { EventDraft } from "../interaction.ts";
import type { Ids, Limit, RunRow, SessionRow, Write } from "../ports.ts";
import { queuedRun } from "../run/run-row.ts";

export interface NewMessage {
  text: string;
  messageId: string;
  source: "user" | "late_answer";
  interactionId?: string;
  sender: Sender;
  /** It is for the turn that runs, if that takes it. */
  steers?: boolean;
  /** The turn that will take it, as far as can be known. */
  joins?: string;
}

export interface QueuedMessage {
  run: RunRow;
  write: Write;
  event: EventDraft;
}

/**
 * A message and the turn that will answer it. Its place in the queue is the session's version,
 * so the commit must also write the session (`touchSession`): that settles two senders.
 */
export function queueMessage(
  ids: Ids,
  session: SessionRow,
  message: NewMessage,
  now: number,
): QueuedMessage {
  const { steers, joins, ...payload } = message;
  const { text, messageId, sender } = message;
  const run = queuedRun(ids.next(), session.id, now, {
    kind: "turn",
    trigger: message.source,
    position: session.version + 1,
    state: { v: 1, text, messageId, sender, responseId: ids.next(), ...(steers ? { steers } : {}) },
  });
  return {
    run,
    write: { table: "runs", id: run.id, ifVersion: 0, set: run },
    event: {
      type: "user_message",
      actorId: sender.id,
      ...(joins === undefined ? {} : { turnId: joins }),
      payload,
    },
  };
}

/** Whether a message waits afterwards that the write stores. */
export function queuesTurn({ table, set }: Write): boolean {
  return table === "runs" && set.status === "queued";
}

export function touchSession(session: SessionRow, set: Partial<SessionRow>): Write {
  return { table: "sessions", id: session.id, ifVersion: session.version, set };
}

/** The session as some writes leave it that were made from it. */
export function sessionAfter(session: SessionRow, writes: Write[]): SessionRow {
  let after = session;
  for (const { table, id, ifVersion, set } of writes) {
    if (table !== "sessions" || id !== session.id || ifVersion !== after.version) continue;
    after = Object.assign({}, after, set, { version: ifVersion + 1 });
  }
  return after;
}

/** Of the messages that wait in a session. */
export function queueLimit(sessionId: string): Limit {
  return { of: "queuedTurns", sessionId, most: LIMITS.queuedMessagesPerSession };
}

export function tooManyQueued(): ProtocolError {
  return new ProtocolError(
    "too_many",
    `${LIMITS.queuedMessagesPerSession} messages are waiting in this session already. Try again when some are done.`,
  );
}

/** A stored message, as the agent of its session is told it. */
export function toAgentMessage(stored: {
  text: string;
  messageId: string;
  sender?: Sender;
}): AgentMessage {
  const { text: words, messageId, sender } = stored;
  const text = sender?.kind === "machine" ? markedAsProgram(words, sender) : words;
  return { text, words, messageId, ...(sender ? { sender: { ...sender } } : {}) };
}

/** Every line is quoted, so that no line of a program can pass for the user's. */
function markedAsProgram(words: string, { id, name }: Sender): string {
  const quoted = words.split(/\r\n|[\n\r\u2028\u2029]/u).map((line) => `> ${line}`);
  const program = JSON.stringify(name ?? id);
  return [
    `This message comes from a program (${program}), not from the user. The program wrote:`,
    ...quoted,
  ].join("\n");
}
