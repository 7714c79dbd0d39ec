import { type InteractionRecord, ProtocolError } from "../../protocol/index.ts";
import { close, isOpen, refuse, type Step } from "../interaction.ts";
import { claimRun, type ClaimPorts } from "../run/claim.ts";
import type { InteractionRow, Who, Write } from "../ports.ts";
import { toInteractionRecord } from "../session/records.ts";
import { isThere } from "../session/sessions.ts";
import { LOST_RACE, untilCommitted, type Writer } from "../writer.ts";
import { isAskState } from "../run/run-row.ts";
import { interactionNotFound, attemptsAfter, toError } from "../prompt/refusals.ts";
import type { CorePorts } from "../api.ts";

export interface WithdrawPorts extends ClaimPorts, Pick<CorePorts, "store"> {
  writer: Writer;
}

/** Withdraws an open prompt, for whoever may. */
export async function cancelInteraction(
  ports: WithdrawPorts,
  who: Who,
  id: string,
): Promise<InteractionRecord> {
  return withdrawPrompt(ports, id, who.principalId, async (row) => {
    if (!isThere(who, await ports.store.session(row.sessionId))) throw interactionNotFound();
    await checkMay(ports, who, row);
  });
}

/** Ends a prompt as withdrawn. It competes with answers like every other end: the first one wins. */
export async function withdrawPrompt(
  ports: WithdrawPorts,
  id: string,
  actorId: string,
  check: (row: InteractionRow) => Promise<void> = async () => {},
): Promise<InteractionRecord> {
  return untilCommitted(async () => {
    const row = await ports.store.interaction(id);
    if (!row) throw interactionNotFound();
    await check(row);
    if (row.status === "cancelled") return toInteractionRecord(row);
    if (!isOpen(row)) throw toError(refuse(row, await attemptsAfter(ports, row)));
    const step = close(row, "cancelled", ports.clock.now(), "It was withdrawn.");
    const isStored = await storeEnd(ports, row, step, actorId);
    return isStored ? toInteractionRecord(step.row) : LOST_RACE;
  });
}

/** Stores the end of an open prompt that nobody answered here, and lets its run go on. */
export async function storeEnd(
  ports: WithdrawPorts,
  row: InteractionRow,
  step: Step,
  actorId: string,
  alongside: Write[] = [],
): Promise<boolean> {
  const claim = await claimRun(
    ports,
    row.link === "live" ? await ports.store.run(row.runId) : null,
  );
  for (const event of step.events) event.actorId = actorId;
  const result = await ports.writer.commit({
    sessionId: row.sessionId,
    writes: [step.write, ...alongside, ...claim.writes],
    events: step.events,
    interactions: [step.row],
    inDoubt: claim.inDoubt,
  });
  if (result.ok) claim.proceed();
  return result.ok;
}

async function checkMay(ports: WithdrawPorts, who: Who, row: InteractionRow): Promise<void> {
  if (who.kind === "person") return;
  const run = await ports.store.run(row.runId);
  if (run && isAskState(run.state) && run.state.askedBy === who.principalId) return;
  throw new ProtocolError(
    "person_required",
    "A machine may withdraw only what it asked itself; this was asked by another.",
  );
}
