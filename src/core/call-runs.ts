import { ProtocolError } from "../protocol/index.ts";
import type { CallEnd } from "./agent.ts";
import type { Core, Who } from "./api.ts";
import { isAnchored } from "./anchored.ts";
import { mark, readPlace } from "./ask-place.ts";
import { withdrawAbandonedAsk } from "./asks.ts";
import { findCallPlace } from "./call-place.ts";
import { callDigest, newCall } from "./calls.ts";
import { CANCELLED, type RunEnd } from "./end-run.ts";
import { storedEnd } from "./ending.ts";
import { callKey, type Env, runKey } from "./env.ts";
import { never } from "./live-run.ts";
import { touchSession } from "./messages.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { payerOf } from "./quotas.ts";
import { claimWrite, isAskState, queuedRun } from "./run-writes.ts";
import type { CallRow, RunRow } from "./ports.ts";
import { endFromOutside, enterRun } from "./runs.ts";
import { findSession } from "./sessions.ts";
import { waitFor } from "./signals.ts";
import { LOST_RACE, untilCommitted } from "./writer.ts";

type Given = Parameters<Core["callTool"]>[1];

/** A tool call outside any turn: it has a run of its own and no turn id, and none is invented. */
export async function callTool(env: Env, who: Who, call: Given): Promise<CallEnd> {
  const { sessionId } = call;
  const { id, anchor } = await findCallPlace(env, who, call);
  return env.callers.wait(
    callKey(sessionId, id),
    call.signal,
    async () => {
      const begun = await oneAtATime(env.calling, sessionId, never(), () =>
        begin(env, who, { ...call, id, anchor }),
      );
      return ended(env, begun, call.signal);
    },
    () => withdraw(env, sessionId, id),
  );
}

/** Stores the call, unless it is there already, and lets it run. */
async function begin(
  env: Env,
  who: Who,
  given: Given & { id: string; anchor: string | undefined },
): Promise<CallRow> {
  const { sessionId, toolName, input, origin, id } = given;
  let paid = false;
  return untilCommitted(async () => {
    const session = await findSession(env, who, sessionId);
    const before = await env.store.call(sessionId, id);
    if (before) return checkSame(env, before, toolName, input);
    if (!paid) env.quotas.spend(payerOf(who), "asksPerMinute");
    paid = true;
    const named = given.toolCallId !== undefined && given.toolCallId !== id;
    const anchor = await readPlace(env, sessionId, given.anchor, named);
    const run = newRun(env, sessionId, anchor);
    const created = newCall(env, run, {
      id,
      tool: toolName,
      input,
      origin,
      callerId: who.principalId,
      turnId: anchor?.turnId ?? null,
      responseId: anchor?.responseId ?? null,
      ...(anchor ? { anchor: anchor.id } : {}),
    });
    const result = await env.writer.commit({
      sessionId,
      writes: [
        { table: "runs", id: run.id, ifVersion: 0, set: run },
        created.write,
        ...(anchor ? [mark(anchor)] : []),
        // Whoever deletes the session at this moment looks again at what there is to end.
        touchSession(session, {}),
      ],
      events: anchor ? [] : [{ ...created.event, actorId: who.principalId }],
    });
    if (!result.ok) return LOST_RACE;
    enterRun(env, run, "first");
    return created.row;
  });
}

const HUNG_UP: RunEnd = {
  ...CANCELLED,
  callEnd: {
    ok: false,
    error: { code: "tool_cancelled", message: "The caller hung up and did not come back." },
  },
};

/** A call of a turn is not its caller's to end. */
async function withdraw(env: Env, sessionId: string, id: string): Promise<void> {
  const call = await env.store.call(sessionId, id);
  const run = call?.status === "running" ? await env.store.run(call.runId) : null;
  if (run?.kind === "call") await endFromOutside(env, run.id, HUNG_UP);
}

/** After a restart: withdraws the calls of those who waited for them then and did not come back. */
export async function withdrawAbandoned(env: Env): Promise<void> {
  for (let after: string | undefined; ;) {
    const runs = await env.store.activeCallRuns({ after, limit: 100 });
    for (const run of runs) {
      if (isAskState(run.state)) {
        await withdrawAbandonedAsk(env, run, run.state);
        continue;
      }
      const [call] = await env.store.calls(run.id);
      if (!call || env.callers.knows(callKey(run.sessionId, call.id))) continue;
      await endFromOutside(env, run.id, HUNG_UP);
    }
    after = runs.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** The same id again means the same call: its caller came back. */
function checkSame(env: Env, before: CallRow, toolName: string, input: unknown): CallRow {
  if (before.tool !== toolName) {
    throw new ProtocolError(
      "invalid_request",
      `The tool call id belongs to a call of "${before.tool}" that has ended. Use an id of its own for this call.`,
      { issues: [{ path: "x-tool-call-id", message: "belongs to another tool" }] },
    );
  }
  if (before.inputDigest === callDigest(env, toolName, input)) return before;
  throw new ProtocolError(
    "request_changed",
    "The tool call id belongs to a call with other arguments. Use an id of its own for this call.",
  );
}

async function ended(env: Env, call: CallRow, signal: AbortSignal | undefined): Promise<CallEnd> {
  const look = async () => {
    const row = await env.store.call(call.sessionId, call.id);
    return row?.status === "ended" ? storedEnd(row) : undefined;
  };
  // The log tells of the end of every call but of those in another's place.
  const key = isAnchored(call) ? runKey(call.runId) : callKey(call.sessionId, call.id);
  const end = await waitFor(env.signals, key, look, signal);
  return end ?? HUNG_UP.callEnd;
}

function newRun(env: Env, sessionId: string, anchor: CallRow | undefined): RunRow {
  const run = queuedRun(env.ids.next(), sessionId, env.clock.now(), {
    kind: "call",
    trigger: null,
    position: null,
    state: anchor ? { v: 1, anchor: anchor.id } : null,
  });
  return { ...run, ...claimWrite(env, run).set };
}
