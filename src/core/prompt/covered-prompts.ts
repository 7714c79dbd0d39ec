import { isOfGate } from "../call/gate-key.ts";
import { type InteractionResponse, LIMITS } from "../../protocol/index.ts";
import { shownIn } from "../call/anchored.ts";
import { approvalKeys } from "../call/approval-key.ts";
import { respond } from "../interaction.ts";
import { audited, responseWrite } from "./decision.ts";
import { claimRun, type ClaimPorts } from "../run/claim.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { CallRow, GrantRow, InteractionRow, ResponseRow } from "../ports.ts";
import { readList, type ListPorts } from "../live/read-list.ts";
import type { ToolApproval } from "../call/tool.ts";
import { type Change, LOST_RACE, untilCommitted, type Writer } from "../writer.ts";
import type { CorePorts } from "../api.ts";

export interface CoveredPorts
  extends ClaimPorts, ListPorts, Pick<CorePorts, "ids" | "log" | "store" | "tools"> {
  writer: Writer;
  isStopping(): boolean;
}

/** What a grant does to the prompts of one session that it covers. */
interface Covered extends Omit<Change, "sessionId" | "fence" | "ended"> {
  /** To be called when it is stored: lets the calls go on. */
  proceed: () => void;
}

/** How many sessions are looked at together; between two lots everybody else has a turn. */
const LOT = 16;

/**
 * A person has allowed something for the session or for always. Open prompts of the session that
 * ask for the same are answered with it, by that person, in the commit that stores the grant.
 *
 * @param run commits it; without one it is nobody's own commit
 */
export async function answerCovered(
  ports: CoveredPorts,
  grants: GrantRow[],
  sessionId: string,
  run?: LiveRun,
): Promise<Covered> {
  const change: Covered = {
    writes: [],
    events: [],
    interactions: [],
    claimed: [],
    inDoubt: [],
    proceed: () => {},
  };
  const [first] = grants;
  const given = first && (await givenBy(ports, first));
  if (!given) return change;
  const proceeds: (() => void)[] = [];
  for (const { row, grant } of await coveredBy(ports, grants, sessionId)) {
    const kept = toResponseRow(ports, given.kept, grant, row);
    const step = respond(row, [], toResponse(row, kept, grant, given.response), ports.clock.now());
    if ("refused" in step) continue;
    change.writes.push(step.write, responseWrite(kept));
    change.events.push(...audited(ports, step, kept));
    change.interactions?.push(step.row);
    if (run && row.runId === run.row.id) {
      proceeds.push(() => run.deliver(step.row));
      continue;
    }
    if (isClaimed(change, row.runId)) continue;
    const claim = await claimRun(ports, await ports.store.run(row.runId));
    change.writes.push(...claim.writes);
    change.claimed?.push(...claim.claimed);
    change.inDoubt?.push(...claim.inDoubt);
    proceeds.push(() => claim.proceed());
  }
  change.proceed = () => {
    for (const proceed of proceeds) proceed();
  };
  return change;
}

/** What a person allowed for always reaches every session: those of others, a few at a time. */
export async function answerEverywhere(ports: CoveredPorts, grants: GrantRow[]): Promise<void> {
  const [first] = grants;
  if (!first) return;
  const ids = grants.map(({ id }) => id);
  let cursor: string | undefined;
  do {
    const query = { limit: LIMITS.listPageMax, ...(cursor === undefined ? {} : { cursor }) };
    const reader = { principalId: `grant:${first.id}` };
    const page = await readList(ports, reader, query, (one) => ports.store.openInteractions(one));
    const asking = page.rows.filter((row) => mayBeCovered(row, first));
    const sessions = [...new Set(asking.map(({ sessionId }) => sessionId))];
    for (let from = 0; from < sessions.length && !ports.isStopping(); from += LOT) {
      const lot = sessions.slice(from, from + LOT);
      await Promise.all(lot.map((sessionId) => answerInSession(ports, ids, sessionId)));
    }
    cursor = page.next;
  } while (cursor !== undefined && !ports.isStopping());
}

/** Answers the prompts of a session that stored grants cover; none by those that were taken back. */
export async function answerInSession(
  ports: CoveredPorts,
  grantIds: string[],
  sessionId: string,
): Promise<void> {
  await untilCommitted(async () => {
    const found = await Promise.all(grantIds.map((id) => ports.store.grant(id)));
    const grants = found.flatMap((grant) => (grant && grant.revokedAt === null ? grant : []));
    const { proceed, ...change } = await answerCovered(ports, grants, sessionId);
    const result = await ports.writer.commit({ sessionId, ...change });
    if (!result.ok) return LOST_RACE;
    proceed();
  });
}

/** The answer that a grant comes from. */
async function givenBy(ports: CoveredPorts, { interactionId }: GrantRow) {
  const row = interactionId === null ? null : await ports.store.interaction(interactionId);
  const { response } = row ?? {};
  const kept = response
    ? await ports.store.response(response.interactionId, response.answerId)
    : null;
  return response && kept ? { response, kept } : undefined;
}

const isClaimed = ({ writes }: Covered, runId: string) =>
  writes.some(({ table, id }) => table === "runs" && id === runId);

/** What is open in the session and asks for nothing that the grants do not cover together. */
async function coveredBy(
  ports: CoveredPorts,
  grants: GrantRow[],
  sessionId: string,
): Promise<{ row: InteractionRow; grant: GrantRow }[]> {
  const limit = LIMITS.openPromptsPerSession;
  const { rows } = await ports.store.openInteractions({ sessionId, limit });
  const covered: { row: InteractionRow; grant: GrantRow }[] = [];
  for (const row of rows) {
    const usable = grants.filter((grant) => mayBeCovered(row, grant));
    const asked = usable.length > 0 ? await askedFor(ports, row) : undefined;
    const keys = asked ? keysOf(ports, asked) : [];
    const needed = keys.map((key) => usable.find((grant) => grant.key === key));
    const [grant] = needed;
    if (grant && needed.every((one) => one !== undefined)) covered.push({ row, grant });
  }
  return covered;
}

/** By what its row says; what it asks for is looked at next. */
function mayBeCovered(row: InteractionRow, grant: GrantRow): boolean {
  return (
    row.id !== grant.interactionId &&
    row.status === "open" &&
    row.link === "live" &&
    isOfGate(row.key) &&
    row.toolName === grant.tool &&
    row.request.approvalScopes?.includes(grant.scope) === true
  );
}

/** A tool whose key cannot be made any more, as after a reload, asks for nothing that is known. */
function keysOf(ports: CoveredPorts, { approval, input }: AskedFor): string[] {
  try {
    return approvalKeys(approval, input);
  } catch (error) {
    ports.log.warn({ error }, "what a prompt asks for could not be compared with what was allowed");
    return [];
  }
}

interface AskedFor {
  approval: ToolApproval<unknown>;
  input: unknown;
}

/** The call that a prompt holds up, and what makes the key of its approval. */
async function askedFor(ports: CoveredPorts, row: InteractionRow): Promise<AskedFor | undefined> {
  const held = [...(ports.live.get(row.runId)?.calls.values() ?? [])];
  const live = held.find(({ prompts }) => prompts.has(row.id));
  const isIts = (call: CallRow) => call.tool === row.toolName && shownIn(call) === row.callId;
  const call = live?.row ?? (await ports.store.calls(row.runId)).find(isIts);
  const tool = live?.tool ?? ports.tools.get(row.toolName);
  const approval = tool?.approval as ToolApproval<unknown> | undefined;
  return call && approval ? { approval, input: call.effectiveInput ?? call.input } : undefined;
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
  ports: CoveredPorts,
  { principalId, tokenId, via }: ResponseRow,
  grant: GrantRow,
  row: InteractionRow,
): ResponseRow {
  return {
    interactionId: row.id,
    id: ports.ids.next(),
    bodyDigest: ports.ids.digest(`grant:${grant.id}`),
    principalId,
    tokenId,
    via,
    action: "approve",
    scope: "once",
    optionId: null,
    input: null,
    sealed: null,
    editedDigest: null,
    reason: null,
    stop: false,
    verdict: "decided",
    late: false,
    createdAt: ports.clock.now(),
    version: 1,
  };
}
