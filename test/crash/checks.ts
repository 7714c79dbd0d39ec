import { isDeepStrictEqual } from "node:util";
import type { ChatEvent, InteractionRecord } from "../../src/protocol/index.ts";
import { logViolations } from "../support/log-violations.ts";
import { type CallEvidence, type Evidence, groupBy } from "./evidence.ts";
import type { Answer } from "./person.ts";
import type { SessionView } from "./session-view.ts";
import { SECRET } from "./stories.ts";
import { checkHeard, checkMessages, checkResults } from "./story-checks.ts";

/** Everything that is known about one session when nothing of it is under way any more. */
export interface Findings {
  view: SessionView;
  answers: Answer[];
  calls: { toolCallId: string; reply?: any }[];
  messages: { messageId: string }[];
  /** The log from its start, read over HTTP. */
  replayed: ChatEvent[];
  /** Its open prompts and its record, read over HTTP. */
  openRecords: InteractionRecord[];
  session: { status: string; pendingCount: number };
  evidence: Evidence;
}

/** Each sentence is a promise that was broken. Some can be judged only when a session is over. */
export function sessionViolations(findings: Findings): string[] {
  const always = [
    ...findings.view.problems,
    ...logViolations(findings.replayed),
    ...checkAnswers(findings),
    ...checkWinners(findings),
    ...checkSteps(findings),
    ...checkAuthority(findings),
  ];
  if (!findings.view.isOver) return always;
  return [
    ...always,
    ...checkEnds(findings),
    ...checkViews(findings),
    ...checkHeard(findings),
    ...checkMessages(findings),
    ...checkResults(findings),
  ];
}

/** I1: what was acknowledged is stored as it was given, and has won. */
function* checkAnswers({ answers, evidence, replayed }: Findings): Iterable<string> {
  const closed = new Set(
    replayed.flatMap(({ type, payload }) =>
      type === "interaction_closed" ? [payload.interactionId] : [],
    ),
  );
  for (const { interactionId, responseId, body, reply } of answers) {
    if (!reply) continue;
    const rivals = answers.filter((one) => one.interactionId === interactionId).length > 1;
    if (!reply["ok"]) {
      const isLate = reply["code"] === "interaction_closed" && closed.has(interactionId);
      const hasLost = ["already_answered", "stale_interaction"].includes(reply["code"]);
      if (!isLate && !(rivals && hasLost)) yield `I1: an answer got ${JSON.stringify(reply)}`;
      continue;
    }
    const row = evidence.interactions.find((one) => one.id === interactionId);
    if (row?.decided_response_id !== responseId) {
      yield `I1: ${responseId} was acknowledged, but ${row?.decided_response_id} won`;
    }
    const stored = evidence.responses.find((one) => one.id === responseId);
    if (stored?.verdict !== "decided") yield `I1: ${responseId} was acknowledged and is not stored`;
    const { input } = body as { input?: Record<string, unknown> };
    const kept = input && Object.entries(input).filter(([, value]) => value !== SECRET);
    for (const [name, value] of kept ?? []) {
      if (!isDeepStrictEqual(stored?.input?.[name], value))
        yield `I1: ${name} of ${responseId} is lost`;
    }
  }
}

/** I2: one winner at most, the same in the row, the responses and the log. */
function* checkWinners({ evidence, replayed }: Findings): Iterable<string> {
  for (const { id, status, decided_response_id: winner, response } of evidence.interactions) {
    const decided = evidence.responses.filter(
      (one) => one.interaction_id === id && one.verdict === "decided",
    );
    if (decided.length > (status === "answered" ? 1 : 0)) {
      yield `I2: ${id} is ${status} and has ${decided.length} winners`;
    }
    const told = replayed.flatMap(({ type, payload }) =>
      type === "interaction_response" && payload.interactionId === id ? [payload] : [],
    );
    if (told.some((payload) => payload.answerId !== winner)) yield `I2: the log of ${id} differs`;
    if (told.some((payload) => !isDeepStrictEqual(payload, response))) {
      yield `I2: the row of ${id} differs from its event`;
    }
  }
}

/** I4, I5: nothing is under way any more, so everything has its end, in rows and in the log. */
function* checkEnds({ evidence, replayed, calls }: Findings): Iterable<string> {
  const results = new Map(
    replayed.flatMap(({ type, payload }) =>
      type === "tool_result" ? [[payload.toolCallId, payload] as const] : [],
    ),
  );
  for (const call of evidence.calls) {
    const told = results.get(call.id);
    if (call.status !== "ended" || !told) yield `I5: the call ${call.id} has no result`;
    if (call.run_status !== "ended") yield `I5: the run of ${call.id} is ${call.run_status}`;
    if (told && told.ok !== (call.ok === 1)) yield `I5: the result of ${call.id} differs`;
  }
  for (const { id, status } of evidence.interactions) {
    if (status === "open" || status === "expiring") yield `I4: ${id} is still ${status}`;
  }
  for (const { toolCallId, reply } of calls) {
    const told = results.get(toolCallId);
    const same = reply?.ok ? isDeepStrictEqual(reply.result, told?.result) : !told?.ok;
    if (!same) yield `I5: the caller of ${toolCallId} was told ${JSON.stringify(reply)}`;
  }
}

/** I7: the line that the journal names is the last of its step, and each had the same key and time. */
function* checkSteps({ evidence }: Findings): Iterable<string> {
  const steps = evidence.journal.filter(({ kind }) => kind === "step");
  const runs = groupBy(
    evidence.effects,
    (one) => `${one.sessionId}/${one.toolCallId} ${one.at}|step|${one.name}|1`,
  );
  // A tool that cannot be run again has no journal, and begins once.
  for (const [name, lines] of runs) {
    if (name.endsWith("|begin|1") && lines.length > 1) yield `I7: ${name} happened again`;
  }
  for (const { scope_id: scope, key, value } of steps) {
    const nonces = (runs.get(`${scope} ${key}`) ?? []).map(({ nonce }) => nonce);
    const recorded = nonces.indexOf(value?.value);
    const drawn = (runs.get(`${scope} ${key}`) ?? []).map((line) => `${line.key} at ${line.time}`);
    if (new Set(drawn).size > 1) yield `I7: ${scope} ${key} got ${drawn.join(", then ")}`;
    if (recorded < 0) yield `I7: ${scope} ${key} is journaled and was never run`;
    else if (recorded < nonces.length - 1) yield `I7: ${scope} ${key} ran after it was journaled`;
  }
}

/** I8, I9: what the client made of all its lives is what is there to be read. */
function* checkViews({ view, replayed, openRecords, session }: Findings): Iterable<string> {
  if (!isDeepStrictEqual(view.log, replayed)) yield "I9: the live view is not the replayed one";
  const listed = openRecords.map(({ id }) => id).sort();
  if (listed.length > 0) yield `I8: ${listed.join()} is listed as pending`;
  if (session.pendingCount !== 0) yield `I8: the session counts ${session.pendingCount} prompts`;
  if (session.status !== "idle") yield `I9: the session says that it is ${session.status}`;
}

/** I10: what ran was allowed to, by its tool's own asking, by a response or by a grant. */
function* checkAuthority({ evidence }: Findings): Iterable<string> {
  for (const call of evidence.calls) {
    const did = evidence.effects.filter(({ toolCallId }) => toolCallId === call.id);
    const [kind = "", id] = call.authorized_by?.split(/:(.*)/s) ?? [];
    if (kind === "" && (did.length > 0 || call.ok === 1)) yield `I10: ${call.id} ran without leave`;
    if (kind === "interaction" && !isApproved(evidence, call, id)) {
      yield `I10: ${call.id} names ${id}, which did not approve it`;
    }
    const grant = evidence.grants.find((one) => one.id === id);
    if (kind === "grant" && grant?.tool !== call.tool) yield `I10: ${call.id} has no grant ${id}`;
    // These tools ask by themselves, and act only with leave.
    if (kind === "tool" && did.some(({ name }) => name === "act")) {
      const granted = evidence.journal.some(
        ({ scope_id, kind, key, value }) =>
          scope_id.endsWith(`/${call.id}`) &&
          kind === "grant" &&
          /\|grant\|/.test(key) &&
          value?.value,
      );
      if (!granted && !isApproved(evidence, call)) yield `I10: ${call.id} acted without approval`;
    }
  }
}

function isApproved({ interactions, responses }: Evidence, call: CallEvidence, id?: string) {
  return interactions.some(
    (one) =>
      (one.call_id === call.id || one.adopted_by_call === call.id) &&
      (id === undefined || one.id === id) &&
      responses.some(
        (response) => response.interaction_id === one.id && response.action === "approve",
      ),
  );
}
