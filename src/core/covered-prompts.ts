import { canonicalJson, type InteractionResponse, LIMITS } from "../protocol/index.ts";
import { shownIn } from "./anchored.ts";
import type { Env } from "./env.ts";
import { defined, respond, type Step } from "./interaction.ts";
import { land } from "./landing.ts";
import type { LiveRun } from "./live-run.ts";
import type { CallRow, DecisionAudit, GrantRow, InteractionRow, ResponseRow } from "./ports.ts";
import type { ToolApproval } from "./tool.ts";
import type { Change } from "./writer.ts";

/** What a grant does to the prompts of other calls that it covers. */
interface Covered extends Omit<Change, "sessionId" | "fence" | "ended"> {
  /** To be called when it is stored: lets the calls go on. */
  proceed: () => void;
}

/**
 * A person has allowed something for the session or for always. Open prompts of the same session
 * that ask for the same are answered with it, by that person, in the commit that stores the grant.
 */
export async function settleCovered(
  env: Env,
  run: LiveRun,
  grant: GrantRow,
  given: InteractionRow,
  keyOf: (approval: ToolApproval<unknown>, input: unknown) => string,
): Promise<Covered> {
  const said = given.response as InteractionResponse;
  const decided = await env.store.response(given.id, said.answerId);
  const change: Covered = { writes: [], events: [], interactions: [], proceed: () => {} };
  if (!decided) return change;
  const proceeds: (() => void)[] = [];
  for (const row of await coveredBy(env, grant, given, keyOf)) {
    const kept = toResponseRow(env, decided, grant, row);
    const step = respond(row, [], toResponse(row, kept, grant, said), env.clock.now());
    if ("refused" in step) continue;
    change.writes.push(step.write, responseWrite(kept));
    change.events.push(...audited(env, step, kept));
    change.interactions?.push(step.row);
    if (row.runId === run.row.id) {
      proceeds.push(() => run.deliver(step.row));
      continue;
    }
    if (isClaimed(change, row.runId)) continue;
    const landing = land(env, await env.store.run(row.runId));
    change.writes.push(...landing.writes);
    proceeds.push(() => landing.proceed());
  }
  change.proceed = () => {
    for (const proceed of proceeds) proceed();
  };
  return change;
}

const isClaimed = ({ writes }: Covered, runId: string) =>
  writes.some(({ table, id }) => table === "runs" && id === runId);

const responseWrite = (set: ResponseRow) =>
  ({ table: "responses", id: [set.interactionId, set.id], ifVersion: 0, set }) as const;

async function coveredBy(
  env: Env,
  grant: GrantRow,
  given: InteractionRow,
  keyOf: (approval: ToolApproval<unknown>, input: unknown) => string,
): Promise<InteractionRow[]> {
  const { sessionId } = given;
  const limit = LIMITS.openPromptsPerSession;
  const { rows } = await env.store.openInteractions({ sessionId, limit });
  const covered: InteractionRow[] = [];
  for (const row of rows) {
    const asksTheSame =
      row.id !== given.id &&
      row.status === "open" &&
      row.link === "live" &&
      row.key.startsWith("gate|prompt|") &&
      row.toolName === grant.tool &&
      row.request.approvalScopes?.includes(grant.scope) === true;
    const asked = asksTheSame ? await askedFor(env, row) : undefined;
    if (asked && keyOf(asked.approval, asked.input) === grant.key) covered.push(row);
  }
  return covered;
}

/** The call that a prompt holds up, and what makes the key of its approval. */
async function askedFor(env: Env, row: InteractionRow) {
  const held = [...(env.live.get(row.runId)?.calls.values() ?? [])];
  const live = held.find(({ prompts }) => prompts.has(row.id));
  const isIts = (call: CallRow) => call.tool === row.toolName && shownIn(call) === row.callId;
  const call = live?.row ?? (await env.store.calls(row.runId)).find(isIts);
  const tool = live?.tool ?? env.tools.get(row.toolName);
  const approval = tool?.approval as ToolApproval<unknown> | undefined;
  return call && approval && { approval, input: call.effectiveInput ?? call.input };
}

function toResponse(
  row: InteractionRow,
  { id }: ResponseRow,
  grant: GrantRow,
  { responder }: InteractionResponse,
): InteractionResponse {
  return {
    toolCallId: row.callId,
    interactionId: row.id,
    answerId: id,
    action: "approve",
    approvalScope: "once",
    grantId: grant.id,
    responder,
  };
}

function toResponseRow(
  env: Env,
  { principalId, tokenId, via }: ResponseRow,
  grant: GrantRow,
  row: InteractionRow,
): ResponseRow {
  return {
    interactionId: row.id,
    id: env.ids.next(),
    bodyDigest: env.ids.digest(`grant:${grant.id}`),
    principalId,
    tokenId,
    via,
    action: "approve",
    scope: "once",
    optionId: null,
    input: null,
    editedDigest: null,
    reason: null,
    stop: false,
    verdict: "decided",
    late: false,
    createdAt: env.clock.now(),
    version: 1,
  };
}

function audited(env: Env, { row, events }: Step, { principalId, tokenId, via }: ResponseRow) {
  const audit: DecisionAudit = defined({
    principalId,
    tokenId,
    via,
    shownDigest: env.ids.digest(canonicalJson(row.request)),
    actionDigest: row.actionDigest ?? undefined,
  });
  return events.map((event) =>
    event.type === "interaction_response" ? { ...event, audit } : event,
  );
}
