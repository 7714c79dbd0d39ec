import { noteWrite } from "../call/journal.ts";
import type { CallEnd } from "../call/tool.ts";
import { actionElsewhere, decideElsewhere, isOpen } from "../interaction.ts";
import type { InteractionRow, Who, Write } from "../ports.ts";
import { LOST_RACE, untilCommitted } from "../writer.ts";
import { promptIn } from "./asked-before.ts";
import { asksOf } from "./heard.ts";
import { storeEnd, type WithdrawPorts } from "./withdraw.ts";

/**
 * An agent that asks here asks in its own terminal too, and somebody decided there. The prompt that
 * the same credential asked under this id closes as that, and its call ends with what came of it.
 *
 * @returns whether there was such a prompt, or its denial came too late; what else was answered here
 * stays as it is
 */
export function closeDecidedElsewhere(
  ports: WithdrawPorts,
  who: Who,
  requestId: string,
  end: CallEnd,
): Promise<boolean> {
  return untilCommitted(async () => {
    const entry = await ports.store.journalEntry(asksOf(who), requestId);
    const row = entry ? await ports.store.interaction(promptIn(entry)) : null;
    if (row?.response?.action === "deny" && ranElsewhere(end)) {
      return (await tellThatItRan(ports, who, row, requestId)) ? true : LOST_RACE;
    }
    if (!row || !isOpen(row)) return false;
    const outcome = end.ok
      ? ({ kind: "complete", value: end.result } as const)
      : ({ kind: "error", error: end.error } as const);
    const step = decideElsewhere(row, outcome, ports.clock.now());
    const isAllowed = actionElsewhere(step.row) !== "deny";
    const authorised = isAllowed ? await authorisedInTerminal(ports, row) : [];
    const isStored = await storeEnd(ports, row, step, who.principalId, authorised);
    return isStored ? true : LOST_RACE;
  });
}

/** Whatever came of it: it ran. */
const ranElsewhere = (end: CallEnd) => end.ok || end.error.code !== "tool_denied";

const IT_RAN = "It had been allowed in the terminal before.";

/** A no that came too late stays what it is, and the log says that it stopped nothing. */
async function tellThatItRan(
  ports: WithdrawPorts,
  who: Who,
  { id, sessionId, callId }: InteractionRow,
  requestId: string,
): Promise<boolean> {
  const key: [string, string] = [asksOf(who), `ran/${requestId}`];
  if (await ports.store.journalEntry(...key)) return true;
  const payload = { code: "allowed_elsewhere", message: IT_RAN, interactionId: id };
  const { ok } = await ports.writer.commit({
    sessionId,
    writes: [noteWrite(key, { value: null })],
    events: [{ type: "error", callId, interactionId: id, actorId: who.principalId, payload }],
  });
  return ok;
}

/** Why the call ran, where it is the prompt's own. */
async function authorisedInTerminal(
  { store }: WithdrawPorts,
  { runId }: InteractionRow,
): Promise<Write[]> {
  const [call] = await store.calls(runId);
  if (!call || call.status === "ended") return [];
  const { sessionId, id, version } = call;
  const set = { authorizedBy: "terminal" };
  return [{ table: "tool_calls", id: [sessionId, id], ifVersion: version, set }];
}
