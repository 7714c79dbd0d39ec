import {
  canonicalJson,
  type CallAbout,
  type CallOrigin,
  jsonBytes,
  LIMITS,
} from "../../protocol/index.ts";
import { inHandler } from "./call-path.ts";
import { finishCall, orphanCall } from "./finish-call.ts";
import { authorize, type GatePorts } from "./gate.ts";
import type { EventDraft } from "../interaction.ts";
import { throughJson, toFailure } from "./journal.ts";
import { listIssues, schemaIssues } from "../schema/json-schema.ts";
import type { LiveRun } from "../run/live-run.ts";
import { createLiveCall, LiveCall } from "./live-call.ts";
import { never } from "../run/never.ts";
import { shownAbout } from "../prompt/shown-changes.ts";
import { outOfTime } from "./tool-timeout.ts";
import { type CallRow, type RunRow, StoreUnavailable, type Write } from "../ports.ts";
import { type CallEnd, type ToolDefinition, ToolError } from "./tool.ts";
import { createToolContext, type ToolContextPorts } from "./tool-context.ts";
import type { CorePorts } from "../api.ts";

export type NewCallPorts = Pick<CorePorts, "clock" | "ids" | "tools">;
export interface CallPorts extends NewCallPorts, GatePorts, ToolContextPorts {
  options: GatePorts["options"];
}

export interface NewCall {
  id: string;
  tool: string;
  input: unknown;
  origin: CallOrigin;
  callerId: string | null;
  turnId: string | null;
  responseId: string | null;
  /** The running call in whose place it works. */
  anchor?: string;
  /** An agent's runtime executes it, not one of our tools, and calls it this. */
  native?: { id: string; parentCallId: string | null };
  /** What its runtime tells of it beside the input. */
  about?: CallAbout;
}

/** What a call does, so that another one can be told from it. */
export function callDigest(ports: Pick<CorePorts, "ids">, tool: string, input: unknown): string {
  return storedDigest(ports, tool, throughJson(input) ?? {});
}

function storedDigest(ports: Pick<CorePorts, "ids">, tool: string, input: unknown): string {
  return ports.ids.digest(canonicalJson({ tool, input }));
}

/** The row and the event of a call that is about to run. */
export function newCall(ports: NewCallPorts, run: RunRow, call: NewCall) {
  const { native } = call;
  const tool = native ? undefined : ports.tools.get(call.tool);
  const input = throughJson(call.input) ?? {};
  if (jsonBytes(input) > LIMITS.toolInputBytes) {
    throw new ToolError(
      "invalid_arguments",
      `A tool's input has at most ${LIMITS.toolInputBytes} bytes.`,
    );
  }
  const row: CallRow = {
    sessionId: run.sessionId,
    id: call.id,
    nativeId: native?.id ?? null,
    runId: run.id,
    parentCallId: native?.parentCallId ?? call.anchor ?? null,
    tool: call.tool,
    toolVersion: tool?.version ?? null,
    origin: call.origin,
    callerId: call.callerId,
    turnId: call.turnId,
    responseId: call.responseId,
    durable: tool?.durable ?? "orphan",
    input,
    inputDigest: storedDigest(ports, call.tool, input),
    seed: ports.ids.next(),
    effectiveInput: null,
    authorizedBy: native ? "runtime" : ownAuthority(tool, input),
    status: "running",
    ok: null,
    result: null,
    error: null,
    createdAt: ports.clock.now(),
    endedAt: null,
    version: 1,
  };
  const write: Write = { table: "tool_calls", id: [row.sessionId, row.id], ifVersion: 0, set: row };
  const event: EventDraft = {
    type: "tool_call",
    callId: row.id,
    ...(row.turnId === null ? {} : { turnId: row.turnId }),
    ...(row.responseId === null ? {} : { responseId: row.responseId }),
    payload: {
      toolCallId: row.id,
      toolName: row.tool,
      input,
      origin: row.origin,
      ...(call.about === undefined ? {} : shownAbout(call.about)),
      ...(native?.parentCallId ? { parentCallId: native.parentCallId } : {}),
    },
  };
  return { row, write, event };
}

/** A stored call that is to be executed, or the end of one that need not be. */
export type BegunCall = { row: CallRow; how: "first" | "again" } | { end: CallEnd };

/**
 * Executes a stored call to its end. `again` says that it may have run before: then its tool must be
 * one that can be run again, and finds in the journal what it has done. Does not return if the run
 * is no longer ours.
 */
export async function executeCall(
  ports: CallPorts,
  run: LiveRun,
  begun: BegunCall | Promise<BegunCall>,
): Promise<CallEnd> {
  // The one frame that waits with the call: it keeps nothing that the call does not.
  const call = await startCall(ports, run, begun);
  if (!(call instanceof LiveCall)) return run.lost ? never() : call.end;
  const end = await endOf(ports, run, call);
  await finishCall(ports, run, call, end);
  return run.lost ? never() : (call.end ?? end);
}

async function startCall(
  ports: CallPorts,
  run: LiveRun,
  begun: BegunCall | Promise<BegunCall>,
): Promise<LiveCall | { end: CallEnd }> {
  const stored = await begun;
  if ("end" in stored) return stored;
  const { row, how } = stored;
  const tool = ports.tools.get(row.tool);
  const call = await createLiveCall(ports, row, tool, how);
  run.addCall(call);
  if (how === "again" && (!tool || !canReplay(tool, row))) {
    return { end: await orphanCall(ports, run, call) };
  }
  // `tool` was written by whoever made the call a moment ago, and says that its arguments fit.
  const isChecked = how === "first" && row.authorizedBy === "tool";
  const refusal = isChecked ? undefined : refusalOf(tool, row);
  if (!refusal) return call;
  await finishCall(ports, run, call, refusal);
  return { end: call.end ?? refusal };
}

/** A tool without an approval of its own asks by itself where it must. */
function ownAuthority(tool: ToolDefinition | undefined, input: unknown): string | null {
  return tool && !tool.approval && !refusedArguments(tool, input) ? "tool" : null;
}

export function canReplay(tool: ToolDefinition, row: CallRow): boolean {
  return (
    tool.durable === "replay" &&
    row.durable === "replay" &&
    (tool.version ?? null) === row.toolVersion
  );
}

/** The first end of a call that runs: of its handler, from elsewhere, or when its time is over. */
function endOf(ports: CallPorts, run: LiveRun, call: LiveCall): Promise<CallEnd> {
  return new Promise((resolve, reject) => {
    call.conclude = resolve;
    startHandler(ports, run, call).then(
      (returned) => concludeWith(call, returned),
      (error: unknown) => conclude(call, failed(error)),
    );
    if (call.timeout) outOfTime(ports, run, call, call.timeout).then(resolve, reject);
  });
}

/** Gives what the handler has returned, in a box: it may be a promise, and is not waited for here. */
async function startHandler(
  ports: CallPorts,
  run: LiveRun,
  call: LiveCall,
): Promise<{ value: unknown }> {
  const { cwd } = run.session;
  await authorize(ports, run, call, cwd);
  const context = createToolContext(ports, run, call, cwd);
  const args = structuredClone(call.row.effectiveInput ?? call.row.input) as never;
  return { value: inHandler(ports, call, () => call.tool.handler(args, context)) };
}

function concludeWith(call: LiveCall, returned: { value: unknown }): void {
  Promise.resolve(returned.value).then(
    (result) => conclude(call, succeeded(result)),
    (error: unknown) => conclude(call, failed(error)),
  );
}

function conclude(call: LiveCall, end: Promise<CallEnd>): void {
  // Nobody hears of its failure if the call has ended otherwise.
  end.catch(() => {});
  call.conclude?.(end);
}

async function succeeded(result: unknown): Promise<CallEnd> {
  try {
    return { ok: true, result: throughJson(result) };
  } catch (error) {
    return failed(error);
  }
}

async function failed(error: unknown): Promise<CallEnd> {
  if (error instanceof StoreUnavailable) throw error;
  return { ok: false, error: toFailure(error) };
}

function refusalOf(tool: ToolDefinition | undefined, { tool: name, input }: CallRow) {
  if (tool) return refusedArguments(tool, input);
  const error = { code: "unknown_tool", message: `There is no tool "${name}".` };
  return { ok: false, error } as const;
}

function refusedArguments(tool: ToolDefinition, input: unknown): CallEnd | undefined {
  const issues = schemaIssues(tool.parameters, input);
  if (issues.length === 0) return undefined;
  const message = `The arguments do not fit ${tool.name}: ${listIssues(issues)}.`;
  return { ok: false, error: { code: "invalid_arguments", message, issues } };
}
