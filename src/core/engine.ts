import {
  type FileChange,
  LIMITS,
  type InteractionResponse,
  type PromptRequest,
  ProtocolError,
} from "../protocol/index.ts";
import { adoptAnswer, findAdopted, orphansLike, settleFor, supersede } from "./prompt/adoption.ts";
import { isAnchored } from "./call/anchored.ts";
import { answeredAt, endOf, passTime, timeAt } from "./call/call-time.ts";
import { checkAvailable, noRoom, roomFor, spendAsk, type MayAskPorts } from "./prompt/may-ask.ts";
import { checkPrompt, hasSecret } from "./prompt/check-request.ts";
import { type CheckedOutcome, isQueued, outcomeOf } from "./prompt/hook-outcome.ts";
import { close, detach, open, settle, type Step } from "./interaction.ts";
import { isJournaled, nameFor } from "./call/journal.ts";
import { finishCall, orphanCall, type FinishPorts } from "./call/finish-call.ts";
import { pathOf } from "./call/call-path.ts";
import { GATE } from "./call/gate-key.ts";
import { arrive, goOn, HANDLER } from "./call/handler-activity.ts";
import { IsThere, NoRoom } from "./run/committing-run.ts";
import type { LiveRun } from "./run/live-run.ts";
import { comeTo, freeName, type LiveCall, takeName } from "./call/live-call.ts";
import type { InteractionRow, Outcome } from "./ports.ts";
import { oneAtATime, type KeyedQueue } from "./live/keyed-queue.ts";
import { firstPrompt, nextPrompt, promptDigest } from "./prompt/build-prompt.ts";
import { besidePrompt } from "./prompt/beside-prompt.ts";
import { changesOfPrompt } from "./prompt/shown-changes.ts";
import { SECRET_AGAIN, unseal } from "./prompt/sealed-secrets.ts";
import { askerOf } from "./prompt/request-asker.ts";
import { type InteractionRequestWithHooks, ToolError } from "./call/tool.ts";
import { type Waiting, waitingOf } from "./prompt/waiting-defaults.ts";
import { toUserResponse } from "./prompt/user-response.ts";
import { never } from "./run/never.ts";
import type { CorePorts, CoreOptions } from "./api.ts";
import type { Change } from "./writer.ts";

/** What it takes to ask people and to go on from their answer. */
export interface EnginePorts
  extends FinishPorts, MayAskPorts, Pick<CorePorts, "agents" | "log" | "scope" | "sealing"> {
  options: Pick<CoreOptions, "defaults">;
  /** Where a session's next prompt waits until the one before it is stored. */
  opening: KeyedQueue;
}

interface Asking {
  ports: EnginePorts;
  run: LiveRun;
  call: LiveCall;
  hooks: InteractionRequestWithHooks;
  /** Where it is asked: the handler, or a hook of another prompt. */
  path: string;
  /** Names this prompt in its call, whatever interaction shows it. */
  key: string;
  waiting: Waiting;
  /** Called when a prompt of it is stored, before it is waited for. */
  opened?: (() => void) | undefined;
  /** The machine to whose budget it counts has paid for it. */
  isPaid?: boolean;
  /** The prompt is being stored, or its end is being handled; else it only waits for people. */
  isHandled: boolean;
}
type Asked = { row: InteractionRow; decided: Promise<InteractionRow | ToolError> };
type Next = { value: unknown } | Asked;

/** Asks people and gives back what the tool's hooks made of the answer. */
export async function requestInteraction(
  ports: EnginePorts,
  run: LiveRun,
  call: LiveCall,
  hooks: InteractionRequestWithHooks,
  {
    kind = call.tool.patient ? "asking" : "tool",
    path = pathOf(ports, call),
    opened,
  }: { kind?: "tool" | "asking"; path?: string; opened?: () => void } = {},
): Promise<unknown> {
  const prompt = checkPrompt(hooks);
  if (typeof hooks.onResponse !== "function") {
    throw new ToolError("invalid_request", "requestInteraction needs an onResponse hook.");
  }
  const key = takeKey(call, path, prompt);
  const waiting = waitingOf(kind, ports.options.defaults, prompt);
  const asking: Asking = { ports, run, call, hooks, path, key, waiting, opened, isHandled: false };
  comeTo(call, key);
  if (path === HANDLER) arrive(call);
  setHandled(asking, true);
  let over: InteractionRow | undefined;
  let isNew = true;
  try {
    const found = await findAgain(asking, prompt);
    isNew = !found || !isOver(found.row);
    let next: Next = found ?? (await askFirst(asking, prompt));
    while ("row" in next) {
      takeName(call, key);
      const row = await next.decided;
      if (row instanceof ToolError) throw row;
      over = row;
      freeName(call, key);
      setHandled(asking, true);
      next = await proceed(asking, row);
    }
    return next.value;
  } finally {
    if (over) passTime(call, path, endOf(call, call.prompts.get(over.id) ?? over));
    freeName(call, key);
    if (path === HANDLER) goOn(ports, run, call, isNew);
    setHandled(asking, false);
  }
}

/** A run may be let go only while nothing is done in it. */
function setHandled(asking: Asking, isHandled: boolean): void {
  if (asking.isHandled !== isHandled) asking.call.activity.handling += isHandled ? 1 : -1;
  asking.isHandled = isHandled;
}

/** A replayed call must be able to tell its prompts apart, whatever order they come in. */
function takeKey(call: LiveCall, path: string, prompt: PromptRequest): string {
  const name = prompt.key === undefined ? "" : `:${prompt.key}`;
  const open = call.inUse.filter((one) => one.includes("|prompt|"));
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
  takeName(call, key);
  return key;
}

/** In a call that is run again: the prompt as it was left. Another question is never given its answer. */
async function findAgain(asking: Asking, prompt: PromptRequest): Promise<Asked | undefined> {
  const { ports, run, call, key } = asking;
  const adopted = await findAdopted(ports, call, key);
  const asked = [...call.prompts.values()].filter((row) => row.key === key);
  const attempts = adopted ? [adopted, ...asked] : asked;
  const first = attempts[0];
  const last = attempts.at(-1);
  if (!first || !last) return undefined;
  if (adopted?.response?.stop) call.stopTurn = true;
  if (first.requestDigest !== promptDigest(ports, prompt)) {
    await orphanCall(ports, run, call);
    return never();
  }
  return waitAgain(asking, last);
}

/** Nothing is left to be done for it, neither by people nor by its hooks. */
function isOver({ status, outcome }: InteractionRow): boolean {
  return outcome !== null || !["open", "expiring", "answered"].includes(status);
}

async function waitAgain(asking: Asking, row: InteractionRow): Promise<Asked> {
  const { ports, run } = asking;
  if (row.status !== "open") return { row, decided: Promise.resolve(row) };
  const decided = waitFor(asking, row);
  const now = await ports.store.interaction(row.id);
  if (now) run.deliver(now);
  await wait(asking);
  return { row, decided };
}

function waitFor(asking: Asking, row: InteractionRow): Asked["decided"] {
  const { run, call, hooks } = asking;
  const woken = () => setHandled(asking, true);
  return run.waitFor({ row, call, woken, onCancel: hooks.onCancel?.bind(hooks) });
}

/** The prompt is in the store, and nothing is left to do for it but to wait: not before may a run rest. */
async function wait(asking: Asking): Promise<void> {
  setHandled(asking, false);
  await asking.run.rest();
}

/** @param mayBeNew if somebody has asked the same before, the commit is refused: no look comes first */
async function askFirst(
  asking: Asking,
  prompt: PromptRequest,
  mayBeNew = asking.waiting.whenUnavailable === "wait",
): Promise<Next> {
  const { ports, run, call, hooks, key, waiting } = asking;
  const { callerId } = call.row;
  const caller = callerId === null ? null : await ports.store.principal(callerId);
  const facts = {
    key,
    cwd: run.session.cwd,
    asker: askerOf(ports, caller, run.session, call.row.origin),
    timeoutMs: waiting.timeoutMs,
    hasTimeoutHook: typeof hooks.onTimeout === "function",
  };
  const asked = firstPrompt(ports, run, call, prompt, facts);
  const adopted = mayBeNew ? undefined : await adoptAnswer(ports, run, call, asked);
  if (adopted) return { row: adopted, decided: Promise.resolve(adopted) };
  if (waiting.whenUnavailable !== "wait") await checkAvailable(ports, run, call);
  const within = run.session;
  const opened = oneAtATime(ports.opening, within.id, run.gone, async () => {
    if (!asking.isPaid) spendAsk(ports, within);
    asking.isPaid = true;
    const isNow = asked.createdAt === ports.clock.now();
    const row = isNow ? asked : firstPrompt(ports, run, call, prompt, facts);
    const others = mayBeNew
      ? { absent: [orphansLike(call, row)] }
      : { alongside: () => supersede(ports, call, row) };
    const changes = changesOfPrompt(call, prompt);
    return ask(asking, row, { changes, limits: roomFor(ports, within), ...others });
  });
  return opened.catch((error: unknown) => {
    if (error instanceof IsThere) return askFirst(asking, prompt, false);
    if (error instanceof NoRoom) error = noRoom(ports, within, error.limit);
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
  {
    alongside = () => [],
    changes,
    ...conditions
  }: Pick<Change, "limits" | "absent"> & {
    alongside?: () => Step[] | Promise<Step[]>;
    changes: FileChange[] | undefined;
  },
): Promise<Next> {
  const { run, call } = asking;
  if (call.ending) {
    throw new ToolError("interaction_cancelled", "The call has ended; nobody can be asked for it.");
  }
  if (call.unwanted) throw new ToolError("interaction_cancelled", "The prompt was withdrawn.");
  const decided = waitFor(asking, row);
  call.prompts.set(row.id, row);
  const build = run.adding(async () => {
    const steps = [...(await alongside()), open(row)];
    return {
      sessionId: row.sessionId,
      writes: [
        ...steps.map((step) => step.write),
        ...besidePrompt(run.session, row, changes),
        ...run.suspension({ asking: call }),
      ],
      events: steps.flatMap((step) => step.events),
      interactions: steps.map((step) => step.row),
      ...conditions,
    };
  });
  const storing = run.commit(build);
  call.storing = [...call.storing, storing];
  try {
    await storing;
  } catch (error) {
    run.stopWaiting(row);
    call.prompts.delete(row.id);
    throw error;
  } finally {
    call.storing = call.storing.filter((one) => one !== storing);
  }
  asking.opened?.();
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
  // A tool may do with it what it likes; what is stored, and shown to others, stays.
  if (outcome.kind === "complete") return { value: structuredClone(outcome.value) };
  return { value: undefined };
}

async function heard(asking: Asking, row: InteractionRow): Promise<Next> {
  const { ports, run, call, hooks } = asking;
  const response = structuredClone(row.response as InteractionResponse);
  let secrets = ports.secrets.of(row.id, response);
  const isLost = () => response.secretFields?.some((field) => !Object.hasOwn(secrets, field));
  if (isLost()) {
    secrets = await unseal(ports, run, row, response);
    // From here on they are in our memory alone, for as long as the call may need them.
    ports.secrets.hold(row.id, response, secrets);
  }
  if (isLost()) return askAgain(asking, row, SECRET_AGAIN, (outcome) => settle(row, outcome));
  if (response.stop) call.stopTurn = true;
  const info = { interactionId: row.id, attempt: row.attempt, responder: response.responder };
  const made = await runHook(asking, row, row.id, () =>
    hooks.onResponse(toUserResponse(response, secrets), info),
  );
  try {
    return await follow(asking, row, made, (outcome) => settleFor(call, asking.key, row, outcome));
  } finally {
    ports.secrets.forget(row.id);
  }
}

async function expired(asking: Asking, row: InteractionRow): Promise<Next> {
  const { ports, hooks } = asking;
  const info = { interactionId: row.id, attempt: row.attempt };
  const made: CheckedOutcome = hooks.onTimeout
    ? await runHook(asking, undefined, `${row.id}/timeout`, () => hooks.onTimeout?.(info), row)
    : {
        kind: "error",
        error: { code: "interaction_timeout", message: "Nobody answered in time." },
      };
  return follow(asking, row, made, (outcome) => {
    if (outcome.kind !== "pending" || !isQueued(outcome.result))
      return close(row, "timed_out", ports.clock.now(), undefined, outcome);
    return hasSecret(row.request.inputSchema)
      ? close(row, "cancelled", ports.clock.now(), "A secret cannot be given later.", outcome)
      : detach(row, "queued", outcome);
  });
}

async function runHook(
  { ports, call, path: asked }: Asking,
  answering: InteractionRow | undefined,
  path: string,
  hook: () => unknown,
  row = answering as InteractionRow,
): Promise<CheckedOutcome> {
  call.activity.running++;
  try {
    passTime(call, path, Math.max(timeAt(call, asked), answeredAt(row)));
    const scope = { callId: call.row.id, path, ...(answering ? { answering } : {}) };
    const isPure = asked === GATE || call.tool.pureHooks;
    return await outcomeOf(isPure ? hook : () => ports.scope.run(scope, hook), row.request);
  } finally {
    call.activity.running--;
  }
}

/** Stores what a hook decided, once, and goes on from there. */
async function follow(
  asking: Asking,
  row: InteractionRow,
  outcome: CheckedOutcome,
  record: (outcome: Outcome) => Step,
): Promise<Next> {
  const { ports, run, call } = asking;
  if (outcome.kind === "pending") {
    const step = record(outcome);
    await finishCall(ports, run, call, { ok: true, result: outcome.result }, { last: step });
    return { value: outcome.result };
  }
  if (outcome.kind === "reprompt") return askAgain(asking, row, outcome.prompt, record);
  const step = record(outcome);
  const build = () => ({
    sessionId: row.sessionId,
    writes: [step.write],
    events: step.events,
    interactions: [step.row],
  });
  if (call.row.durable === "replay") await run.defer(build);
  else await run.commit(build);
  call.prompts.set(row.id, step.row);
  return recorded(outcome);
}

/** The outcome and the next attempt, in one commit; or the call's failure after too many. */
async function askAgain(
  asking: Asking,
  row: InteractionRow,
  prompt: Parameters<typeof nextPrompt>[4],
  record: (outcome: Outcome) => Step,
): Promise<Next> {
  const { ports, run, call, key } = asking;
  const reprompts = [...call.prompts.values()].filter((one) => one.attempt > 1).length;
  if (reprompts < LIMITS.reprompts) {
    const next = nextPrompt(ports, run, call, { ...row, key }, prompt);
    const { changes } = prompt;
    return ask(asking, next, { changes, alongside: () => [record({ kind: "reprompt" })] });
  }
  const message = `The tool asked again more than ${LIMITS.reprompts} times.`;
  const error = { code: "too_many_reprompts", message };
  return follow(asking, row, { kind: "error", error }, record);
}
