import {
  type ApprovalScope,
  canonicalJson,
  DEFAULTS,
  fieldsOf,
  type InteractionRecord,
  type InteractionResponse,
  ProtocolError,
  type ResponseBody,
} from "../protocol/index.ts";
import type { Core, CorePorts } from "./api.ts";
import { type CheckedResponse, checkResponse } from "./prompt/check-response.ts";
import type { EndPorts } from "./run/end.ts";
import { isOfGate } from "./call/gate-key.ts";
import { followUps } from "./prompt/late-answer.ts";
import { defined, refuse, respond as decide } from "./interaction.ts";
import { type ClaimPorts, claimRun, type Claim } from "./run/claim.ts";
import type { LiveRun, LiveRunPorts } from "./run/live-run.ts";
import { queueLimit, touchSession, tooManyQueued } from "./turn/messages.ts";
import type {
  CommitResult,
  InteractionRow,
  ResponseRow,
  RunRow,
  SessionRow,
  Who,
} from "./ports.ts";
import { toInteractionRecord } from "./session/records.ts";
import { isThere } from "./session/sessions.ts";
import { audited, responseWrite } from "./prompt/decision.ts";
import { waitAtMost, interactionKey, type Signals } from "./live/signals.ts";
import { type Change, LOST_RACE, untilCommitted, type Writer } from "./writer.ts";
import { interactionNotFound, attemptsAfter, toError } from "./prompt/refusals.ts";
import { executorElsewhere, sealFor } from "./prompt/sealed-secrets.ts";
import type { Secrets } from "./prompt/secrets.ts";

export interface RespondPorts
  extends
    ClaimPorts,
    EndPorts,
    Pick<CorePorts, "tools" | "sealing">,
    Pick<LiveRunPorts, "awaited"> {
  secrets: Secrets;
  signals: Signals;
  writer: Writer;
  startNextTurn(sessionId: string): Promise<void>;
}

type Given = Parameters<Core["respond"]>[1];

/** Takes what a person did, by whatever entrance it came. The first one wins. */
export async function respond(
  ports: RespondPorts,
  who: Who,
  given: Given,
): Promise<InteractionRecord> {
  if (who.kind !== "person") {
    throw new ProtocolError("person_required", "Machines ask; only a person can answer.");
  }
  const answerId = given.body.responseId ?? ports.ids.next();
  let held = findHeld(ports, given);
  return untilCommitted(async () => {
    const { row, session, run } = held ?? (await findOwn(ports, who, given));
    // Who has lost a race looks.
    held = undefined;
    if (given.disabled) {
      throw new ProtocolError(
        "interaction_disabled",
        "Interactive mode is off for this client. Turn it on to answer.",
      );
    }
    if (await isRepeat(ports, who, row, given.body)) return toInteractionRecord(row);
    if (row.status === "expiring") return holdWhileExpiring(ports, row);
    if (row.status !== "open") throw toError(refuse(row, await attemptsAfter(ports, row)));
    const schema = ports.tools.get(row.toolName)?.parameters;
    const checked = checkResponse(row.request, given.body, schema);
    return accept(ports, who, given, { row, session, run, checked, answerId });
  });
}

async function accept(
  ports: RespondPorts,
  who: Who,
  given: Given,
  at: {
    row: InteractionRow;
    session: SessionRow;
    run: RunRow | null;
    checked: CheckedResponse;
    answerId: string;
  },
): Promise<InteractionRecord | typeof LOST_RACE> {
  const { row, session, checked, answerId } = at;
  const now = ports.clock.now();
  const response = toResponse(row, checked, who, answerId, given.clientId);
  const step = decide(row, [], response, now);
  if ("refused" in step) return LOST_RACE;
  const late = row.link !== "live";
  const run = late ? null : at.run;
  const claim = await claimRun(ports, run);
  const message = late ? followUps(ports, session, [step.row], now) : { writes: [], events: [] };
  const touched = late ? [touchSession(session, { updatedAt: now })] : [];
  const sealed = await sealFor(ports, run, checked.secrets);
  const kept = { ...toResponseRow(ports, who, given, row, checked, answerId), sealed };
  const letGo = ports.secrets.hold(row.id, response, checked.secrets);
  const change: Change = {
    sessionId: row.sessionId,
    writes: [step.write, responseWrite(kept), ...claim.writes, ...message.writes, ...touched],
    events: [...audited(ports, step, kept, given.clientId), ...message.events],
    interactions: [step.row],
    claimed: claim.claimed,
    inDoubt: claim.inDoubt,
    ...(late ? { limits: [queueLimit(session.id)] } : {}),
  };
  const result = await store(ports, row, claim, change).catch((error: unknown) => {
    letGo();
    throw error;
  });
  if (!result.ok) {
    letGo();
    if (result.reason === "full") throw tooManyQueued();
    return LOST_RACE;
  }
  // They are the other process's now, and no more ours to know.
  if (executorElsewhere(ports, run) !== undefined) letGo();
  if (late) await ports.startNextTurn(session.id);
  return toInteractionRecord(step.row);
}

/** Resolves when the answer is on disk. Its run goes on then, or before where that can do no harm. */
async function store(
  ports: RespondPorts,
  row: InteractionRow,
  claim: Claim,
  change: Change,
): Promise<CommitResult> {
  const held = claim.held();
  if (!held || !mayGoAhead(held, row)) {
    const result = await ports.writer.commit(change);
    if (result.ok) claim.proceed();
    return result;
  }
  const { decided, stored } = ports.writer.commitAhead(change);
  const { ok } = await decided;
  // One that was let go meanwhile has to be entered again, and that waits for the disk.
  const isHeld = claim.held() === held;
  if (ok && isHeld) {
    held.goAheadOf(stored);
    claim.proceed();
  }
  const result = await stored;
  if (result.ok && !isHeld) claim.proceed();
  return result;
}

/**
 * Not where a tool's own hook hears of an approval, which may let something happen. The gate's hook
 * does nothing, and what the gate lets run waits until it is on disk why it runs.
 */
function mayGoAhead(run: LiveRun, { type, key, callId }: InteractionRow): boolean {
  if (!run.mayRunAhead) return false;
  const isPure = run.calls.get(callId)?.tool.pureHooks ?? false;
  return isOfGate(key) || (type === "input" && isPure);
}

/**
 * The prompt as the run knows it that waits for it in this process. If it has changed, its version has,
 * and so has that of its run when the session is deleted: then nothing that follows from it is stored.
 */
function findHeld({ awaited }: RespondPorts, given: Given) {
  const held = awaited.get(given.interactionId);
  const row = held?.awaitedPrompt(given.interactionId);
  if (!held || !row || !isNamed(given, row)) return undefined;
  return { row, session: held.session, run: held.row };
}

function isNamed(
  { sessionId, toolCallId }: Pick<Given, "sessionId" | "toolCallId">,
  row: InteractionRow,
) {
  return (
    (sessionId ?? row.sessionId) === row.sessionId && (toolCallId ?? row.callId) === row.callId
  );
}

async function findOwn(ports: RespondPorts, who: Who, given: Omit<Given, "body" | "via">) {
  const row = await ports.store.interaction(given.interactionId);
  if (!row) throw interactionNotFound();
  const [session, run] = await Promise.all([
    ports.store.session(row.sessionId),
    ports.store.run(row.runId),
  ]);
  if (!isThere(who, session) || !isNamed(given, row)) throw interactionNotFound();
  return { row, session, run };
}

/** The same answer sent again, by the same person: the network may repeat, the decision does not. */
async function isRepeat(
  ports: RespondPorts,
  who: Who,
  row: InteractionRow,
  body: ResponseBody,
): Promise<boolean> {
  if (body.responseId === undefined || row.decidedResponseId !== body.responseId) return false;
  const before = await ports.store.response(row.id, body.responseId);
  const same = before?.bodyDigest === bodyDigest(ports, row, body);
  return same && before.principalId === who.principalId;
}

/** The tool's `onTimeout` is deciding; the answer waits for it, and then for what it decided. */
async function holdWhileExpiring(
  ports: RespondPorts,
  row: InteractionRow,
): Promise<typeof LOST_RACE> {
  const look = async () => {
    const now = await ports.store.interaction(row.id);
    return now?.status === "expiring" ? undefined : (now ?? row);
  };
  const waitMs = DEFAULTS.expiringHoldMs;
  const settled = await waitAtMost(ports, { waitMs }, interactionKey(row.id), look);
  if (settled) return LOST_RACE;
  throw toError({ refused: "interaction_closed", reason: "timed_out" });
}

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
  ports: RespondPorts,
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
    bodyDigest: bodyDigest(ports, row, given.body),
    principalId: who.principalId,
    tokenId: who.tokenId,
    via: given.via,
    action: body.action,
    scope: body.approvalScope ?? null,
    optionId: body.optionId ?? null,
    input: body.input ? { ...body.input, ...markers } : null,
    sealed: null,
    editedDigest: edited === undefined ? null : ports.ids.digest(canonicalJson(edited)),
    reason: body.reason ?? null,
    stop: body.stop ?? false,
    verdict: "decided",
    late: row.link !== "live",
    createdAt: ports.clock.now(),
    version: 1,
  };
}

const SECRET = { secret: true };

/** Recognises a repeated body. A secret's value leaves no trace in it: a digest can be guessed at. */
function bodyDigest(ports: RespondPorts, row: InteractionRow, body: ResponseBody): string {
  const { action, approvalScope, optionId, input, updatedInput, reason, stop } = body;
  const fields = row.request.inputSchema ? fieldsOf(row.request.inputSchema) : [];
  const shown = { ...input };
  for (const field of fields) {
    if (field.type === "secret" && field.id in shown) shown[field.id] = SECRET;
  }
  const parts = { action, approvalScope, optionId, input: shown, updatedInput, reason, stop };
  return ports.ids.digest(canonicalJson(parts));
}
