import {
  canonicalJson,
  type InteractionRecord,
  LIMITS,
  type PromptRequest,
  ProtocolError,
} from "../protocol/index.ts";
import { findAskPlace, inPlaceOf, mark, readPlace } from "./ask-place.ts";
import type { Core, Who } from "./api.ts";
import { newCall } from "./calls.ts";
import { checkPrompt, hasSecret } from "./check-request.ts";
import { requestInteraction } from "./engine.ts";
import { type Env, interactionKey } from "./env.ts";
import { finishCall, stopTurnOf } from "./finish-call.ts";
import { isOpen, open } from "./interaction.ts";
import { toFailure } from "./journal.ts";
import { createLiveCall } from "./live-call.ts";
import type { LiveRun } from "./live-run.ts";
import { withRoom } from "./may-ask.ts";
import { touchSession } from "./messages.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { type AskState, type CallRow, type RunRow, StoreUnavailable, type Write } from "./ports.ts";
import { firstPrompt } from "./prompts.ts";
import { payerOf } from "./quotas.ts";
import { toInteractionRecord } from "./records.ts";
import { queuedRun } from "./run-writes.ts";
import { findSession, newSession, storeSession } from "./sessions.ts";
import { waitFor } from "./signals.ts";
import { type ToolDefinition, ToolError } from "./tool.ts";
import { type Waiting, waitingOf } from "./waiting.ts";
import { withdrawPrompt } from "./withdraw.ts";
import { LOST_RACE, untilCommitted } from "./writer.ts";

/*
 * Asking from outside. A program that is no tool of ours asks, and goes away or waits. What it asks
 * is stored with a run that rests from its first moment: no process, no closure, no timer belongs
 * to it. When something lands on its prompt, the run is entered, and its one step is to end.
 */

type Given = Parameters<Core["ask"]>[1];
type Asked = Awaited<ReturnType<Core["ask"]>>;

/** The agent of sessions that were made for asking: nobody reads messages there. */
const OUTSIDE = "outside";

/** @param held whether the prompt is there only as long as somebody waits for its answer */
export async function ask(env: Env, who: Who, given: Given, held = false): Promise<Asked> {
  const { requestId, sessionId: named, toolCallId, toolName = "ask", toolInput, origin } = given;
  const prompt = toPrompt(given, who);
  const digest = env.ids.digest(
    canonicalJson({ prompt, toolName, toolInput, toolCallId, sessionId: named }),
  );
  const before = await findBefore(env, who, requestId, digest);
  if (before) return before;
  const waiting = waitingOf("asking", env.options.defaults, given.prompt);
  await checkThere(env, waiting);
  const sessionId = named ?? who.sessionId ?? (await ownSession(env, who, given.place));
  const place = await findAskPlace(env, who, sessionId, given);
  env.quotas.spend(payerOf(who), "asksPerMinute");
  return oneAtATime(env.opening, sessionId, new Promise<never>(() => {}), () =>
    untilCommitted(async () => {
      const repeated = await findBefore(env, who, requestId, digest);
      if (repeated) return repeated;
      const session = await findSession(env, who, sessionId);
      const anchor = await readPlace(env, sessionId, place, toolCallId !== undefined);
      const asked = { v: 1, ask: prompt, askedBy: who.principalId, held } as const;
      const run = newRun(
        env,
        sessionId,
        anchor ? { ...asked, anchor: anchor.id, toolInput } : asked,
      );
      const id = toolCallId ?? env.ids.next();
      const created = anchor
        ? { row: inPlaceOf(anchor, given), writes: [mark(anchor)], events: [] }
        : newOutsideCall(env, run, { id, toolName, input: toolInput, origin, who });
      const row = firstPrompt(
        env,
        { row: run },
        { row: created.row, tool: ASK },
        keyed(run, prompt),
        {
          key: keyOf(run),
          cwd: session.cwd,
          timeoutMs: waiting.timeoutMs,
          asker: { name: who.name, kind: who.kind },
          hasTimeoutHook: false,
        },
      );
      const step = open({ ...row, requestKey: requestId ?? null });
      const others = env.opening.size - 1;
      const result = await withRoom(env, session, { others, replaced: 0, who }, () =>
        env.writer.commit({
          sessionId,
          writes: [
            { table: "runs", id: run.id, ifVersion: 0, set: run },
            ...created.writes,
            step.write,
            // Whoever deletes the session looks again at what there is to end.
            touchSession(session, { updatedAt: env.clock.now() }),
            ...remember(who, requestId, digest, row.id),
          ],
          events: [...created.events, ...step.events],
          interactions: [step.row],
        }),
      );
      return result.ok ? { interaction: toInteractionRecord(step.row), isNew: true } : LOST_RACE;
    }),
  );
}

/**
 * Asks, and waits until it is no longer open. A caller who hangs up and is not back with the same
 * request id in a minute withdraws it.
 */
export async function askAndWait(
  env: Env,
  who: Who,
  given: Given,
  signal: AbortSignal,
): Promise<InteractionRecord> {
  const { interaction } = await ask(env, who, given, true);
  const key = interactionKey(interaction.id);
  const look = async () => {
    const row = await env.store.interaction(interaction.id);
    return row && !isOpen(row) ? toInteractionRecord(row) : undefined;
  };
  return env.callers.wait(
    key,
    signal,
    async () => (await waitFor(env.signals, key, look, signal)) ?? interaction,
    () => withdrawUnheard(env, interaction.id, who.principalId),
  );
}

/** What has ended meanwhile is as good as withdrawn; a store that is away is tried again. */
async function withdrawUnheard(env: Env, id: string, askedBy: string): Promise<void> {
  try {
    await withdrawPrompt(env, id, askedBy);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/** After a restart: withdraws what somebody waited for then who did not come back. */
export async function withdrawAbandonedAsk(
  env: Env,
  { id, sessionId }: RunRow,
  { held, anchor, askedBy }: AskState,
): Promise<void> {
  if (!held) return;
  const [own] = await env.store.calls(id);
  const prompts = await env.store.interactionsOfCall(sessionId, anchor ?? own?.id ?? "");
  for (const prompt of prompts.filter(({ runId }) => runId === id)) {
    if (!env.callers.knows(interactionKey(prompt.id))) {
      await withdrawUnheard(env, prompt.id, askedBy);
    }
  }
}

/** What is asked, as data; a secret could neither wait nor be handed over. */
function toPrompt(given: Given, who: Who): PromptRequest {
  const prompt = checkedPrompt({
    ...given.prompt,
    timeoutMs: given.prompt.timeoutMs ?? null,
    // It may call itself what it likes; who it is, the server knows.
    context: { ...given.prompt.context, askedBy: who.name },
  });
  if (hasSecret(prompt.inputSchema)) {
    throw invalid("A prompt from outside cannot ask for a secret: its answer is kept.");
  }
  return prompt;
}

function checkedPrompt(prompt: unknown): PromptRequest {
  try {
    return checkPrompt(prompt);
  } catch (error) {
    if (error instanceof ToolError) throw invalid(error.message);
    throw error;
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError("invalid_request", message, { issues: [{ path: "", message }] });
}

async function checkThere(env: Env, { whenUnavailable }: Waiting): Promise<void> {
  if (whenUnavailable !== "throw" || (await env.presence.somebodyIsThere())) return;
  throw new ProtocolError(
    "interaction_unavailable",
    "Nobody is there to answer: no client with interactive mode on is connected.",
  );
}

const asksOf = (who: Who) => `asks:${who.principalId}`;

/** The same request id and body again: what was asked then. */
async function findBefore(
  env: Env,
  who: Who,
  requestId: string | undefined,
  digest: string,
): Promise<Asked | undefined> {
  const entry =
    requestId === undefined ? null : await env.store.journalEntry(asksOf(who), requestId);
  if (!entry) return undefined;
  if (entry.digest !== digest) {
    throw new ProtocolError(
      "request_changed",
      "This requestId was used to ask something else. Give every question its own id.",
    );
  }
  const { interactionId } = entry.value as { interactionId: string };
  const row = await env.store.interaction(interactionId);
  return row ? { interaction: toInteractionRecord(row), isNew: false } : undefined;
}

function remember(
  who: Who,
  requestId: string | undefined,
  digest: string,
  interactionId: string,
): Write[] {
  if (requestId === undefined) return [];
  const set = { kind: "value", state: "done", digest, value: { interactionId }, epoch: 0 } as const;
  return [{ table: "journal", id: [asksOf(who), requestId], ifVersion: 0, set }];
}

/** A session for a credential that is bound to none: made once, and found again. */
export async function ownSession(
  env: Env,
  who: Who,
  { key, ...body }: NonNullable<Given["place"]> = { key: "", title: `Asked by ${who.name}` },
): Promise<string> {
  // No request id has a slash.
  const name = `session/${key}`;
  return untilCommitted(async () => {
    const entry = await env.store.journalEntry(asksOf(who), name);
    const known = (entry?.value as { sessionId: string } | undefined)?.sessionId;
    const session = known === undefined ? null : await env.store.session(known);
    if (session && session.deletedAt === null) return session.id;
    const title = Array.from(body.title).slice(0, LIMITS.titleCharacters).join("");
    const made = newSession(env, who, { ...body, agent: OUTSIDE, title });
    const value = { sessionId: made.id };
    const set = { kind: "value", state: "done", digest: null, value, epoch: 0 } as const;
    const write: Write = {
      table: "journal",
      id: [asksOf(who), name],
      ifVersion: entry?.version ?? 0,
      set,
    };
    // In one commit: who loses the race for the entry leaves no session behind.
    const result = await storeSession(env, who, made, [write]);
    return result.ok ? made.id : LOST_RACE;
  });
}

function newOutsideCall(
  env: Env,
  run: RunRow,
  call: { id: string; toolName: string; input: unknown; origin: Given["origin"]; who: Who },
) {
  const { row, event } = newCall(env, run, {
    id: call.id,
    tool: call.toolName,
    input: call.input ?? {},
    origin: call.origin,
    callerId: call.who.principalId,
    turnId: null,
    responseId: null,
    native: { id: call.id, parentCallId: null },
  });
  const stored: CallRow = { ...row, nativeId: null, durable: "replay", authorizedBy: null };
  const write: Write = {
    table: "tool_calls",
    id: [row.sessionId, row.id],
    ifVersion: 0,
    set: stored,
  };
  return { row: stored, writes: [write], events: [{ ...event, actorId: call.who.principalId }] };
}

function newRun(env: Env, sessionId: string, state: AskState) {
  const run = queuedRun(env.ids.next(), sessionId, env.clock.now(), {
    kind: "call",
    trigger: null,
    position: null,
    state,
  });
  return { ...run, status: "suspended" } satisfies RunRow;
}

/** Each prompt has a name of its own, also among those of the call that it belongs to. */
const nameOf = (run: RunRow) => `ask-${run.id}`;
const keyOf = (run: RunRow) => `|prompt|:${nameOf(run)}|1`;
const keyed = (run: RunRow, prompt: PromptRequest): PromptRequest => ({
  ...prompt,
  key: nameOf(run),
  whenUnavailable: "wait",
});

const ASK: ToolDefinition = {
  name: "ask",
  description: "What a program outside asks.",
  parameters: {},
  durable: "replay",
  handler() {},
};

/** Something has landed on the prompt: its call ends with that, unless it was another's. */
export async function enterAsk(env: Env, run: LiveRun, state: AskState): Promise<void> {
  const [own] = await env.store.calls(run.row.id);
  const row = state.anchor ? await env.store.call(run.row.sessionId, state.anchor) : own;
  if (!row) throw new Error(`The call of run ${run.row.id} is gone.`);
  const call = await createLiveCall(
    env,
    { ...row, durable: "replay", toolVersion: null },
    ASK,
    "again",
    run.row.id,
  );
  run.addCall(call);
  const asked = requestInteraction(env, run, call, {
    ...keyed(run.row, state.ask),
    onResponse: (response) => ({ complete: response }),
  });
  const end = await asked.then(
    (result) => ({ ok: true as const, result }),
    (error: unknown) => {
      if (error instanceof StoreUnavailable) throw error;
      return { ok: false as const, error: toFailure(error) };
    },
  );
  if (!state.anchor) return finishCall(env, run, call, end);
  if (call.stopTurn) await stopTurnOf(env, call);
  run.calls.delete(call.row.id);
  await run.commit(() => ({ sessionId: run.row.sessionId, writes: [endOf(env, run)], events: [] }));
  env.live.delete(run.row.id);
}

function endOf(env: Env, run: LiveRun): Write {
  const set = {
    status: "ended",
    endStatus: "completed",
    endedAt: env.clock.now(),
    owner: null,
    leaseUntil: null,
  } as const;
  return { table: "runs", id: run.row.id, ifVersion: run.row.version, set };
}
