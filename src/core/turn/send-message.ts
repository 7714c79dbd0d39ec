import { type Delivery, ProtocolError } from "../../protocol/index.ts";
import type { SentMessage } from "../api.ts";
import {
  queueLimit,
  queueMessage,
  touchSession,
  tooManyQueued,
  toAgentMessage,
} from "./messages.ts";
import {
  cancelTurn,
  storeAndEnter,
  startNextTurn,
  takeTurn,
  turnStart,
  type RunPorts,
} from "../run/runs.ts";
import { noteWrite } from "../call/journal.ts";
import { endRunWrite } from "../run/end.ts";
import { canTakeTurns } from "../run/ability.ts";
import { claimWrite } from "../run/lease.ts";
import type { RunRow, SessionRow, Write, Who } from "../ports.ts";
import { payerOf, type Quotas } from "../live/quotas.ts";
import { findSession } from "../session/sessions.ts";
import { titleAfter } from "../session/title.ts";
import { type Change, LOST_RACE, untilCommitted } from "../writer.ts";

/** What it takes to store a message and to start the turn that answers it. */
interface SendPorts extends RunPorts {
  quotas: Quotas;
}

/** Stores a message; the turn that answers it starts now, or when those before it have ended. */
export async function sendMessage(
  ports: SendPorts,
  who: Who,
  sessionId: string,
  message: { text: string; messageId?: string; delivery?: Delivery },
): Promise<SentMessage> {
  const messageId = message.messageId ?? ports.ids.next();
  const digest = ports.ids.digest(message.text);
  const look = () =>
    Promise.all([
      findSession(ports, who, sessionId),
      findRepeat(ports, sessionId, message.messageId, digest),
    ] as const);
  let looked: Awaited<ReturnType<typeof look>> | undefined = await look();
  if (looked[1]) return { messageId, ...looked[1] };
  ports.quotas.spend(payerOf(who), "messagesPerMinute");
  if (message.delivery === "interrupt") {
    await cancelTurn(ports, who.principalId, sessionId);
    looked = undefined;
  }

  let isQueueEmpty = true;
  return untilCommitted(async () => {
    // Who sends the same at this moment may have been faster.
    const [session, repeated] = looked ?? (await look());
    looked = undefined;
    if (repeated) return { messageId, ...repeated };
    const after = session.lastSeq;
    const content = {
      text: message.text,
      messageId,
      source: "user",
      sender: { id: who.principalId, name: who.name, kind: who.kind },
      ...(message.delivery === "steer" ? { steers: true, ...joining(ports, session) } : {}),
    } as const;
    const queued = queueMessage(ports.ids, session, content, ports.clock.now());
    // Who gets an id that is made here need not send it again. But where a turn is joined is kept.
    const isKnown = message.messageId !== undefined || message.delivery === "steer";
    const known = isKnown ? [noteWrite([sessionId, keyOf(messageId)], { after }, { digest })] : [];
    const named = titleAfter(session, message.text);
    const startsNow =
      session.activeRunId === null &&
      isQueueEmpty &&
      !ports.isStopping() &&
      canTakeTurns(ports, session);
    if (!startsNow) {
      const touched = touchSession(session, { updatedAt: ports.clock.now(), ...named });
      const writes = [queued.write, ...known, touched];
      const limits = [queueLimit(sessionId)];
      const result = await ports.writer.commit({
        sessionId,
        writes,
        events: [queued.event],
        limits,
      });
      if (!result.ok && result.reason === "full") throw tooManyQueued();
      if (!result.ok) return LOST_RACE;
      if (message.delivery === "steer") {
        const joinedTurnId = await joinTurn(ports, session, queued.run);
        if (joinedTurnId !== undefined) return { messageId, after, joinedTurnId };
      }
      await startNextTurn(ports, sessionId);
      return { messageId, after };
    }
    const run = { ...queued.run, ...claimWrite(ports, queued.run).set };
    const change: Change = {
      sessionId,
      writes: [
        { table: "runs", id: run.id, ifVersion: 0, set: run },
        ...known,
        takeTurn(ports, session, run, named),
      ],
      events: [queued.event, turnStart(run)],
      absent: [{ of: "queuedTurns", sessionId }],
    };
    const mayRunAhead = ports.agents.get(session.agent)?.capabilities.reenter === "replay";
    const result = await storeAndEnter(ports, { run, session }, change, mayRunAhead);
    if (result.ok) return { messageId, after };
    isQueueEmpty = result.reason !== "present";
    return LOST_RACE;
  });
}

const keyOf = (messageId: string) => `message:${messageId}`;

/** The turn that runs, if its agent takes messages: one that runs elsewhere is not asked before. */
function joining(ports: SendPorts, { agent, activeRunId }: SessionRow): { joins?: string } {
  if (activeRunId === null || !ports.agents.get(agent)?.capabilities.steer) return {};
  const here = ports.live.get(activeRunId);
  return here && (here.lost || !here.onMessage) ? {} : { joins: activeRunId };
}

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
  ports: SendPorts,
  session: SessionRow,
  message: RunRow,
): Promise<string | undefined> {
  const run = session.activeRunId === null ? undefined : ports.live.get(session.activeRunId);
  const content = message.state && "messageId" in message.state ? message.state : undefined;
  if (!run?.onMessage || run.lost || !content) return undefined;
  let taken: RunRow | undefined;
  const stored = run.commit(async () => {
    const queued = await ports.store.run(message.id);
    taken = queued?.status === "queued" ? queued : undefined;
    if (!taken) return { sessionId: session.id, writes: [], events: [] };
    const write = endRunWrite(taken, ports.clock.now());
    const joined = joinWrite(session, content.messageId, run.row.id);
    return { sessionId: session.id, writes: [write, joined], events: [] };
  });
  await run.gone.until(stored);
  if (!taken || run.lost) return undefined;
  if (!run.onMessage) return putBack(ports, session, taken, content.messageId);
  run.onMessage(toAgentMessage(content));
  return run.row.id;
}

/** A message that was stored at another node may be for the turn that runs here. */
export async function hearSteering(ports: SendPorts, message: RunRow): Promise<void> {
  const { state, status, sessionId } = message;
  if (status !== "queued" || !state || !("messageId" in state) || !state.steers) return;
  const session = await ports.store.session(sessionId);
  if (session) await joinTurn(ports, session, message);
}

/** The agent stopped listening while the message was being given to it: it gets its own turn. */
async function putBack(
  ports: SendPorts,
  session: SessionRow,
  { id, version }: RunRow,
  messageId: string,
): Promise<undefined> {
  const set = { status: "queued", endedAt: null } as const;
  const write = { table: "runs", id, ifVersion: version + 1, set } as const;
  const joined = joinWrite(session, messageId, null);
  await ports.writer.commit({ sessionId: session.id, writes: [write, joined], events: [] });
}

/** What became of the same message when it was sent before: nothing, where its id is made here. */
async function findRepeat(
  ports: SendPorts,
  sessionId: string,
  messageId: string | undefined,
  digest: string,
): Promise<Omit<SentMessage, "messageId"> | undefined> {
  if (messageId === undefined) return undefined;
  const before = await ports.store.journalEntry(sessionId, keyOf(messageId));
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
