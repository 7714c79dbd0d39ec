import type { ApprovalScope, RequestContext } from "../protocol/index.ts";
import { ToolCallId } from "../protocol/index.ts";
import type { CallEnd } from "./agent.ts";
import { newCall } from "./calls.ts";
import { requestInteraction } from "./engine.ts";
import { callsKey, type Env } from "./env.ts";
import { finishCall } from "./finish-call.ts";
import { authorize, disown } from "./gate.ts";
import { close, isOpen } from "./interaction.ts";
import { createLiveCall, type LiveCall } from "./live-call.ts";
import type { LiveRun } from "./live-run.ts";
import type { SessionRow } from "./ports.ts";
import { type InteractionRequestWithHooks, ToolError } from "./tool.ts";
import { createToolContext } from "./tool-context.ts";

/** One use of a tool as an agent's runtime tells of it. */
export interface NativeUse {
  /** The runtime's own id; it becomes the call's unless the session has one of that name. */
  nativeId: string;
  toolName: string;
  input: unknown;
  /** The call inside which it is made, by a sub-agent. */
  parentCallId?: string;
}

/** What a runtime asks before it executes a call. */
export interface NativeApproval {
  /** What kind of approval it is, where it is not one to run something. */
  kind?: string;
  prompt?: string;
  context?: RequestContext;
  /** What an approval for the session or for always covers: calls with this key. @default the input */
  key?: string;
  covers?: { session?: string[]; always?: string[] };
  scopes?: ApprovalScope[];
  editable?: boolean;
  timeoutMs?: number | null;
  /** Aborts when the runtime no longer wants to know: the prompt is withdrawn everywhere. */
  signal?: AbortSignal;
}

/** How a call may run. */
interface NativePermission {
  /** What runs: the input, as the person left it. */
  input: unknown;
  edited: boolean;
}

/** A call that an agent's runtime executes itself, and that people see like any other. */
export interface NativeCall {
  readonly toolCallId: string;
  /** Somebody denied it and said that the turn is to stop: it does when the call is ended. */
  readonly stopped: boolean;
  /** It has its result, or is about to: its native id used again is another call. */
  readonly ended: boolean;
  /**
   * Resolves when a person, or what one of them allowed before, lets it run; asked again it gives
   * the same again. Throws a `ToolError`: `tool_denied` with the person's reason,
   * `interaction_timeout`, `interaction_cancelled`.
   */
  approve(approval: NativeApproval): Promise<NativePermission>;
  /** Asks something else about it. */
  ask(request: InteractionRequestWithHooks, signal?: AbortSignal): Promise<unknown>;
  /** Shows a piece of output while it runs. Not stored. */
  output(text: string): void;
  end(end: CallEnd): Promise<void>;
}

interface Place {
  env: Env;
  run: LiveRun;
  session: SessionRow;
  envelope: { turnId: string; responseId: string };
}

/** Finds a call that the runtime told of before its process died. */
export async function findNativeCall(
  place: Place,
  nativeId: string,
): Promise<NativeCall | undefined> {
  const { env, run } = place;
  const rows = await env.store.calls(run.row.id);
  const row = rows.findLast((one) => one.nativeId === nativeId);
  if (!row) return undefined;
  const call = await createLiveCall(env, row, undefined, "again");
  // What has its result gets no other one, and nobody is asked about it any more.
  if (row.status === "ended") call.ending = Promise.resolve();
  else run.addCall(call);
  return toNativeCall(place, call);
}

/** Stores a call that the runtime is about to execute, and lets people see it. */
export async function startNativeCall(place: Place, use: NativeUse): Promise<NativeCall> {
  const { env, run, session, envelope } = place;
  const id = await callIdFor(env, session.id, use.nativeId);
  const created = newCall(env, run.row, {
    id,
    tool: use.toolName,
    input: use.input,
    origin: "agent",
    callerId: null,
    ...envelope,
    native: { id: use.nativeId, parentCallId: use.parentCallId ?? null },
  });
  run.expectCall();
  await run.add(() => ({
    sessionId: session.id,
    writes: [created.write, ...run.waking()],
    events: [created.event],
  }));
  const call = await createLiveCall(env, created.row, undefined, "first");
  run.addCall(call);
  // The commit told of it before it was here.
  env.signals.fire(callsKey(session.id));
  return toNativeCall(place, call);
}

async function callIdFor(env: Env, sessionId: string, nativeId: string): Promise<string> {
  return (await isGoodId(env, sessionId, nativeId)) ? nativeId : env.ids.next();
}

/** Providers use an id more than once, and some have ids that ours cannot be. */
export async function isGoodId(env: Env, sessionId: string, nativeId: string): Promise<boolean> {
  const fits = ToolCallId.safeParse(nativeId).success;
  return fits && (await env.store.call(sessionId, nativeId)) === null;
}

function toNativeCall({ env, run, session }: Place, call: LiveCall): NativeCall {
  const context = createToolContext(env, run, call, session.cwd);
  let approving: Promise<NativePermission> | undefined;

  async function approve(approval: NativeApproval): Promise<NativePermission> {
    const { error } = call.row;
    if (error) throw new ToolError(error.code, error.message);
    if (call.row.status !== "ended") {
      call.tool.approval = toToolApproval(approval);
      await disown(env, run, call);
      await authorize(env, run, call, session.cwd);
    }
    const { effectiveInput, input } = call.row;
    return { input: effectiveInput ?? input, edited: effectiveInput !== null };
  }

  return {
    toolCallId: call.row.id,
    get stopped() {
      return call.stopTurn;
    },
    get ended() {
      return call.ending !== undefined;
    },
    approve(approval) {
      approving ??= withdrawnBy(approval.signal, () => approve(approval));
      return approving;
    },
    ask: (request, signal) =>
      withdrawnBy(signal, () =>
        env.scope.run({ callId: call.row.id, path: "" }, () =>
          requestInteraction(env, run, call, request, "asking"),
        ),
      ),
    output: (text) => context.output(text),
    end: (end) => finishCall(env, run, call, end),
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
      void withdrawPrompts(env, run, call).catch((error: unknown) =>
        env.log.warn({ error, callId: call.row.id }, "a prompt could not be withdrawn"),
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

function withdrawn(): ToolError {
  return new ToolError("interaction_cancelled", "The prompt was withdrawn.");
}

const NO_LONGER = "The agent no longer asks this.";

async function withdrawPrompts(env: Env, run: LiveRun, call: LiveCall): Promise<void> {
  await Promise.allSettled(call.storing);
  if (run.lost || call.ending) return;
  await run.commit(async () => {
    const rows = await env.store.interactionsOfCall(call.row.sessionId, call.row.id);
    const steps = rows
      .filter((row) => isOpen(row) && row.link === "live" && row.runId === run.row.id)
      .map((row) => close(row, "cancelled", env.clock.now(), NO_LONGER));
    return {
      sessionId: call.row.sessionId,
      writes: steps.map((step) => step.write),
      events: steps.flatMap((step) => step.events),
      interactions: steps.map((step) => step.row),
    };
  });
}

function toToolApproval({ prompt, key, ...rest }: NativeApproval) {
  return {
    ...rest,
    ...(prompt === undefined ? {} : { prompt: () => prompt }),
    ...(key === undefined ? {} : { key: () => key }),
  };
}
