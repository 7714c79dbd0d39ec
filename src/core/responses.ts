import {
  type ApprovalScope,
  canonicalJson,
  DEFAULTS,
  fieldsOf,
  type InteractionRecord,
  type InteractionResponse,
  LIMITS,
  ProtocolError,
  type ResponseBody,
} from "../protocol/index.ts";
import type { Core, Who } from "./api.ts";
import { type CheckedResponse, checkResponse } from "./check-response.ts";
import { followUps } from "./end-run.ts";
import { type Env, interactionKey } from "./env.ts";
import {
  defined,
  type EventDraft,
  refuse,
  type Refusal,
  respond as decide,
  type Step,
} from "./interaction.ts";
import { land, type Landing } from "./landing.ts";
import type { LiveRun } from "./live-run.ts";
import { touchSession } from "./messages.ts";
import type {
  CommitResult,
  DecisionAudit,
  InteractionRow,
  ResponseRow,
  SessionRow,
} from "./ports.ts";
import { toInteractionRecord } from "./records.ts";
import { startNextTurn } from "./runs.ts";
import { tooManyQueued } from "./send-message.ts";
import { mayRead } from "./sessions.ts";
import { waitFor } from "./signals.ts";
import { type Change, LOST_RACE, untilCommitted } from "./writer.ts";

type Given = Parameters<Core["respond"]>[1];

/** Takes what a person did, by whatever entrance it came. The first one wins. */
export async function respond(env: Env, who: Who, given: Given): Promise<InteractionRecord> {
  if (who.kind !== "person") {
    throw new ProtocolError("person_required", "Machines ask; only a person can answer.");
  }
  const answerId = given.body.responseId ?? env.ids.next();
  return untilCommitted(async () => {
    const { row, session } = await findOwn(env, who, given);
    if (given.disabled) {
      throw new ProtocolError(
        "interaction_disabled",
        "Interactive mode is off for this client. Turn it on to answer.",
      );
    }
    if (await isRepeat(env, who, row, given.body)) return toInteractionRecord(row);
    if (row.status === "expiring") return holdWhileExpiring(env, row);
    if (row.status !== "open") throw toError(refuse(row, await attemptsAfter(env, row)));
    const schema = env.tools.get(row.toolName)?.parameters;
    const checked = checkResponse(row.request, given.body, schema);
    return accept(env, who, given, { row, session, checked, answerId });
  });
}

async function accept(
  env: Env,
  who: Who,
  given: Given,
  at: { row: InteractionRow; session: SessionRow; checked: CheckedResponse; answerId: string },
): Promise<InteractionRecord | typeof LOST_RACE> {
  const { row, session, checked, answerId } = at;
  const now = env.clock.now();
  const response = toResponse(row, checked, who, answerId, given.clientId);
  const step = decide(row, [], response, now);
  if ("refused" in step) return LOST_RACE;
  const late = row.link !== "live";
  if (late && (await env.store.queuedRuns(session.id)).length >= LIMITS.queuedMessagesPerSession) {
    throw tooManyQueued();
  }
  const landing = land(env, late ? null : await env.store.run(row.runId));
  const message = late ? followUps(env, session, [step.row], now) : { writes: [], events: [] };
  const touched = late ? [touchSession(session, { updatedAt: now })] : [];
  const kept = toResponseRow(env, who, given, row, checked, answerId);
  const letGo = env.secrets.hold(row.id, response, checked.secrets);
  const result = await store(env, row, landing, {
    sessionId: row.sessionId,
    writes: [
      step.write,
      { table: "responses", id: [row.id, answerId], ifVersion: 0, set: kept },
      ...landing.writes,
      ...message.writes,
      ...touched,
    ],
    events: [...audited(env, step, kept, given.clientId), ...message.events],
    interactions: [step.row],
  }).catch((error: unknown) => {
    letGo();
    throw error;
  });
  if (!result.ok) {
    letGo();
    return LOST_RACE;
  }
  if (late) await startNextTurn(env, session.id);
  return toInteractionRecord(step.row);
}

/** Resolves when the answer is on disk. Its run goes on then, or before where that can do no harm. */
async function store(
  env: Env,
  row: InteractionRow,
  landing: Landing,
  change: Change,
): Promise<CommitResult> {
  const held = landing.held();
  if (!held || !mayGoAhead(held, row)) {
    const result = await env.writer.commit(change);
    if (result.ok) landing.proceed();
    return result;
  }
  const { decided, stored } = env.writer.commitAhead(change);
  const { ok } = await decided;
  // One that was let go meanwhile has to be entered again, and that waits for the disk.
  const isHeld = landing.held() === held;
  if (ok && isHeld) {
    held.goAheadOf(stored);
    landing.proceed();
  }
  const result = await stored;
  if (result.ok && !isHeld) landing.proceed();
  return result;
}

/** Not with an approval: it lets something happen. */
function mayGoAhead(run: LiveRun, { type, callId }: InteractionRow): boolean {
  const pure = run.calls.get(callId)?.tool.pureHooks ?? false;
  return type === "input" && pure && run.mayRunAhead;
}

/** Puts with the response how it was made and what was shown to whoever made it. */
function audited(
  env: Env,
  { row, events }: Step,
  { principalId, tokenId, via, editedDigest }: ResponseRow,
  clientId: string | undefined,
): EventDraft[] {
  const audit: DecisionAudit = defined({
    principalId,
    tokenId,
    via,
    clientId,
    shownDigest: env.ids.digest(canonicalJson(row.request)),
    actionDigest: row.actionDigest ?? undefined,
    editedDigest: editedDigest ?? undefined,
  });
  return events.map((event) =>
    event.type === "interaction_response" ? { ...event, audit } : event,
  );
}

async function findOwn(env: Env, who: Who, given: Omit<Given, "body" | "via">) {
  const row = await env.store.interaction(given.interactionId);
  const session = row ? await env.store.session(row.sessionId) : null;
  const named =
    row !== null &&
    (given.sessionId === undefined || given.sessionId === row.sessionId) &&
    (given.toolCallId === undefined || given.toolCallId === row.callId);
  if (!row || !named || !session || session.deletedAt !== null || !mayRead(who, session)) {
    throw interactionNotFound();
  }
  return { row, session };
}

export function interactionNotFound(): ProtocolError {
  return new ProtocolError("interaction_not_found", "There is no such prompt.");
}

/** The same answer sent again, by the same person: the network may repeat, the decision does not. */
async function isRepeat(
  env: Env,
  who: Who,
  row: InteractionRow,
  body: ResponseBody,
): Promise<boolean> {
  if (body.responseId === undefined || row.decidedResponseId !== body.responseId) return false;
  const before = await env.store.response(row.id, body.responseId);
  const same = before?.bodyDigest === bodyDigest(env, row, body);
  return same && before.principalId === who.principalId;
}

/** The tool's `onTimeout` is deciding; the answer waits for it, and then for what it decided. */
async function holdWhileExpiring(env: Env, row: InteractionRow): Promise<typeof LOST_RACE> {
  const patience = new AbortController();
  const stop = env.clock.timer(DEFAULTS.expiringHoldMs, () => patience.abort());
  const look = async () => {
    const now = await env.store.interaction(row.id);
    return now?.status === "expiring" ? undefined : (now ?? row);
  };
  const settled = await waitFor(env.signals, interactionKey(row.id), look, patience.signal);
  stop();
  if (settled) return LOST_RACE;
  throw toError({ refused: "interaction_closed", reason: "timed_out" });
}

export async function attemptsAfter(env: Env, row: InteractionRow): Promise<InteractionRow[]> {
  const rows = await env.store.interactionsOfCall(row.sessionId, row.callId);
  return rows.filter((one) => one.key === row.key && one.attempt > row.attempt);
}

export function toError(refusal: Refusal): ProtocolError {
  switch (refusal.refused) {
    case "stale_interaction":
      return new ProtocolError(
        "stale_interaction",
        "This prompt was replaced by a newer one. Answer that one instead.",
        defined({ current: refusal.current, response: refusal.response ?? undefined }),
      );
    case "already_answered":
      return new ProtocolError(
        "already_answered",
        `${refusal.response.responder.name ?? "Somebody"} answered this already.`,
        { response: refusal.response },
      );
    case "interaction_closed":
      return new ProtocolError(
        "interaction_closed",
        CLOSED[refusal.reason] ?? "This prompt is closed.",
        {
          reason: refusal.reason,
        },
      );
  }
}

const CLOSED: Partial<Record<InteractionRow["status"], string>> = {
  timed_out: "Nobody answered in time; this prompt is closed.",
  cancelled: "This prompt was cancelled before it was answered.",
  failed: "The tool call that asked has failed; this prompt is closed.",
  superseded: "This prompt was replaced.",
};

function toResponse(
  row: InteractionRow,
  { body, secrets }: CheckedResponse,
  who: Who,
  answerId: string,
  clientId: string | undefined,
): InteractionResponse {
  const secretFields = Object.keys(secrets);
  return defined({
    toolCallId: row.callId,
    interactionId: row.id,
    answerId,
    action: body.action,
    approvalScope: body.action === "approve" ? chosenScope(row, body) : undefined,
    optionId: body.optionId,
    input: body.input,
    secretFields: secretFields.length > 0 ? secretFields : undefined,
    updatedInput: body.updatedInput,
    reason: body.reason,
    stop: body.stop,
    responder: defined({ id: who.principalId, name: who.name, clientId }),
  });
}

function chosenScope(row: InteractionRow, body: ResponseBody): ApprovalScope {
  const option = row.request.approvalOptions?.find((one) => one.id === body.optionId);
  return body.approvalScope ?? option?.scope ?? "once";
}

function toResponseRow(
  env: Env,
  who: Who,
  given: Given,
  row: InteractionRow,
  { body, secrets }: CheckedResponse,
  id: string,
): ResponseRow {
  const markers = Object.fromEntries(Object.keys(secrets).map((field) => [field, SECRET]));
  const edited = body.updatedInput;
  return {
    interactionId: row.id,
    id,
    bodyDigest: bodyDigest(env, row, given.body),
    principalId: who.principalId,
    tokenId: who.tokenId,
    via: given.via,
    action: body.action,
    scope: body.approvalScope ?? null,
    optionId: body.optionId ?? null,
    input: body.input ? { ...body.input, ...markers } : null,
    editedDigest: edited === undefined ? null : env.ids.digest(canonicalJson(edited)),
    reason: body.reason ?? null,
    stop: body.stop ?? false,
    verdict: "decided",
    late: row.link !== "live",
    createdAt: env.clock.now(),
    version: 1,
  };
}

const SECRET = { secret: true };

/** Recognises a repeated body. A secret's value leaves no trace in it: a digest can be guessed at. */
function bodyDigest(env: Env, row: InteractionRow, body: ResponseBody): string {
  const { action, approvalScope, optionId, input, updatedInput, reason, stop } = body;
  const fields = row.request.inputSchema ? fieldsOf(row.request.inputSchema) : [];
  const shown = { ...input };
  for (const field of fields) {
    if (field.type === "secret" && field.id in shown) shown[field.id] = SECRET;
  }
  const parts = { action, approvalScope, optionId, input: shown, updatedInput, reason, stop };
  return env.ids.digest(canonicalJson(parts));
}
