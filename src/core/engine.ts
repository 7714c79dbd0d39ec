import {
  LIMITS,
  type InteractionResponse,
  type PromptRequest,
  ProtocolError,
} from "../protocol/index.ts";
import { adoptAnswer, AnsweredMeanwhile, findAdopted, settleFor, supersede } from "./adoption.ts";
import { isAnchored } from "./anchored.ts";
import { answeredAt, endOf, passTime, timeAt } from "./call-time.ts";
import { checkAvailable, spendAsk, withRoom } from "./may-ask.ts";
import { checkPrompt, hasSecret } from "./check-request.ts";
import type { Env } from "./env.ts";
import { decide, type Decision, isQueued } from "./hook-outcome.ts";
import { close, detach, open, settle, type Step } from "./interaction.ts";
import { isJournaled, nameFor } from "./journal.ts";
import { finishCall, orphanCall } from "./finish-call.ts";
import { arrive, goOn, HANDLER } from "./going-on.ts";
import { type LiveRun, never } from "./live-run.ts";
import type { LiveCall } from "./live-call.ts";
import type { InteractionRow, Outcome } from "./ports.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { firstPrompt, nextPrompt, promptDigest } from "./prompts.ts";
import { askerOfCall } from "./request-asker.ts";
import { type InteractionRequestWithHooks, ToolError, type UserResponse } from "./tool.ts";
import { type Waiting, waitingOf } from "./waiting.ts";

interface Asking {
  env: Env;
  run: LiveRun;
  call: LiveCall;
  hooks: InteractionRequestWithHooks;
  /** Where it is asked: the handler, or a hook of another prompt. */
  path: string;
  /** Names this prompt in its call, whatever interaction shows it. */
  key: string;
  waiting: Waiting;
  /** Something is being done for this prompt; else it only waits for people. */
  busy: boolean;
}
type Asked = { row: InteractionRow; decided: Promise<InteractionRow> };
type Next = { value: unknown } | Asked;

/** Asks people and gives back what the tool's hooks made of the answer. */
export async function requestInteraction(
  env: Env,
  run: LiveRun,
  call: LiveCall,
  hooks: InteractionRequestWithHooks,
  kind: "tool" | "asking" = call.tool.patient ? "asking" : "tool",
): Promise<unknown> {
  const prompt = checkPrompt(hooks);
  if (typeof hooks.onResponse !== "function") {
    throw new ToolError("invalid_request", "requestInteraction needs an onResponse hook.");
  }
  const scope = env.scope.current();
  const path = scope?.callId === call.row.id ? scope.path : "";
  const key = takeKey(call, path, prompt);
  const waiting = waitingOf(kind, env.options.defaults, prompt);
  const asking: Asking = { env, run, call, hooks, path, key, waiting, busy: false };
  call.ahead.delete(key);
  if (path === HANDLER) arrive(call);
  setBusy(asking, true);
  let over: InteractionRow | undefined;
  let isNew = true;
  try {
    const found = await findAgain(asking, prompt);
    isNew = !found || !isOver(found.row);
    let next: Next = found ?? (await askFirst(asking, prompt));
    while ("row" in next) {
      call.inUse.add(key);
      const row = await next.decided;
      over = row;
      call.inUse.delete(key);
      setBusy(asking, true);
      next = await proceed(asking, row);
    }
    return next.value;
  } finally {
    if (over) passTime(call, path, endOf(call, call.prompts.get(over.id) ?? over));
    call.inUse.delete(key);
    if (path === HANDLER) goOn(env, run, call, isNew);
    setBusy(asking, false);
  }
}

/** A run may be let go only while nothing is done in it. */
function setBusy(asking: Asking, busy: boolean): void {
  if (asking.busy !== busy) asking.call.busy += busy ? 1 : -1;
  asking.busy = busy;
}

/** A replayed call must be able to tell its prompts apart, whatever order they come in. */
function takeKey(call: LiveCall, path: string, prompt: PromptRequest): string {
  const name = prompt.key === undefined ? "" : `:${prompt.key}`;
  const open = [...call.inUse].filter((one) => one.includes("|prompt|"));
  const sameName = open.some((one) => one.startsWith(`${path}|prompt|${name}|`));
  if (isJournaled(call) && open.length > 0 && (name === "" || sameName)) {
    throw new ToolError(
      "key_required",
      "Another prompt of this call is open: give each its own `key`, so that a restart cannot swap them.",
    );
  }
  // What is asked in another call's place must not be taken for a prompt of that call.
  const own = isAnchored(call.row) ? `@${call.row.id}` : "";
  const key = nameFor(call, path, "prompt", name) + own;
  call.inUse.add(key);
  return key;
}

/** In a call that is run again: the prompt as it was left. Another question is never given its answer. */
async function findAgain(asking: Asking, prompt: PromptRequest): Promise<Asked | undefined> {
  const { env, run, call, key } = asking;
  const adopted = await findAdopted(env, call, key);
  const asked = [...call.prompts.values()].filter((row) => row.key === key);
  const attempts = adopted ? [adopted, ...asked] : asked;
  const first = attempts[0];
  const last = attempts.at(-1);
  if (!first || !last) return undefined;
  if (adopted?.response?.stop) call.stopTurn = true;
  if (first.requestDigest !== promptDigest(env, prompt)) {
    await orphanCall(env, run, call);
    return never();
  }
  return waitAgain(asking, last);
}

/** Nothing is left to be done for it, neither by people nor by its hooks. */
function isOver({ status, outcome }: InteractionRow): boolean {
  return outcome !== null || !["open", "expiring", "answered"].includes(status);
}

async function waitAgain(asking: Asking, row: InteractionRow): Promise<Asked> {
  const { env, run } = asking;
  if (row.status !== "open") return { row, decided: Promise.resolve(row) };
  const decided = waitFor(asking, row);
  const now = await env.store.interaction(row.id);
  if (now) run.deliver(now);
  await wait(asking);
  return { row, decided };
}

function waitFor(asking: Asking, row: InteractionRow): Promise<InteractionRow> {
  const { run, call, hooks } = asking;
  const woken = () => setBusy(asking, true);
  return run.waitFor({ row, call, woken, onCancel: hooks.onCancel?.bind(hooks) });
}

/** The prompt is in the store, and nothing is left to do for it but to wait: not before may a run rest. */
async function wait(asking: Asking): Promise<void> {
  setBusy(asking, false);
  await asking.run.rest();
}

async function askFirst(asking: Asking, prompt: PromptRequest): Promise<Next> {
  const { env, run, call, hooks, key, waiting } = asking;
  const session = await env.store.session(call.row.sessionId);
  const facts = {
    key,
    cwd: session?.cwd ?? null,
    asker: await askerOfCall(env, call.row, session),
    timeoutMs: waiting.timeoutMs,
    hasTimeoutHook: typeof hooks.onTimeout === "function",
  };
  const adopted = await adoptAnswer(env, run, call, firstPrompt(env, run, call, prompt, facts));
  if (adopted) return { row: adopted, decided: Promise.resolve(adopted) };
  if (waiting.whenUnavailable !== "wait") await checkAvailable(env, run, call);
  const place = { id: call.row.sessionId, budgetId: session?.budgetId ?? null };
  const opened = oneAtATime(env.opening, place.id, run.gone, async () => {
    spendAsk(env, place);
    const row = firstPrompt(env, run, call, prompt, facts);
    const replaced = (await supersede(env, call, row)).length;
    const others = env.opening.size - 1;
    return withRoom(env, place, { others, replaced, gone: run.gone }, () =>
      ask(asking, row, () => supersede(env, call, row)),
    );
  });
  return opened.catch((error: unknown) => {
    if (error instanceof AnsweredMeanwhile) return askFirst(asking, prompt);
    if (error instanceof ProtocolError) throw new ToolError(error.code, error.message);
    throw error;
  });
}

/**
 * Stores the prompt; only then do people hear of it. `alongside` is stored in the same commit, and
 * looked at anew when that lost a race.
 */
async function ask(
  asking: Asking,
  row: InteractionRow,
  alongside: () => Step[] | Promise<Step[]>,
): Promise<Next> {
  const { run, call } = asking;
  if (call.ending) {
    throw new ToolError("interaction_cancelled", "The call has ended; nobody can be asked for it.");
  }
  if (call.unwanted) throw new ToolError("interaction_cancelled", "The prompt was withdrawn.");
  const decided = waitFor(asking, row);
  call.prompts.set(row.id, row);
  const opened = open(row);
  const storing = run.add(async () => {
    const steps = [...(await alongside()), opened];
    return {
      sessionId: row.sessionId,
      writes: [...steps.map((step) => step.write), ...run.suspension({ asking: call })],
      events: steps.flatMap((step) => step.events),
      interactions: steps.map((step) => step.row),
    };
  });
  call.storing.add(storing);
  try {
    await storing;
  } catch (error) {
    run.stopWaiting(row);
    call.prompts.delete(row.id);
    throw error;
  } finally {
    call.storing.delete(storing);
  }
  await wait(asking);
  return { row, decided };
}

/** Looks at a prompt that is no longer just open, and does what follows from it. */
async function proceed(asking: Asking, row: InteractionRow): Promise<Next> {
  asking.call.prompts.set(row.id, row);
  if (row.outcome) return recorded(row.outcome);
  switch (row.status) {
    case "answered":
      return heard(asking, row);
    case "expiring":
      return expired(asking, row);
    case "timed_out":
      throw new ToolError("interaction_timeout", "Nobody answered in time.");
    case "cancelled":
      throw new ToolError("interaction_cancelled", "The prompt was withdrawn.");
    default:
      throw new ToolError("tool_error", `The prompt ended as ${row.status}.`);
  }
}

function recorded(outcome: Outcome): Next {
  if (outcome.kind === "error") throw new ToolError(outcome.error.code, outcome.error.message);
  if (outcome.kind === "complete") return { value: outcome.value };
  return { value: undefined };
}

async function heard(asking: Asking, row: InteractionRow): Promise<Next> {
  const { env, call, hooks } = asking;
  const response = row.response as InteractionResponse;
  const secrets = env.secrets.of(row.id, response);
  const lost = (response.secretFields ?? []).some((field) => !Object.hasOwn(secrets, field));
  if (lost) return askSecretAgain(asking, row);
  if (response.stop) call.stopTurn = true;
  const info = { interactionId: row.id, attempt: row.attempt, responder: response.responder };
  const decision = await runHook(asking, row, row.id, () =>
    hooks.onResponse(toUserResponse(response, secrets), info),
  );
  try {
    return await follow(asking, row, decision, (outcome) =>
      settleFor(asking.run, call, asking.key, row, outcome),
    );
  } finally {
    env.secrets.forget(row.id);
  }
}

async function expired(asking: Asking, row: InteractionRow): Promise<Next> {
  const { env, hooks } = asking;
  const info = { interactionId: row.id, attempt: row.attempt };
  const decision: Decision = hooks.onTimeout
    ? await runHook(asking, undefined, `${row.id}/timeout`, () => hooks.onTimeout?.(info), row)
    : {
        kind: "error",
        error: { code: "interaction_timeout", message: "Nobody answered in time." },
      };
  return follow(asking, row, decision, (outcome) => {
    if (outcome.kind !== "pending" || !isQueued(outcome.result))
      return close(row, "timed_out", env.clock.now(), undefined, outcome);
    return hasSecret(row.request.inputSchema)
      ? close(row, "cancelled", env.clock.now(), "A secret cannot be given later.", outcome)
      : detach(row, "queued", outcome);
  });
}

async function runHook(
  { env, call, path: asked }: Asking,
  answering: InteractionRow | undefined,
  path: string,
  hook: () => unknown,
  row = answering as InteractionRow,
): Promise<Decision> {
  call.active++;
  try {
    passTime(call, path, Math.max(timeAt(call, asked), answeredAt(row)));
    const scope = { callId: call.row.id, path, ...(answering ? { answering } : {}) };
    return await decide(() => env.scope.run(scope, hook), row.request);
  } finally {
    call.active--;
  }
}

/** Stores what a hook decided, once, and goes on from there. */
async function follow(
  asking: Asking,
  row: InteractionRow,
  decision: Decision,
  record: (outcome: Outcome) => Step,
): Promise<Next> {
  const { env, run, call, key } = asking;
  if (decision.kind === "pending") {
    const step = record(decision);
    await finishCall(env, run, call, { ok: true, result: decision.result }, { last: step });
    return { value: decision.result };
  }
  if (decision.kind === "reprompt") {
    const reprompts = [...call.prompts.values()].filter((one) => one.attempt > 1).length;
    if (reprompts < LIMITS.reprompts) {
      const next = nextPrompt(env, run, call, { ...row, key }, decision.prompt);
      return ask(asking, next, () => [record({ kind: "reprompt" })]);
    }
    const message = `The tool asked again more than ${LIMITS.reprompts} times.`;
    return follow(
      asking,
      row,
      { kind: "error", error: { code: "too_many_reprompts", message } },
      record,
    );
  }
  const step = record(decision);
  const ahead = call.row.durable === "replay";
  await run.commit(
    () => ({
      sessionId: row.sessionId,
      writes: [step.write],
      events: step.events,
      interactions: [step.row],
    }),
    { ahead },
  );
  call.prompts.set(row.id, step.row);
  return recorded(decision);
}

async function askSecretAgain(asking: Asking, row: InteractionRow): Promise<Next> {
  const { env, run, call } = asking;
  const error =
    "The server restarted before the secret was used, and keeps no secrets. Please enter it again.";
  const next = nextPrompt(env, run, call, row, { type: "input", error });
  return ask(asking, next, () => [settle(row, { kind: "reprompt" })]);
}

function toUserResponse(
  response: InteractionResponse,
  secrets: Record<string, unknown>,
): UserResponse {
  const { action, approvalScope, optionId, input, updatedInput, stop, reason } = response;
  const scope = action === "approve" ? (approvalScope ?? "once") : undefined;
  const values = input || Object.keys(secrets).length > 0 ? { ...input, ...secrets } : undefined;
  return {
    action,
    ...(scope ? { approvalScope: scope } : {}),
    ...(optionId === undefined ? {} : { optionId }),
    ...(values ? { input: values } : {}),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(stop === undefined ? {} : { stop }),
    ...(reason === undefined ? {} : { reason }),
  };
}
