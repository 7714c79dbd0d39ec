import type { InteractionResponse, Sender, TurnStatus } from "../protocol/index.ts";
import type { CallEnd } from "./agent.ts";
import { endCall, endGuests, type Leftovers, readLeaving } from "./ending.ts";
import type { Env } from "./env.ts";
import { lateAnswerText } from "./late-answer.ts";
import type { EventDraft } from "./interaction.ts";
import { queueMessage, touchSession } from "./messages.ts";
import type { InteractionRow, RunRow, SessionRow, Write } from "./ports.ts";
import type { Change } from "./writer.ts";

export interface RunEnd {
  status: TurnStatus;
  /** The end of every call that has none yet. */
  callEnd: CallEnd & { ok: false };
  leftovers: Leftovers;
  /** Whoever ended it, where somebody did. */
  actorId?: string;
  error?: { code: string; message: string };
}

export const CANCELLED: RunEnd = {
  status: "cancelled",
  callEnd: {
    ok: false,
    error: { code: "tool_cancelled", message: "The turn was cancelled before the call ended." },
  },
  leftovers: "cancelled",
};

export const INTERRUPTED: RunEnd = {
  status: "interrupted",
  callEnd: {
    ok: false,
    error: {
      code: "tool_interrupted",
      message:
        "The run was interrupted. If a prompt of it is still open, your answer will arrive as a message.",
    },
  },
  leftovers: "orphaned",
};

/** Ends a run with everything in it, in one commit. Reads the rows anew each time it is called. */
export async function endRunChange(
  env: Env,
  run: RunRow,
  session: SessionRow,
  end: RunEnd,
): Promise<Change> {
  const now = env.clock.now();
  const writes: Write[] = [];
  const events: EventDraft[] = [];
  const interactions: InteractionRow[] = [];
  const unheard: InteractionRow[] = [];
  const ended: string[] = [];
  for (const call of await env.store.calls(run.id)) {
    if (call.status === "ended") continue;
    const { prompts, guests } = await readLeaving(env, call);
    const ending = endCall(call, prompts, end.callEnd, end.leftovers, now);
    const borrowed = await endGuests(env, end.callEnd, guests, ending.borrowers);
    writes.push(...ending.writes, ...borrowed.writes);
    ended.push(...borrowed.ended);
    events.push(...ending.events);
    interactions.push(...ending.interactions);
    unheard.push(...ending.unheard);
  }
  if (run.kind === "turn") {
    const turn = { turnId: run.id };
    if (end.error) events.push({ ...turn, type: "error", payload: end.error });
    events.push({ ...turn, type: "turn_end", payload: { status: end.status } });
  }
  writes.push({
    table: "runs",
    id: run.id,
    ifVersion: run.version,
    set: {
      status: "ended",
      endStatus: end.status,
      endedAt: now,
      epoch: run.epoch + 1,
      owner: null,
      leaseUntil: null,
    },
  });
  if (end.actorId !== undefined) for (const event of events) event.actorId = end.actorId;
  const messages = followUps(env, session, unheard, now);
  writes.push(...messages.writes);
  events.push(...messages.events);
  const isActive = session.activeRunId === run.id;
  if (isActive || messages.events.length > 0) {
    writes.push(
      touchSession(session, { updatedAt: now, ...(isActive ? { activeRunId: null } : {}) }),
    );
  }
  return { sessionId: run.sessionId, writes, events, interactions, ended };
}

/** Only people answer. */
function senderOf({ responder: { id, name } }: InteractionResponse): Sender {
  return { id, ...(name === undefined ? {} : { name }), kind: "person" };
}

/** Accepted answers that no hook will hear: each becomes one message. */
export function followUps(
  env: Env,
  session: SessionRow,
  unheard: InteractionRow[],
  now: number,
): { writes: Write[]; events: EventDraft[] } {
  const messages = unheard.flatMap((row) =>
    row.response
      ? [
          queueMessage(
            env.ids,
            session,
            {
              text: lateAnswerText(row.request, row.response),
              messageId: env.ids.next(),
              source: "late_answer",
              interactionId: row.id,
              sender: senderOf(row.response),
            },
            now,
          ),
        ]
      : [],
  );
  return {
    writes: messages.map((message) => message.write),
    events: messages.map((message) => message.event),
  };
}
