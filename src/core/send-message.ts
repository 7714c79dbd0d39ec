import { type Delivery, LIMITS, ProtocolError } from "../protocol/index.ts";
import type { SentMessage, Who } from "./api.ts";
import { toAgentMessage } from "./agent-message.ts";
import type { Env } from "./env.ts";
import { claimWrite } from "./run-writes.ts";
import { queueMessage, touchSession } from "./messages.ts";
import { cancelTurn, enterRun, startNextTurn, takeTurn, turnStart } from "./runs.ts";
import type { RunRow, SessionRow, Write } from "./ports.ts";
import { payerOf } from "./quotas.ts";
import { findSession } from "./sessions.ts";
import { LOST_RACE, untilCommitted } from "./writer.ts";

/** Stores a message; the turn that answers it starts now, or when those before it have ended. */
export async function sendMessage(
  env: Env,
  who: Who,
  sessionId: string,
  message: { text: string; messageId?: string; delivery?: Delivery },
): Promise<SentMessage> {
  const messageId = message.messageId ?? env.ids.next();
  const key = keyOf(messageId);
  const digest = env.ids.digest(message.text);
  await findSession(env, who, sessionId);
  const before = await findRepeat(env, sessionId, key, digest);
  if (before) return { messageId, ...before };
  env.quotas.spend(payerOf(who), "messagesPerMinute");
  if (message.delivery === "interrupt") await cancelTurn(env, who.principalId, sessionId);

  return untilCommitted(async () => {
    const session = await findSession(env, who, sessionId);
    const after = session.lastSeq;
    const repeated = await findRepeat(env, sessionId, key, digest);
    if (repeated) return { messageId, ...repeated };
    const queue = await env.store.queuedRuns(sessionId);
    if (queue.length >= LIMITS.queuedMessagesPerSession) throw tooManyQueued();
    const content = {
      text: message.text,
      messageId,
      source: "user",
      sender: { id: who.principalId, name: who.name, kind: who.kind },
    } as const;
    const queued = queueMessage(env.ids, session, content, env.clock.now());
    const known = {
      table: "journal",
      id: [sessionId, key],
      ifVersion: 0,
      set: { kind: "value", state: "done", digest, value: { after }, epoch: 0 },
    } as const;
    const startsNow = session.activeRunId === null && queue.length === 0 && !env.isStopping();
    if (!startsNow) {
      const touched = touchSession(session, { updatedAt: env.clock.now() });
      const writes = [queued.write, known, touched];
      const result = await env.writer.commit({ sessionId, writes, events: [queued.event] });
      if (!result.ok) return LOST_RACE;
      if (message.delivery === "steer") {
        const joinedTurnId = await joinTurn(env, session, queued.run);
        if (joinedTurnId !== undefined) return { messageId, after, joinedTurnId };
      }
      await startNextTurn(env, sessionId);
      return { messageId, after };
    }
    const run = { ...queued.run, ...claimWrite(env, queued.run).set };
    const { decided, stored } = env.writer.commitAhead({
      sessionId,
      writes: [
        { table: "runs", id: run.id, ifVersion: 0, set: run },
        known,
        takeTurn(env, session, run),
      ],
      events: [queued.event, turnStart(run)],
    });
    const mayRunAhead = env.agents.get(session.agent)?.capabilities.reenter === "replay";
    const result = await (mayRunAhead ? decided : stored);
    if (!result.ok) return LOST_RACE;
    enterRun(env, run, "first");
    await stored.catch((error: unknown) => {
      env.live.get(run.id)?.lose();
      throw error;
    });
    return { messageId, after };
  });
}

const keyOf = (messageId: string) => `message:${messageId}`;

/** Remembers which turn a message has joined, for whoever sends it again; `null`: none. */
function joinWrite(session: SessionRow, messageId: string, turnId: string | null): Write {
  const after = session.lastSeq;
  const value = turnId === null ? { after } : { after, joinedTurnId: turnId };
  const ifVersion = turnId === null ? 2 : 1;
  return { table: "journal", id: [session.id, keyOf(messageId)], ifVersion, set: { value } };
}

/**
 * Gives a stored message to the turn that is running, if its agent takes messages while it works.
 * Until then it is queued like any other, so that it is not lost with the turn.
 */
async function joinTurn(
  env: Env,
  session: SessionRow,
  message: RunRow,
): Promise<string | undefined> {
  const run = session.activeRunId === null ? undefined : env.live.get(session.activeRunId);
  const content = message.state && "messageId" in message.state ? message.state : undefined;
  if (!run?.onMessage || run.lost || !content) return undefined;
  let taken: RunRow | undefined;
  const stored = run.commit(async () => {
    const queued = await env.store.run(message.id);
    taken = queued?.status === "queued" ? queued : undefined;
    if (!taken) return { sessionId: session.id, writes: [], events: [] };
    const set = { status: "ended", endStatus: "completed", endedAt: env.clock.now() } as const;
    const write = { table: "runs", id: taken.id, ifVersion: taken.version, set } as const;
    const joined = joinWrite(session, content.messageId, run.row.id);
    return { sessionId: session.id, writes: [write, joined], events: [] };
  });
  await Promise.race([stored, run.gone]);
  if (!taken || run.lost) return undefined;
  if (!run.onMessage) return putBack(env, session, taken, content.messageId);
  run.onMessage(toAgentMessage(content));
  return run.row.id;
}

/** The agent stopped listening while the message was being given to it: it gets its own turn. */
async function putBack(
  env: Env,
  session: SessionRow,
  { id, version }: RunRow,
  messageId: string,
): Promise<undefined> {
  const set = { status: "queued", endStatus: null, endedAt: null } as const;
  const write = { table: "runs", id, ifVersion: version + 1, set } as const;
  const joined = joinWrite(session, messageId, null);
  await env.writer.commit({ sessionId: session.id, writes: [write, joined], events: [] });
}

/** What became of the same message when it was sent before. */
async function findRepeat(
  env: Env,
  sessionId: string,
  key: string,
  digest: string,
): Promise<Omit<SentMessage, "messageId"> | undefined> {
  const before = await env.store.journalEntry(sessionId, key);
  if (!before) return undefined;
  if (before.digest === digest) {
    const { joinedTurnId, after = 0 } = (before.value ?? {}) as Partial<SentMessage>;
    return { after, isRepeat: true, ...(joinedTurnId !== undefined && { joinedTurnId }) };
  }
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
