import type { CallEnd } from "../call/tool.ts";
import { ProtocolError } from "../../protocol/index.ts";
import type { Core, CoreOptions } from "../api.ts";
import { isAnchored } from "../call/anchored.ts";
import { touchCall, readAnchor } from "./ask-anchor.ts";
import { withdrawAbandonedAsk } from "./ask.ts";
import { findOperationAnchor, type AnchorPorts, type NamedCall } from "./operation-anchor.ts";
import { callDigest, newCall } from "../call/calls.ts";
import { CANCELLED, type RunEnd, storedEnd } from "../run/end.ts";
import { touchSession } from "../turn/messages.ts";
import { oneAtATime, type KeyedQueue } from "../live/keyed-queue.ts";
import { payerOf, type Quotas } from "../live/quotas.ts";
import type { CallRow, RunRow, Who } from "../ports.ts";
import { endFromOutside, storeAndEnter, type RunPorts } from "../run/runs.ts";
import { findSession } from "../session/sessions.ts";
import { waitAtMost, waitFor, callKey, runKey } from "../live/signals.ts";
import { type Change, LOST_RACE, untilCommitted } from "../writer.ts";
import { hasFolder } from "../run/ability.ts";
import { claimWrite, freeWrite } from "../run/lease.ts";
import { callRun, isAskState } from "../run/run-row.ts";
import { Departure } from "../run/departure.ts";
import type { WithdrawPorts } from "./withdraw.ts";

export interface CallToolPorts extends AnchorPorts, RunPorts, WithdrawPorts {
  /** Where the calls of a session wait until the one before is stored. */
  calling: KeyedQueue;
  options: CoreOptions;
  quotas: Quotas;
}

type Given = Parameters<Core["callTool"]>[1];

/** A tool call outside any turn: it has a run of its own and no turn id, and none is invented. */
export async function callTool(ports: CallToolPorts, who: Who, call: Given): Promise<CallEnd> {
  const { sessionId } = call;
  const ofTurn = call.ofTurn && (await findTurn(ports, who, sessionId));
  if (ofTurn) return ofTurn({ ...call.ofTurn, toolName: call.toolName, input: call.input });
  const named = await findOperationAnchor(ports, who, call);
  const { id } = named;
  return ports.callers.wait(
    callKey(sessionId, id),
    call.gone,
    async () => {
      const begun = await oneAtATime(ports.calling, sessionId, new Departure(), () =>
        begin(ports, who, { ...call, ...named }),
      );
      return ended(ports, begun, call.gone);
    },
    () => withdraw(ports, sessionId, id),
  );
}

/** The turn whose agent's own process calls: only such a process has the turn's credential. */
async function findTurn(ports: CallToolPorts, who: Who, sessionId: string) {
  const { activeRunId } = await findSession(ports, who, sessionId);
  const isItsOwn = who.kind === "machine" && who.sessionId === sessionId;
  if (!isItsOwn || activeRunId === null) return undefined;
  return ports.live.get(activeRunId)?.onOwnCall;
}

/** The end of a call that its caller comes back to; nothing while it runs still. */
export async function callEnd(
  ports: CallToolPorts,
  who: Who,
  { sessionId, toolCallId }: { sessionId: string; toolCallId: string },
  wait: { waitMs: number; gone?: Departure },
): Promise<CallEnd | undefined> {
  await findSession(ports, who, sessionId);
  const call = await ports.store.call(sessionId, toolCallId);
  if (!call || call.callerId !== who.principalId) {
    throw new ProtocolError("not_found", `You have made no call "${toolCallId}".`);
  }
  const key = callKey(sessionId, toolCallId);
  const heard = isAnchored(call) ? runKey(call.runId) : key;
  const work = () => waitAtMost(ports, wait, heard, () => lookForEnd(ports, call));
  return ports.callers.wait(key, wait.gone, work, () => withdraw(ports, sessionId, toolCallId));
}

/** Stores the call, unless it is there already, and lets it run. */
async function begin(ports: CallToolPorts, who: Who, given: Given & NamedCall): Promise<CallRow> {
  const { sessionId, toolName, input, origin, id } = given;
  let paid = false;
  return untilCommitted(async () => {
    const session = await findSession(ports, who, sessionId);
    const before = given.isNewId ? null : await ports.store.call(sessionId, id);
    if (before) return checkSame(ports, before, toolName, input);
    if (!paid) ports.quotas.spend(payerOf(who), "asksPerMinute");
    paid = true;
    const named = given.toolCallId !== undefined && given.toolCallId !== id;
    const anchor = await readAnchor(ports, sessionId, given.anchor, named);
    const queued = callRun(ports, sessionId, anchor ? { v: 1, anchor: anchor.id } : null);
    // The folder may be another node's, which then executes the call.
    const isHere = hasFolder(ports, session);
    const take = isHere ? claimWrite : freeWrite;
    const run: RunRow = { ...queued, ...take(ports, queued).set };
    const created = newCall(ports, run, {
      id,
      tool: toolName,
      input,
      origin,
      callerId: who.principalId,
      turnId: anchor?.turnId ?? null,
      responseId: anchor?.responseId ?? null,
      ...(anchor ? { anchor: anchor.id } : {}),
    });
    const change: Change = {
      sessionId,
      writes: [
        { table: "runs", id: run.id, ifVersion: 0, set: run },
        created.write,
        ...(anchor ? [touchCall(anchor)] : []),
        // Whoever deletes the session at this moment looks again at what there is to end.
        touchSession(session, {}),
      ],
      events: anchor ? [] : [{ ...created.event, actorId: who.principalId }],
    };
    if (!isHere) return (await ports.writer.commit(change)).ok ? created.row : LOST_RACE;
    const mayRunAhead = created.row.durable === "replay";
    const { ok } = await storeAndEnter(ports, { run, session }, change, mayRunAhead);
    return ok ? created.row : LOST_RACE;
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
async function withdraw(ports: CallToolPorts, sessionId: string, id: string): Promise<void> {
  const call = await ports.store.call(sessionId, id);
  const run = call?.status === "running" ? await ports.store.run(call.runId) : null;
  if (run?.kind === "call") await endFromOutside(ports, run.id, HUNG_UP);
}

/** Withdraws the calls of those who waited with a process that is gone, and did not come back. */
export async function withdrawAbandoned(ports: CallToolPorts): Promise<void> {
  for (let after: string | undefined; ;) {
    const runs = await ports.store.activeCallRuns({ after, limit: 100 });
    for (const run of runs) {
      if (isAskState(run.state)) {
        await withdrawAbandonedAsk(ports, run, run.state);
        continue;
      }
      const [call] = await ports.store.calls(run.id);
      if (!call || !(await ports.callers.isAbandoned(callKey(run.sessionId, call.id)))) continue;
      await endFromOutside(ports, run.id, HUNG_UP);
    }
    after = runs.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** The same id again means the same call: its caller came back. */
function checkSame(
  ports: CallToolPorts,
  before: CallRow,
  toolName: string,
  input: unknown,
): CallRow {
  if (before.tool !== toolName) {
    throw new ProtocolError(
      "invalid_request",
      `The tool call id belongs to a call of "${before.tool}" that has ended. Use an id of its own for this call.`,
      { issues: [{ path: "x-tool-call-id", message: "belongs to another tool" }] },
    );
  }
  if (before.inputDigest === callDigest(ports, toolName, input)) return before;
  throw new ProtocolError(
    "request_changed",
    "The tool call id belongs to a call with other arguments. Use an id of its own for this call.",
  );
}

async function ended(
  ports: CallToolPorts,
  call: CallRow,
  gone: Departure | undefined,
): Promise<CallEnd> {
  // The log tells of the end of every call but of those in another's place.
  const key = isAnchored(call) ? runKey(call.runId) : callKey(call.sessionId, call.id);
  const end = await waitFor(ports.signals, key, () => lookForEnd(ports, call), gone);
  return end ?? HUNG_UP.callEnd;
}

async function lookForEnd(
  { store }: CallToolPorts,
  { sessionId, id }: CallRow,
): Promise<CallEnd | undefined> {
  const row = await store.call(sessionId, id);
  return row?.status === "ended" ? storedEnd(row) : undefined;
}
