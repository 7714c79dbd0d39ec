import { type InteractionRecord, ProtocolError } from "../protocol/index.ts";
import type { Who } from "./api.ts";
import type { Env } from "./env.ts";
import { close, isOpen, refuse } from "./interaction.ts";
import { land } from "./landing.ts";
import type { InteractionRow } from "./ports.ts";
import { toInteractionRecord } from "./records.ts";
import { attemptsAfter, interactionNotFound, toError } from "./responses.ts";
import { isAskState } from "./run-writes.ts";
import { mayRead } from "./sessions.ts";
import { LOST_RACE, untilCommitted } from "./writer.ts";

/** Withdraws an open prompt, for whoever may. */
export async function cancelInteraction(
  env: Env,
  who: Who,
  id: string,
): Promise<InteractionRecord> {
  return withdrawPrompt(env, id, who.principalId, async (row) => {
    const session = await env.store.session(row.sessionId);
    if (!session || session.deletedAt !== null || !mayRead(who, session)) {
      throw interactionNotFound();
    }
    await checkMay(env, who, row);
  });
}

/** Ends a prompt as withdrawn. It competes with answers like every other end: the first one wins. */
export async function withdrawPrompt(
  env: Env,
  id: string,
  actorId: string,
  check: (row: InteractionRow) => Promise<void> = async () => {},
): Promise<InteractionRecord> {
  return untilCommitted(async () => {
    const row = await env.store.interaction(id);
    if (!row) throw interactionNotFound();
    await check(row);
    if (row.status === "cancelled") return toInteractionRecord(row);
    if (!isOpen(row)) throw toError(refuse(row, await attemptsAfter(env, row)));
    const landing = land(env, row.link === "live" ? await env.store.run(row.runId) : null);
    const step = close(row, "cancelled", env.clock.now(), "It was withdrawn.");
    for (const event of step.events) event.actorId = actorId;
    const result = await env.writer.commit({
      sessionId: row.sessionId,
      writes: [step.write, ...landing.writes],
      events: step.events,
      interactions: [step.row],
    });
    if (!result.ok) return LOST_RACE;
    landing.proceed();
    return toInteractionRecord(step.row);
  });
}

async function checkMay(env: Env, who: Who, row: InteractionRow): Promise<void> {
  if (who.kind === "person") return;
  const run = await env.store.run(row.runId);
  if (run && isAskState(run.state) && run.state.askedBy === who.principalId) return;
  throw new ProtocolError(
    "person_required",
    "A machine may withdraw only what it asked itself; this was asked by another.",
  );
}
