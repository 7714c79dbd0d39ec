import { type Delivery, LIMITS, ProtocolError } from "../protocol/index.ts";
import type { Who } from "./api.ts";
import type { Env } from "./env.ts";
import { claimWrite } from "./run-writes.ts";
import { queueMessage, touchSession } from "./messages.ts";
import { cancelTurn, enterRun, startNextTurn, takeTurn, turnStart } from "./runs.ts";
import { findSession } from "./sessions.ts";
import { LOST_RACE, untilCommitted } from "./writer.ts";

/** Stores a message; the turn that answers it starts now, or when those before it have ended. */
export async function sendMessage(
  env: Env,
  who: Who,
  sessionId: string,
  message: { text: string; messageId?: string; delivery?: Delivery },
): Promise<{ messageId: string }> {
  const messageId = message.messageId ?? env.ids.next();
  const key = `message:${messageId}`;
  const digest = env.ids.digest(message.text);
  await findSession(env, who, sessionId);
  if (await isRepeat(env, sessionId, key, digest)) return { messageId };
  if (message.delivery === "interrupt") await cancelTurn(env, who.principalId, sessionId);

  return untilCommitted(async () => {
    const session = await findSession(env, who, sessionId);
    if (await isRepeat(env, sessionId, key, digest)) return { messageId };
    const queue = await env.store.queuedRuns(sessionId);
    if (queue.length >= LIMITS.queuedMessagesPerSession) throw tooManyQueued();
    const content = {
      text: message.text,
      messageId,
      source: "user",
      actorId: who.principalId,
    } as const;
    const queued = queueMessage(env.ids, session, content, env.clock.now());
    const known = {
      table: "journal",
      id: [sessionId, key],
      ifVersion: 0,
      set: { kind: "value", state: "done", digest, value: null, epoch: 0 },
    } as const;
    const startsNow = session.activeRunId === null && queue.length === 0 && !env.isStopping();
    if (!startsNow) {
      const touched = touchSession(session, { updatedAt: env.clock.now() });
      const writes = [queued.write, known, touched];
      const result = await env.writer.commit({ sessionId, writes, events: [queued.event] });
      if (!result.ok) return LOST_RACE;
      await startNextTurn(env, sessionId);
      return { messageId };
    }
    const run = { ...queued.run, ...claimWrite(env, queued.run).set };
    const result = await env.writer.commit({
      sessionId,
      writes: [
        { table: "runs", id: run.id, ifVersion: 0, set: run },
        known,
        takeTurn(env, session, run),
      ],
      events: [queued.event, turnStart(run)],
    });
    if (!result.ok) return LOST_RACE;
    enterRun(env, run, "first");
    return { messageId };
  });
}

async function isRepeat(
  env: Env,
  sessionId: string,
  key: string,
  digest: string,
): Promise<boolean> {
  const before = await env.store.journalEntry(sessionId, key);
  if (!before) return false;
  if (before.digest === digest) return true;
  throw new ProtocolError(
    "message_id_reused",
    "This messageId was used for another text. Give every message its own id.",
  );
}

export function tooManyQueued(): ProtocolError {
  return new ProtocolError(
    "too_many",
    `${LIMITS.queuedMessagesPerSession} messages are waiting in this session already. Try again when some are done.`,
  );
}
