import { shownIn } from "../call/anchored.ts";
import type { Core, CorePorts } from "../api.ts";
import { askerOfOperation } from "./asker-words.ts";
import { callDigest } from "../call/calls.ts";
import type { CallRow, Who } from "../ports.ts";
import { findAnchor, type RendezvousPorts } from "./rendezvous.ts";
import { findSession } from "../session/sessions.ts";
import { callKey } from "../live/signals.ts";
import { isOperationState } from "../run/run-row.ts";
import type { Callers } from "./callers.ts";

export interface AnchorPorts extends RendezvousPorts, Pick<CorePorts, "ids"> {
  callers: Callers;
}

type Given = Parameters<Core["callTool"]>[1];

export interface NamedCall {
  /** The call's own id. */
  id: string;
  /** It was made now, so there is no such call yet. */
  isNewId?: boolean;
  /** The running call in whose place it works. */
  anchor?: string;
}

/**
 * What a call from outside is to be called, and where it belongs. An id that it gives is its own,
 * or that of a running call of another tool: then it works there.
 */
export async function findOperationAnchor(
  ports: AnchorPorts,
  who: Who,
  call: Given,
): Promise<NamedCall> {
  const { toolCallId, caller, names } = call;
  const session = await findSession(ports, who, call.sessionId);
  const named = toolCallId === undefined ? null : await ports.store.call(session.id, toolCallId);
  if (named && (named.tool === call.toolName || named.status !== "running")) {
    return { id: named.id };
  }
  if (named) {
    const anchor = shownIn(named);
    const left = await leftBehind(ports, session.id, anchor, call);
    return { ...(left ? { id: left.id } : newId(ports)), anchor };
  }
  const asker = names && (() => askerOfOperation(caller?.command, names, call.input));
  const anchor = await findAnchor(ports, who, session, { hint: caller, asker });
  const own = toolCallId === undefined ? newId(ports) : { id: toolCallId };
  return anchor === undefined ? own : { ...own, anchor };
}

function newId({ ids }: AnchorPorts): NamedCall {
  return { id: ids.next(), isNewId: true };
}

/** The same call, made there before, that nobody waits for now: its caller has come back. */
async function leftBehind(
  ports: AnchorPorts,
  sessionId: string,
  anchor: string,
  { toolName, input }: Given,
): Promise<CallRow | undefined> {
  const runs = await ports.store.activeRuns(sessionId);
  const here = runs.filter(({ state }) => isOperationState(state) && state.anchor === anchor);
  const calls = (await Promise.all(here.map((run) => ports.store.calls(run.id)))).flat();
  const digest = callDigest(ports, toolName, input);
  return calls.find(
    (call) => call.inputDigest === digest && !ports.callers.hears(callKey(sessionId, call.id)),
  );
}
