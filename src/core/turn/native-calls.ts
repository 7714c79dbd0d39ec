import { type CallAbout, ToolCallId } from "../../protocol/index.ts";
import type {
  NativeApproval,
  NativeCall,
  NativeDecision,
  NativePermission,
  NativeUse,
} from "./native-call.ts";
import { newCall, type NewCallPorts } from "../call/calls.ts";
import { checkAbout } from "../call/check-about.ts";
import { shownAbout } from "../prompt/shown-changes.ts";
import { requestInteraction } from "../engine.ts";
import { HANDLER } from "../call/handler-activity.ts";
import { finishCall } from "../call/finish-call.ts";
import { isOfGate } from "../call/gate-key.ts";
import { authorize, disown, type GatePorts } from "../call/gate.ts";
import { close, isOpen } from "../interaction.ts";
import { createLiveCall, type LiveCall } from "../call/live-call.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { SessionRow } from "../ports.ts";
import { ToolError } from "../call/tool.ts";
import { createToolContext, type ToolContextPorts } from "../call/tool-context.ts";
import { callsKey, type Signals } from "../live/signals.ts";

export interface NativeCallPorts extends GatePorts, ToolContextPorts, NewCallPorts {
  options: GatePorts["options"];
  signals: Signals;
}

interface NativeTurn {
  ports: NativeCallPorts;
  run: LiveRun;
  session: Pick<SessionRow, "id" | "cwd">;
  envelope: { turnId: string; responseId: string };
}

/** Finds a call that the runtime told of before its process died. */
export async function findNativeCall(
  turn: NativeTurn,
  nativeId: string,
): Promise<NativeCall | undefined> {
  const { ports, run } = turn;
  const rows = await ports.store.calls(run.row.id);
  const row = rows.findLast((one) => one.nativeId === nativeId);
  if (!row) return undefined;
  const call = await createLiveCall(ports, row, undefined, "again");
  // What has its result gets no other one, and nobody is asked about it any more.
  if (row.status === "ended") call.ending = Promise.resolve();
  else run.addCall(call);
  return toNativeCall(turn, call);
}

/** Stores a call that the runtime is about to execute, and lets people see it. */
export async function startNativeCall(turn: NativeTurn, use: NativeUse): Promise<NativeCall> {
  const { ports, run, session, envelope } = turn;
  const id = await callIdFor(ports, session.id, use.nativeId);
  const about = checkAbout(use);
  const created = newCall(ports, run.row, {
    id,
    tool: use.toolName,
    input: use.input,
    origin: "agent",
    callerId: null,
    ...envelope,
    native: { id: use.nativeId, parentCallId: use.parentCallId ?? null },
    about,
  });
  run.expectCall();
  await run.commit(
    run.adding(() => ({
      sessionId: session.id,
      writes: [created.write, ...run.waking()],
      events: [created.event],
    })),
  );
  const call = await createLiveCall(ports, created.row, undefined, "first");
  call.about = about;
  run.addCall(call);
  // The commit told of it before it was here.
  ports.signals.fire(callsKey(session.id));
  return toNativeCall(turn, call);
}

async function callIdFor(
  ports: NativeCallPorts,
  sessionId: string,
  nativeId: string,
): Promise<string> {
  return (await isGoodId(ports, sessionId, nativeId)) ? nativeId : ports.ids.next();
}

/** Providers use an id more than once, and some have ids that ours cannot be. */
export async function isGoodId(
  ports: NativeCallPorts,
  sessionId: string,
  nativeId: string,
): Promise<boolean> {
  const fits = ToolCallId.safeParse(nativeId).success;
  return fits && (await ports.store.call(sessionId, nativeId)) === null;
}

function toNativeCall(turn: NativeTurn, call: LiveCall): NativeCall {
  const { ports, run, session } = turn;
  const context = createToolContext(ports, run, call, session.cwd);
  let approving: Promise<NativePermission> | undefined;
  let denied = false;
  let hasEnded = false;

  async function approve(approval: NativeApproval): Promise<NativePermission> {
    try {
      const { error } = call.row;
      if (error) throw new ToolError(error.code, error.message);
      if (call.row.status !== "ended") {
        call.tool.approval = toToolApproval(approval);
        await disown(ports, run, call);
        await authorize(ports, run, call, session.cwd);
      }
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "tool_denied") throw error;
      denied = true;
      const { code, message } = error;
      await finishCall(ports, run, call, { ok: false, error: { code, message } });
      return { allowed: false, ...decisionOf(call), reason: message };
    }
    return { allowed: true, ...decisionOf(call), ...(await grantedScope(ports, call)) };
  }

  return {
    toolCallId: call.row.id,
    get stopped() {
      return call.stopTurn;
    },
    get ended() {
      return hasEnded || (call.ending !== undefined && !denied);
    },
    update: (about) => updateCall(turn, call, about),
    approve(approval) {
      approving ??= withdrawnBy(approval.signal, () => approve(approval));
      return approving;
    },
    ask: (request, signal) =>
      withdrawnBy(signal, () =>
        requestInteraction(ports, run, call, request, { kind: "asking", path: HANDLER }),
      ),
    output: (text) => context.output(text),
    end(end) {
      hasEnded = true;
      return finishCall(ports, run, call, end);
    },
  };

  /** Withdraws what is asked when the one who asks no longer wants to know. */
  async function withdrawnBy<Value>(
    signal: AbortSignal | undefined,
    work: () => Promise<Value>,
  ): Promise<Value> {
    if (signal?.aborted) throw withdrawn();
    const withdraw = () => {
      // What is about to be asked is not asked; what is on its way to the store is waited for.
      call.unwanted = true;
      void withdrawPrompts(ports, run, call).catch((error: unknown) =>
        ports.log.warn({ error, callId: call.row.id }, "a prompt could not be withdrawn"),
      );
    };
    signal?.addEventListener("abort", withdraw, { once: true });
    try {
      return await work();
    } finally {
      signal?.removeEventListener("abort", withdraw);
    }
  }
}

async function updateCall(
  { run, envelope }: NativeTurn,
  call: LiveCall,
  more: CallAbout,
): Promise<void> {
  const about = checkAbout(more);
  if (call.ending || Object.keys(about).length === 0) return;
  const { sessionId, id } = call.row;
  await run.commit(() => ({
    sessionId,
    writes: [],
    events: [
      {
        ...envelope,
        type: "tool_call_update",
        callId: id,
        payload: { toolCallId: id, ...shownAbout(about) },
      },
    ],
  }));
  call.about = { ...call.about, ...about };
}

/** What the prompt of the gate says of a call that was decided about. */
function decisionOf({ row, prompts }: LiveCall): NativeDecision {
  const { effectiveInput, input } = row;
  const asked = [...prompts.values()].findLast((one) => isOfGate(one.key) && one.response);
  const { approvalScope: scope, optionId } = asked?.response ?? {};
  return {
    input: structuredClone(effectiveInput ?? input),
    edited: effectiveInput !== null,
    ...(scope === undefined ? {} : { scope }),
    ...(optionId === undefined ? {} : { optionId }),
    ...(asked === undefined ? {} : { interactionId: asked.id }),
  };
}

/** How far that reaches which a person allowed before, where it covers the call. */
async function grantedScope(
  { store }: NativeCallPorts,
  { row }: LiveCall,
): Promise<Pick<NativeDecision, "scope">> {
  const [kind, id = ""] = row.authorizedBy?.split(":") ?? [];
  const grant = kind === "grant" ? await store.grant(id) : null;
  return grant ? { scope: grant.scope } : {};
}

function withdrawn(): ToolError {
  return new ToolError("interaction_cancelled", "The prompt was withdrawn.");
}

const NO_LONGER = "The agent no longer asks this.";

async function withdrawPrompts(
  ports: NativeCallPorts,
  run: LiveRun,
  call: LiveCall,
): Promise<void> {
  await Promise.allSettled(call.storing);
  if (run.lost || call.ending) return;
  await run.commit(async () => {
    const rows = await ports.store.interactionsOfCall(call.row.sessionId, call.row.id);
    const steps = rows
      .filter((row) => isOpen(row) && row.link === "live" && row.runId === run.row.id)
      .map((row) => close(row, "cancelled", ports.clock.now(), NO_LONGER));
    return {
      sessionId: call.row.sessionId,
      writes: steps.map((step) => step.write),
      events: steps.flatMap((step) => step.events),
      interactions: steps.map((step) => step.row),
    };
  });
}

function toToolApproval({ prompt, onlyAsks = false, ...rest }: NativeApproval) {
  return {
    ...rest,
    onlyAsks: () => onlyAsks,
    ...(prompt === undefined ? {} : { prompt: () => prompt }),
  };
}
