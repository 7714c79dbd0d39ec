import { canonicalJson, type CallOrigin, jsonBytes, LIMITS } from "../protocol/index.ts";
import type { CallEnd } from "./agent.ts";
import type { Env } from "./env.ts";
import { finishCall, orphanCall } from "./finish-call.ts";
import { authorize } from "./gate.ts";
import type { EventDraft } from "./interaction.ts";
import { throughJson, toFailure } from "./journal.ts";
import { listIssues, schemaIssues } from "./json-schema.ts";
import type { LiveRun } from "./live-run.ts";
import { createLiveCall, type LiveCall } from "./live-call.ts";
import { outOfTime } from "./patience.ts";
import { type CallRow, type RunRow, StoreUnavailable, type Write } from "./ports.ts";
import { type ToolDefinition, ToolError } from "./tool.ts";
import { createToolContext } from "./tool-context.ts";

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
}

/** What a call does, so that another one can be told from it. */
export function callDigest(env: Env, tool: string, input: unknown): string {
  return env.ids.digest(canonicalJson({ tool, input: throughJson(input) ?? {} }));
}

/** The row and the event of a call that is about to run. */
export function newCall(env: Env, run: RunRow, call: NewCall) {
  const { native } = call;
  const tool = native ? undefined : env.tools.get(call.tool);
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
    inputDigest: callDigest(env, call.tool, input),
    seed: env.ids.next(),
    effectiveInput: null,
    authorizedBy: native ? "runtime" : ownAuthority(tool, input),
    status: "running",
    attempt: 1,
    ok: null,
    result: null,
    error: null,
    createdAt: env.clock.now(),
    endedAt: null,
    version: 1,
  };
  const write: Write = { table: "tool_calls", id: [row.sessionId, row.id], ifVersion: 0, set: row };
  const event: EventDraft = {
    type: "tool_call",
    callId: row.id,
    ...(row.turnId === null ? {} : { turnId: row.turnId }),
    ...(row.responseId === null ? {} : { responseId: row.responseId }),
    payload: { toolCallId: row.id, toolName: row.tool, input, origin: row.origin },
  };
  return { row, write, event };
}

/**
 * Executes a stored call to its end. `again` says that it may have run before: then its tool must be
 * one that can be run again, and finds in the journal what it has done.
 */
export async function executeCall(
  env: Env,
  run: LiveRun,
  row: CallRow,
  how: "first" | "again",
): Promise<CallEnd> {
  const tool = env.tools.get(row.tool);
  const call = await createLiveCall(env, row, tool, how);
  run.addCall(call);
  if (how === "again" && (!tool || !canReplay(tool, row))) return orphanCall(env, run, call);
  const refusal = tool ? refusedArguments(tool, row.input) : unknownTool(row.tool);
  const end = refusal ?? (await Promise.race(endsOf(env, run, call)));
  await finishCall(env, run, call, end);
  return call.end ?? end;
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

/** Whatever may end a call that runs. */
function endsOf(env: Env, run: LiveRun, call: LiveCall): Promise<CallEnd>[] {
  const ends = [handle(env, run, call), call.finished];
  return call.patience ? [...ends, outOfTime(env, run, call, call.patience)] : ends;
}

async function handle(env: Env, run: LiveRun, call: LiveCall): Promise<CallEnd> {
  try {
    const session = await env.store.session(call.row.sessionId);
    await authorize(env, run, call, session?.cwd);
    const context = createToolContext(env, run, call, session?.cwd);
    const args = structuredClone(call.row.effectiveInput ?? call.row.input) as never;
    const scope = { callId: call.row.id, path: "" };
    const result = await env.scope.run(scope, async () => call.tool.handler(args, context));
    return { ok: true, result: throughJson(result) };
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return { ok: false, error: toFailure(error) };
  }
}

function unknownTool(name: string): CallEnd {
  return { ok: false, error: { code: "unknown_tool", message: `There is no tool "${name}".` } };
}

function refusedArguments(tool: ToolDefinition, input: unknown): CallEnd | undefined {
  const issues = schemaIssues(tool.parameters, input);
  if (issues.length === 0) return undefined;
  const message = `The arguments do not fit ${tool.name}: ${listIssues(issues)}.`;
  return { ok: false, error: { code: "invalid_arguments", message, issues } };
}
