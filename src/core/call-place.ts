import { shownIn } from "./anchored.ts";
import type { Core, Who } from "./api.ts";
import { askerOfOperation } from "./askers.ts";
import { callDigest } from "./calls.ts";
import { callKey, type Env } from "./env.ts";
import type { CallRow } from "./ports.ts";
import { findPlace } from "./rendezvous.ts";
import { isOperationState } from "./run-writes.ts";
import { findSession } from "./sessions.ts";

type Given = Parameters<Core["callTool"]>[1];

interface CallPlace {
  /** The call's own id. */
  id: string;
  /** The running call in whose place it works. */
  anchor?: string;
}

/**
 * What a call from outside is to be called, and where it belongs. An id that it gives is its own,
 * or that of a running call of another tool: then it works there.
 */
export async function findCallPlace(env: Env, who: Who, call: Given): Promise<CallPlace> {
  const { toolCallId, caller, names } = call;
  const session = await findSession(env, who, call.sessionId);
  const named = toolCallId === undefined ? null : await env.store.call(session.id, toolCallId);
  if (named && (named.tool === call.toolName || named.status !== "running")) {
    return { id: named.id };
  }
  if (named) {
    const anchor = shownIn(named);
    const left = await leftBehind(env, session.id, anchor, call);
    return { id: left?.id ?? env.ids.next(), anchor };
  }
  const asker = names && askerOfOperation(caller?.command, names, call.input);
  const anchor = await findPlace(env, who, session, { hint: caller, asker });
  return { id: toolCallId ?? env.ids.next(), ...(anchor === undefined ? {} : { anchor }) };
}

/** The same call, made there before, that nobody waits for now: its caller has come back. */
async function leftBehind(
  env: Env,
  sessionId: string,
  anchor: string,
  { toolName, input }: Given,
): Promise<CallRow | undefined> {
  const runs = await env.store.activeRuns(sessionId);
  const here = runs.filter(({ state }) => isOperationState(state) && state.anchor === anchor);
  const calls = (await Promise.all(here.map((run) => env.store.calls(run.id)))).flat();
  const digest = callDigest(env, toolName, input);
  return calls.find(
    (call) => call.inputDigest === digest && !env.callers.hears(callKey(sessionId, call.id)),
  );
}
