import {
  canonicalJson,
  type InteractionRecord,
  LIMITS,
  type PromptRequest,
  ProtocolError,
} from "../../protocol/index.ts";
import { ASK, keyed, keyOf } from "./enter-ask.ts";
import { askNotes, findBefore, joinUse } from "./asked-before.ts";
import { asksOf } from "./heard.ts";
import { findAskAnchor, shownAt, touchCall, readAnchor } from "./ask-anchor.ts";
import type { Core, CoreOptions } from "../api.ts";
import { newCall, type NewCallPorts } from "../call/calls.ts";
import { noteWrite } from "../call/journal.ts";
import { checkPrompt, hasSecret } from "../prompt/check-request.ts";
import { isOpen, open } from "../interaction.ts";
import { changesWrites } from "../prompt/shown-changes.ts";
import { noRoom, roomFor, type MayAskPorts } from "../prompt/may-ask.ts";
import { touchSession } from "../turn/messages.ts";
import { oneAtATime, type KeyedQueue } from "../live/keyed-queue.ts";
import { type AskState, type CallRow, type RunRow, type Write, type Who } from "../ports.ts";
import { firstPrompt } from "../prompt/build-prompt.ts";
import { payerOf } from "../live/quotas.ts";
import { toInteractionRecord } from "../session/records.ts";
import { findSession, newSession, storeSession, type SessionPorts } from "../session/sessions.ts";
import { titleAfter, wordsOf } from "../session/title.ts";
import { askerOutside } from "../prompt/request-asker.ts";
import { waitFor, waitAtMost, interactionKey } from "../live/signals.ts";
import { ToolError } from "../call/tool.ts";
import { type Waiting, waitingOf } from "../prompt/waiting-defaults.ts";
import { withdrawPrompt, type WithdrawPorts } from "./withdraw.ts";
import { LOST_RACE, untilCommitted } from "../writer.ts";
import { Departure } from "../run/departure.ts";
import { OUTSIDE, callRun } from "../run/run-row.ts";
import type { RendezvousPorts } from "./rendezvous.ts";
import type { Callers } from "./callers.ts";

export interface AskPorts
  extends NewCallPorts, RendezvousPorts, SessionPorts, MayAskPorts, WithdrawPorts {
  callers: Callers;
  opening: KeyedQueue;
  options: CoreOptions;
}

/*
 * Asking from outside. A program that is no tool of ours asks, and goes away or waits. What it asks
 * is stored with a run that rests from its first moment: no process, no closure, no timer belongs
 * to it. When its prompt is over, the run is entered, and its one step is to end.
 */

type Given = Parameters<Core["ask"]>[1];
type Asked = Awaited<ReturnType<Core["ask"]>>;

/** @param held whether the prompt is there only as long as somebody waits for its answer */
export async function ask(ports: AskPorts, who: Who, given: Given, held = false): Promise<Asked> {
  const {
    requestId,
    use,
    sessionId: named,
    toolCallId,
    toolName = "ask",
    toolInput,
    origin,
  } = given;
  const prompt = toPrompt(given, who);
  const digest = ports.ids.digest(
    canonicalJson({ prompt, toolName, toolInput, toolCallId, sessionId: named }),
  );
  const look = () => findBefore(ports, who, given, digest);
  const { asked: before } = await look();
  if (before) return before;
  const waiting = waitingOf("asking", ports.options.defaults, given.prompt);
  await checkThere(ports, waiting);
  const sessionId = named ?? who.sessionId ?? (await ownSession(ports, who, given.place));
  const anchorId = await findAskAnchor(ports, who, sessionId, given);
  ports.quotas.spend(payerOf(who), "asksPerMinute");
  return oneAtATime(ports.opening, sessionId, new Departure(), () =>
    untilCommitted(async () => {
      const { asked: repeated, version } = await look();
      if (repeated) return repeated;
      const ids = { requestId, version, use, digest };
      const joined = await joinUse(ports, who, ids);
      if (joined) return joined;
      const session = await findSession(ports, who, sessionId);
      const anchor = await readAnchor(ports, sessionId, anchorId, toolCallId !== undefined);
      const asked = { v: 1, ask: prompt, askedBy: who.principalId, held } as const;
      const state = anchor ? { ...asked, anchor: anchor.id, toolInput } : asked;
      const run: RunRow = { ...callRun(ports, sessionId, state), status: "suspended" };
      const id = toolCallId ?? ports.ids.next();
      const created = anchor
        ? { row: shownAt(anchor, given), writes: [touchCall(anchor)], events: [] }
        : newOutsideCall(ports, run, { id, toolName, input: toolInput, origin, who });
      const row = firstPrompt(
        ports,
        { row: run },
        { row: created.row, tool: ASK },
        keyed(run, prompt),
        {
          key: keyOf(run),
          cwd: session.cwd,
          timeoutMs: waiting.timeoutMs,
          asker: askerOutside(who, origin),
          hasTimeoutHook: false,
        },
      );
      const step = open(row);
      const result = await ports.writer.commit({
        sessionId,
        writes: [
          { table: "runs", id: run.id, ifVersion: 0, set: run },
          ...created.writes,
          step.write,
          ...changesWrites(row, prompt.changes),
          // Whoever deletes the session looks again at what there is to end.
          touchSession(session, {
            updatedAt: ports.clock.now(),
            ...titleAfter(session, wordsOf(prompt, toolName)),
          }),
          ...(await askNotes(ports, who, ids, row.id)),
        ],
        events: [...created.events, ...step.events],
        interactions: [step.row],
        limits: roomFor(ports, session, who),
      });
      if (!result.ok && result.reason === "full") throw noRoom(ports, session, result.limit, who);
      return result.ok ? { interaction: toInteractionRecord(step.row), isNew: true } : LOST_RACE;
    }),
  );
}

/**
 * Asks, and waits until it is no longer open, or for `waitMs`. A caller who hangs up and is not back
 * with the same request id in a minute withdraws it; with `waitMs` only one who hung up here.
 */
export async function askAndWait(
  ports: AskPorts,
  who: Who,
  given: Given,
  gone: Departure,
  waitMs?: number,
): Promise<InteractionRecord> {
  const { interaction } = await ask(ports, who, given, waitMs === undefined);
  const key = interactionKey(interaction.id);
  const look = async () => {
    const row = await ports.store.interaction(interaction.id);
    return row && !isOpen(row) ? toInteractionRecord(row) : undefined;
  };
  return ports.callers.wait(
    key,
    gone,
    async () =>
      (await (waitMs === undefined
        ? waitFor(ports.signals, key, look, gone)
        : waitAtMost(ports, { waitMs, gone }, key, look))) ?? interaction,
    () => withdrawUnheard(ports, interaction.id, who.principalId),
  );
}

/** What has ended meanwhile is as good as withdrawn; a store that is away is tried again. */
async function withdrawUnheard(ports: AskPorts, id: string, askedBy: string): Promise<void> {
  try {
    await withdrawPrompt(ports, id, askedBy);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/** After a restart: withdraws what somebody waited for then who did not come back. */
export async function withdrawAbandonedAsk(
  ports: AskPorts,
  { id, sessionId }: RunRow,
  { held, anchor, askedBy }: AskState,
): Promise<void> {
  if (!held) return;
  const [own] = await ports.store.calls(id);
  const prompts = await ports.store.interactionsOfCall(sessionId, anchor ?? own?.id ?? "");
  for (const prompt of prompts.filter(({ runId }) => runId === id)) {
    if (await ports.callers.isAbandoned(interactionKey(prompt.id))) {
      await withdrawUnheard(ports, prompt.id, askedBy);
    }
  }
}

/** What is asked, as data; a secret could neither wait nor be handed over. */
function toPrompt(given: Given, who: Who): PromptRequest {
  const prompt = checkedPrompt({
    ...given.prompt,
    timeoutMs: given.prompt.timeoutMs ?? null,
    // It may call itself what it likes; who it is, the server knows.
    context: { ...given.prompt.context, askedBy: askerOutside(who, given.origin).name },
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

async function checkThere(ports: AskPorts, { whenUnavailable }: Waiting): Promise<void> {
  if (whenUnavailable !== "throw" || (await ports.presence.somebodyIsThere())) return;
  throw new ProtocolError(
    "interaction_unavailable",
    "Nobody is there to answer: no client with interactive mode on is connected.",
  );
}

/** A session for a credential that is bound to none: made once, and found again. */
export async function ownSession(
  ports: AskPorts,
  who: Who,
  { key, ...body }: NonNullable<Given["place"]> = { key: "", title: `Asked by ${who.name}` },
): Promise<string> {
  // No request id has a slash.
  const name = `session/${key}`;
  return untilCommitted(async () => {
    const entry = await ports.store.journalEntry(asksOf(who), name);
    const known = (entry?.value as { sessionId: string } | undefined)?.sessionId;
    const session = known === undefined ? null : await ports.store.session(known);
    if (session && session.deletedAt === null) return session.id;
    const title = Array.from(body.title).slice(0, LIMITS.titleCharacters).join("");
    const made = newSession(ports, who, { ...body, agent: OUTSIDE, title });
    const ifVersion = entry?.version ?? 0;
    const note = noteWrite([asksOf(who), name], { sessionId: made.id }, { ifVersion });
    // In one commit: who loses the race for the entry leaves no session behind.
    const result = await storeSession(ports, who, made, [note]);
    return result.ok ? made.id : LOST_RACE;
  });
}

function newOutsideCall(
  ports: AskPorts,
  run: RunRow,
  call: { id: string; toolName: string; input: unknown; origin: Given["origin"]; who: Who },
) {
  const { row, event } = newCall(ports, run, {
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
