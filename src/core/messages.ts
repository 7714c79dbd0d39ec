import type { Sender } from "../protocol/index.ts";
import type { EventDraft } from "./interaction.ts";
import type { Ids, RunRow, SessionRow, Write } from "./ports.ts";
import { queuedRun } from "./run-writes.ts";

export interface NewMessage {
  text: string;
  messageId: string;
  source: "user" | "late_answer";
  interactionId?: string;
  sender: Sender;
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
  const { text, messageId, sender } = message;
  const payload = { ...message };
  const run = queuedRun(ids.next(), session.id, now, {
    kind: "turn",
    trigger: message.source,
    position: session.version + 1,
    state: { v: 1, text, messageId, sender, responseId: ids.next() },
  });
  return {
    run,
    write: { table: "runs", id: run.id, ifVersion: 0, set: run },
    event: { type: "user_message", actorId: sender.id, payload },
  };
}

export function touchSession(session: SessionRow, set: Partial<SessionRow>): Write {
  return { table: "sessions", id: session.id, ifVersion: session.version, set };
}
