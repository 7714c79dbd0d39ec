import { GATE, isOfGate } from "./gate-key.ts";
import type { ApprovalScope } from "../../protocol/index.ts";
import { approvalKeys } from "./approval-key.ts";
import {
  answerCovered,
  answerEverywhere,
  answerInSession,
  type CoveredPorts,
} from "../prompt/covered-prompts.ts";
import { requestInteraction, type EnginePorts } from "../engine.ts";
import { listIssues, schemaIssues } from "../schema/json-schema.ts";
import { grantQueueKey, newGrant, use, widestGrant, type ApprovalPorts } from "./grants.ts";
import { throughJson } from "./journal.ts";
import type { LiveCall } from "./live-call.ts";
import type { LiveRun } from "../run/live-run.ts";
import { oneAtATime } from "../live/keyed-queue.ts";
import type { CallRow, InteractionRow, Write } from "../ports.ts";
import { type InteractionRequestWithHooks, type ToolApproval, ToolError } from "./tool.ts";
import type { Change } from "../writer.ts";

export interface GatePorts extends EnginePorts, ApprovalPorts, CoveredPorts {
  options: EnginePorts["options"] & CoveredPorts["options"];
}

/*
 * Every call passes here right before its handler, the first time and each time it is run again.
 * `authorized_by` says why it may run: `tool` (it asks by itself where it must, or does nothing but
 * ask), `interaction:ID` (a person approved this very call), `grant:ID` (a remembered approval covers it) or `runtime` (an
 * agent's runtime runs it by its own rules, and asked nobody). Whoever comes
 * past this point without one of these has found a defect; everything unclear throws, and a call
 * whose gate throws does not run.
 */
export async function authorize(
  ports: GatePorts,
  run: LiveRun,
  call: LiveCall,
  cwd: string | null | undefined,
): Promise<void> {
  const approval = call.tool.approval as ToolApproval<unknown> | undefined;
  if (!approval) {
    if (call.row.authorizedBy !== null) return;
    throw new ToolError("tool_denied", "Nothing authorised this call, so it did not run.");
  }
  if (await isAuthorized(ports, call.row)) return;
  if (approval.complete && call.row.effectiveInput === null) {
    const effectiveInput = complete(approval, call.row.input, cwd);
    await change(ports, run, call, () => ({ set: { effectiveInput } }));
  }
  const input = call.row.effectiveInput ?? call.row.input;
  // What a person has been asked about this very call is theirs to say, whatever else would let it.
  if (!wasAsked(call)) {
    if (approval.onlyAsks?.(structuredClone(input))) {
      return change(ports, run, call, () => ({ set: { authorizedBy: "tool" } }));
    }
    if (await useGrants(ports, run, call, approvalKeys(approval, input))) return;
  }
  await askPerson(ports, run, call, { approval, input, cwd });
}

/** From now on only a person, or what one allowed before, lets this call run. */
export async function disown(ports: GatePorts, run: LiveRun, call: LiveCall): Promise<void> {
  if (call.row.authorizedBy !== "runtime") return;
  await change(ports, run, call, () => ({ set: { authorizedBy: null } }));
}

function wasAsked({ prompts, journal }: LiveCall): boolean {
  const keys = [...[...prompts.values()].map(({ key }) => key), ...journal.keys()];
  return keys.some(isOfGate);
}

/** In a call that is run again: a person's approval of it stands, a grant must still be good. */
async function isAuthorized(ports: GatePorts, row: CallRow): Promise<boolean> {
  const [kind, id = ""] = row.authorizedBy?.split(":") ?? [];
  if (kind === "interaction") return true;
  const grant = kind === "grant" ? await ports.store.grant(id) : null;
  if (!grant || grant.revokedAt !== null) return false;
  const expired = grant.expiresAt !== null && grant.expiresAt <= ports.clock.now();
  return !expired && grant.scope !== "once";
}

/** The writes that use the grants fail if one is revoked at this moment; then there is none. */
async function useGrants(
  ports: GatePorts,
  run: LiveRun,
  call: LiveCall,
  keys: [string, ...string[]],
): Promise<boolean> {
  const find = async () => {
    const found = await Promise.all(keys.map((key) => widestGrant(ports, call, key)));
    return found.every((grant) => grant !== undefined) ? found : [];
  };
  if ((await find()).length === 0) return false;
  let used = false;
  await oneAtATime(ports.granting, grantQueueKey(call, keys[0]), run.gone, () =>
    change(ports, run, call, async () => {
      const grants = await find();
      const [first] = grants;
      used = first !== undefined;
      if (!first) return { set: {} };
      return { set: { authorizedBy: `grant:${first.id}` }, alongside: grants.map(use) };
    }),
  );
  return used;
}

interface Decision {
  interactionId: string;
  action: string;
  scope: ApprovalScope;
  updatedInput?: unknown;
  reason?: string;
}

async function askPerson(
  ports: GatePorts,
  run: LiveRun,
  call: LiveCall,
  asked: {
    approval: ToolApproval<unknown>;
    input: unknown;
    cwd: string | null | undefined;
  },
): Promise<void> {
  const { approval, input, cwd } = asked;
  const request: InteractionRequestWithHooks = {
    type: "approval",
    prompt: approval.prompt?.(structuredClone(input)),
    kind: approval.kind,
    context: approval.context,
    approvalCovers: approval.covers,
    approvalScopes: approval.options ? undefined : approval.scopes,
    approvalOptions: approval.options,
    editable: approval.editable,
    timeoutMs: approval.timeoutMs,
    onResponse: ({ action, approvalScope: scope = "once", updatedInput, reason }, info) => ({
      complete: { interactionId: info.interactionId, action, scope, updatedInput, reason },
    }),
  };
  const opened = () => inBackground(ports, lookAgain(ports, call, approvalKeys(approval, input)));
  const how = { kind: "asking", path: GATE, opened } as const;
  const decision = (await requestInteraction(ports, run, call, request, how)) as Decision;
  if (decision.action !== "approve") {
    throw new ToolError("tool_denied", decision.reason || "The user denied this tool call.");
  }
  const edited = decision.updatedInput;
  // The edit was checked when it was made; but by another version of the tool, or by none.
  if (edited !== undefined) checkFits(call, edited);
  const approved = edited === undefined ? input : complete(approval, edited, cwd);
  const interaction = call.prompts.get(decision.interactionId) as InteractionRow;
  const { grantId } = interaction.response ?? {};
  if (grantId !== undefined) return takeGrant(ports, run, call, grantId);
  const set = {
    authorizedBy: `interaction:${interaction.id}`,
    ...(edited === undefined ? {} : { effectiveInput: approved }),
  };
  if (decision.scope === "once" || approval.rememberedBy === "agent")
    return change(ports, run, call, () => ({ set }));
  const { scope } = decision;
  const grants = approvalKeys(approval, approved).map((key) =>
    newGrant(ports, call, key, scope, interaction),
  );
  const { sessionId } = call.row;
  let proceed = () => {};
  await change(ports, run, call, async () => {
    const covered = await answerCovered(ports, grants, sessionId, run);
    ({ proceed } = covered);
    const stored = grants.map((grant): Write => ({
      table: "grants",
      id: grant.id,
      ifVersion: 0,
      set: grant,
    }));
    const { events, interactions, inDoubt } = covered;
    return { set, alongside: [...stored, ...covered.writes], events, interactions, inDoubt };
  });
  proceed();
  if (scope === "always") inBackground(ports, answerEverywhere(ports, grants));
}

/** A prompt that was on its way while a grant was stored is not among those that the grant answers. */
async function lookAgain(ports: GatePorts, call: LiveCall, keys: string[]): Promise<void> {
  const found = await Promise.all(keys.map((key) => widestGrant(ports, call, key)));
  const ids = found.flatMap((grant) => (grant && grant.scope !== "once" ? grant.id : []));
  if (ids.length === keys.length) await answerInSession(ports, ids, call.row.sessionId);
}

/** A covered prompt that is missed stays open for people: no call waits for this, or fails with it. */
function inBackground(ports: GatePorts, work: Promise<void>): void {
  work.catch((error: unknown) => {
    if (!ports.isStopping())
      ports.log.warn({ error }, "prompts that a grant covers were left open");
  });
}

/** The prompt was answered by what a person allowed for another one; unless that was taken back. */
async function takeGrant(
  ports: GatePorts,
  run: LiveRun,
  call: LiveCall,
  id: string,
): Promise<void> {
  const key = (await ports.store.grant(id))?.key ?? "";
  await oneAtATime(ports.granting, grantQueueKey(call, key), run.gone, () =>
    change(ports, run, call, async () => {
      const grant = await ports.store.grant(id);
      if (!grant || grant.revokedAt !== null) {
        throw new ToolError("tool_denied", "What allowed this call was revoked before it ran.");
      }
      return { set: { authorizedBy: `grant:${id}` }, alongside: [use(grant)] };
    }),
  );
}

function checkFits(call: LiveCall, edited: unknown): void {
  const issues = schemaIssues(call.tool.parameters, edited);
  if (edited !== null && issues.length === 0) return;
  const why = edited === null ? "they are missing" : listIssues(issues);
  throw new ToolError(
    "invalid_arguments",
    `The edited arguments do not fit ${call.row.tool}: ${why}.`,
  );
}

interface CallChange {
  set: Partial<CallRow>;
  alongside?: Write[];
  events?: Change["events"];
  interactions?: Change["interactions"];
  inDoubt?: Change["inDoubt"];
}

/** Stores what the gate found out about a call, before anything is done because of it. */
async function change(
  ports: GatePorts,
  run: LiveRun,
  call: LiveCall,
  build: () => CallChange | Promise<CallChange>,
): Promise<void> {
  const { sessionId, id } = call.row;
  let set: Partial<CallRow> = {};
  let version = 0;
  let isKnown = call.isNew;
  await run.commit(async () => {
    // Whoever asks in the call's place marks its row; that is no reason to stop.
    // A call that is not there yet is stored with the same commit.
    const stored = isKnown ? call.row : ((await ports.store.call(sessionId, id)) ?? call.row);
    isKnown = false;
    if (stored.status !== "running") throw new ToolError("tool_cancelled", "The call has ended.");
    ({ version } = stored);
    const built = await build();
    ({ set } = built);
    const { alongside = [], events = [], interactions = [], inDoubt = [] } = built;
    const write: Write = { table: "tool_calls", id: [sessionId, id], ifVersion: version, set };
    return { sessionId, writes: [write, ...alongside], events, interactions, inDoubt };
  });
  call.row = { ...call.row, ...set, version: version + 1 };
}

function complete(
  approval: ToolApproval<unknown>,
  input: unknown,
  cwd: string | null | undefined,
): unknown {
  const args = structuredClone(input);
  return throughJson(approval.complete?.(args, cwd ? { cwd } : {}) ?? args);
}
