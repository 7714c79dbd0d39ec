import { isOfGate } from "../call/gate-key.ts";
import {
  canonicalJson,
  fieldsOf,
  type InteractionRequest,
  jsonBytes,
  LIMITS,
  type PromptRequest,
  type RequestAsker,
} from "../../protocol/index.ts";
import { isAnchored, shownIn } from "../call/anchored.ts";
import { defined, nextRequest } from "../interaction.ts";
import { changesOfPrompt, shownChanges } from "./shown-changes.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { LiveCall } from "../call/live-call.ts";
import type { InteractionRow, RunRow } from "../ports.ts";
import type { CorePorts } from "../api.ts";

/** The first attempt of a prompt, as it will be stored. */
export function firstPrompt(
  ports: Pick<CorePorts, "clock" | "ids">,
  run: { row: Pick<RunRow, "id"> },
  call: Pick<LiveCall, "row" | "tool" | "about">,
  prompt: PromptRequest,
  facts: {
    key: string;
    cwd: string | null;
    asker: RequestAsker;
    timeoutMs: number | null;
    hasTimeoutHook: boolean;
  },
): InteractionRow {
  const id = ports.ids.next();
  const context = defined({ cwd: facts.cwd ?? undefined, ...prompt.context });
  const request: InteractionRequest = defined({
    ...contentOf(prompt),
    title: prompt.title ?? (prompt.type === "approval" ? call.about?.title : undefined),
    ...shownChanges(changesOfPrompt(call, prompt)),
    toolCallId: shownIn(call.row),
    interactionId: id,
    toolName: call.row.tool,
    asker: facts.asker,
    promptBy: isToldByTool(call, prompt, facts.key) ? "tool" : undefined,
    anchored: isAnchored(call.row) || undefined,
    presentation: prompt.presentation ?? call.tool.presentation ?? "tool",
    context: Object.keys(context).length > 0 ? context : undefined,
    ...(prompt.type === "approval" ? approvalParts(call, prompt, facts.key) : {}),
    timeoutMs: facts.timeoutMs ?? undefined,
    attempt: 1,
  } as InteractionRequest);
  return toRow(ports, run, call, request, {
    key: facts.key,
    previousId: null,
    hasTimeoutHook: facts.hasTimeoutHook,
    requestDigest: promptDigest(ports, prompt),
  });
}

/** The next attempt: what the re-prompt leaves out is as before, and what was typed is kept. */
export function nextPrompt(
  ports: Pick<CorePorts, "clock" | "ids">,
  run: LiveRun,
  call: LiveCall,
  before: InteractionRow,
  again: PromptRequest,
): InteractionRow {
  const id = ports.ids.next();
  const content = contentOf(again);
  const sameForm =
    again.type === before.type && again.inputSchema === undefined && again.questions === undefined;
  const kept = sameForm
    ? { inputSchema: before.request.inputSchema, questions: before.request.questions }
    : {};
  const request = nextRequest(
    { ...offeredBefore(call, before, again), ...before.request },
    defined({
      prompt: before.request.prompt,
      ...defined(kept),
      ...content,
      ...shownChanges(again.changes),
      timeoutMs: again.timeoutMs === null ? undefined : again.timeoutMs,
    }),
    { toolCallId: shownIn(call.row), interactionId: id, attempt: before.attempt + 1 },
  );
  if (again.timeoutMs === null) delete request.timeoutMs;
  if (again.changes) delete request[request.changes ? "changesBytes" : "changes"];
  if (request.interactionType === "input") delete request.approvalScopes;
  else Object.assign(request, approvalParts(call, request, before.key));
  keepTyped(request, before, again);
  return toRow(ports, run, call, request, {
    key: before.key,
    previousId: before.id,
    hasTimeoutHook: before.hasTimeoutHook,
    requestDigest: promptDigest(ports, again),
  });
}

export function promptDigest(
  ports: Pick<CorePorts, "clock" | "ids">,
  prompt: PromptRequest,
): string {
  return ports.ids.digest(canonicalJson(prompt));
}

/** Over what stood there before comes what was typed, and over both what the tool says now. */
function keepTyped(
  request: InteractionRequest,
  before: InteractionRow,
  again: PromptRequest,
): void {
  const typed = before.response?.input;
  const schema = request.inputSchema;
  if (!schema || !typed) return;
  const known = fieldsOf(schema).filter((field) => field.type !== "secret" && field.id in typed);
  const values = Object.fromEntries(known.map((field) => [field.id, typed[field.id]]));
  const said = again.inputSchema?.initialValues;
  request.inputSchema = {
    ...schema,
    initialValues: { ...schema.initialValues, ...values, ...said },
  };
}

/** The gate asks in the words of a tool's `approval`; for a runtime's own tool in those of the runtime. */
function isToldByTool({ row }: Pick<LiveCall, "row">, { prompt }: PromptRequest, key: string) {
  return isOfGate(key) && row.nativeId === null && prompt !== undefined;
}

function contentOf(prompt: PromptRequest): Partial<InteractionRequest> {
  const { type, key: _key, whenUnavailable: _when, timeoutMs: _timeout, ...rest } = prompt;
  // Whose words they are is for the server to say, not for whoever asks.
  const { promptBy: _by, changes: _changes, changesBytes: _bytes, ...shown } = rest;
  const { rememberedBy: _keeper, ...content } = shown;
  return { ...content, interactionType: type };
}

/** A person sees what is approved, and how far it can reach, whoever asks and however often. */
function approvalParts(
  call: Pick<LiveCall, "row" | "tool">,
  offer: Pick<PromptRequest, "approvalScopes" | "approvalOptions" | "approvalCovers">,
  key: string,
): Partial<InteractionRequest> {
  const { approvalScopes, approvalOptions, approvalCovers } = offer;
  const scopes =
    approvalScopes ?? (approvalOptions ? undefined : ["once" as const, "session" as const]);
  const offered = [
    ...(scopes ?? []),
    ...(approvalOptions ?? []).map(({ scope = "once" }) => scope),
  ];
  // The gate keeps what it offers. A tool that asks by itself may call `approvals.set`, or not.
  const isToTool = !isOfGate(key) && approvalCovers === undefined;
  const isToAgent = isOfGate(key) && call.tool.approval?.rememberedBy === "agent";
  const keeper = isToTool ? "tool" : isToAgent ? "agent" : undefined;
  const rememberedBy = offered.some((scope) => scope !== "once") ? keeper : undefined;
  return defined({ approvalScopes: scopes, rememberedBy, ...shownInput(call) });
}

/** From an input back to an approval: what was offered there counts, not what is offered by default. */
function offeredBefore(
  call: LiveCall,
  { key, type }: InteractionRow,
  again: PromptRequest,
): Partial<InteractionRequest> {
  if (type === "approval" || again.type !== "approval") return {};
  const attempts = [...call.prompts.values()].filter((row) => row.key === key);
  const { request } = attempts.findLast((row) => row.type === "approval") ?? {};
  if (!request) return {};
  const { approvalScopes, approvalOptions, approvalCovers, editable } = request;
  return defined({ approvalScopes, approvalOptions, approvalCovers, editable });
}

/** A large input stays with its call; the prompt tells its size, and one read away is all of it. */
function shownInput(call: Pick<LiveCall, "row">): Partial<InteractionRequest> {
  const input = call.row.effectiveInput ?? call.row.input;
  const bytes = jsonBytes(input);
  return bytes > LIMITS.inlineToolInputBytes ? { toolInputBytes: bytes } : { toolInput: input };
}

function toRow(
  ports: Pick<CorePorts, "clock" | "ids">,
  run: { row: Pick<RunRow, "id"> },
  call: Pick<LiveCall, "row">,
  request: InteractionRequest,
  facts: Pick<InteractionRow, "key" | "previousId" | "hasTimeoutHook" | "requestDigest">,
): InteractionRow {
  const now = ports.clock.now();
  const expiresAt =
    typeof request.timeoutMs === "number" ? now + Math.round(request.timeoutMs) : null;
  const input = call.row.effectiveInput ?? call.row.input;
  return {
    id: request.interactionId,
    // Not first: a copy with more added to it would have a hidden class of its own.
    ...facts,
    sessionId: call.row.sessionId,
    callId: shownIn(call.row),
    runId: run.row.id,
    toolName: call.row.tool,
    turnId: call.row.turnId,
    responseId: call.row.responseId,
    attempt: request.attempt,
    type: request.interactionType,
    status: "open",
    link: "live",
    request:
      expiresAt === null
        ? request
        : {
            ...request,
            expiresAt: new Date(expiresAt).toISOString(),
            afterTimeout: facts.hasTimeoutHook ? "tool" : "fail",
          },
    actionDigest:
      request.interactionType === "approval"
        ? ports.ids.digest(canonicalJson({ tool: call.row.tool, input }))
        : null,
    createdAt: now,
    expiresAt,
    endedAt: null,
    decidedResponseId: null,
    response: null,
    outcome: null,
    adoptedByCall: null,
    version: 1,
  };
}
