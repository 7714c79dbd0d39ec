import { type ApprovalScope, canonicalJson } from "../protocol/index.ts";
import { settleCovered } from "./covered-prompts.ts";
import { requestInteraction } from "./engine.ts";
import { type Env, journalScope } from "./env.ts";
import { listIssues, schemaIssues } from "./json-schema.ts";
import { grantLine, newGrant, use, widestGrant } from "./grants.ts";
import { throughJson } from "./journal.ts";
import type { LiveCall } from "./live-call.ts";
import type { LiveRun } from "./live-run.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { CallRow, InteractionRow, Write } from "./ports.ts";
import { type InteractionRequestWithHooks, type ToolApproval, ToolError } from "./tool.ts";
import type { Change } from "./writer.ts";

/*
 * Every call passes here right before its handler, the first time and each time it is run again.
 * `authorized_by` says why it may run: `tool` (it asks by itself where it must), `interaction:ID`
 * (a person approved this very call), `grant:ID` (a remembered approval covers it) or `runtime` (an
 * agent's runtime runs it by its own rules, and asked nobody). Whoever comes
 * past this point without one of these has found a defect; everything unclear throws, and a call
 * whose gate throws does not run.
 */
export async function authorize(
  env: Env,
  run: LiveRun,
  call: LiveCall,
  cwd: string | null | undefined,
): Promise<void> {
  const approval = call.tool.approval as ToolApproval<unknown> | undefined;
  if (!approval) {
    if (call.row.authorizedBy !== null) return;
    throw new ToolError("tool_denied", "Nothing authorised this call, so it did not run.");
  }
  if (await isAuthorized(env, call.row)) return;
  if (approval.complete && call.row.effectiveInput === null) {
    const effectiveInput = complete(approval, call.row.input, cwd);
    await change(env, run, call, () => ({ set: { effectiveInput } }));
  }
  const input = call.row.effectiveInput ?? call.row.input;
  // What a person has been asked about this very call is theirs to say, whatever grants there are.
  if (!wasAsked(call) && (await useGrant(env, run, call, keyOf(approval, input)))) return;
  await askPerson(env, run, call, { approval, input, cwd });
}

/** From now on only a person, or what one allowed before, lets this call run. */
export async function disown(env: Env, run: LiveRun, call: LiveCall): Promise<void> {
  if (call.row.authorizedBy !== "runtime") return;
  await change(env, run, call, () => ({ set: { authorizedBy: null } }));
}

/** Where the gate asks: apart from everything that the tool's own code may ask. */
const GATE = "gate";

function wasAsked({ prompts, journal }: LiveCall): boolean {
  const keys = [...[...prompts.values()].map(({ key }) => key), ...journal.keys()];
  return keys.some((key) => key.startsWith(`${GATE}|prompt|`));
}

/** In a call that is run again: a person's approval of it stands, a grant must still be good. */
async function isAuthorized(env: Env, row: CallRow): Promise<boolean> {
  const [kind, id = ""] = row.authorizedBy?.split(":") ?? [];
  if (kind === "interaction") return true;
  const grant = kind === "grant" ? await env.store.grant(id) : null;
  if (!grant || grant.revokedAt !== null) return false;
  const expired = grant.expiresAt !== null && grant.expiresAt <= env.clock.now();
  return !expired && grant.scope !== "once";
}

/** The write that uses the grant fails if it is revoked at this moment; then there is none. */
async function useGrant(env: Env, run: LiveRun, call: LiveCall, key: string): Promise<boolean> {
  if (!(await widestGrant(env, call, key))) return false;
  let used = false;
  await oneAtATime(env.granting, grantLine(call, key), run.gone, () =>
    change(env, run, call, async () => {
      const grant = await widestGrant(env, call, key);
      used = grant !== undefined;
      if (!grant) return { set: {} };
      const set = { authorizedBy: `grant:${grant.id}` };
      return { set, alongside: [use(grant, journalScope(call.row.sessionId, call.row.id))] };
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
  env: Env,
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
    approvalScopes: approval.scopes,
    editable: approval.editable,
    timeoutMs: approval.timeoutMs,
    onResponse: ({ action, approvalScope: scope = "once", updatedInput, reason }, info) => ({
      complete: { interactionId: info.interactionId, action, scope, updatedInput, reason },
    }),
  };
  const ask = () => requestInteraction(env, run, call, request, "asking");
  const decision = (await env.scope.run({ callId: call.row.id, path: GATE }, ask)) as Decision;
  if (decision.action !== "approve") {
    throw new ToolError("tool_denied", decision.reason || "The user denied this tool call.");
  }
  const edited = decision.updatedInput;
  // The edit was checked when it was made; but by another version of the tool, or by none.
  if (edited !== undefined) checkFits(call, edited);
  const approved = edited === undefined ? input : complete(approval, edited, cwd);
  const interaction = call.prompts.get(decision.interactionId) as InteractionRow;
  const { grantId } = interaction.response ?? {};
  if (grantId !== undefined) return takeGrant(env, run, call, grantId);
  const set = {
    authorizedBy: `interaction:${interaction.id}`,
    ...(edited === undefined ? {} : { effectiveInput: approved }),
  };
  if (decision.scope === "once") return change(env, run, call, () => ({ set }));
  const grant = newGrant(env, call, keyOf(approval, approved), decision.scope, interaction);
  let proceed = () => {};
  await change(env, run, call, async () => {
    const covered = await settleCovered(env, run, grant, interaction, keyOf);
    ({ proceed } = covered);
    const stored: Write = { table: "grants", id: grant.id, ifVersion: 0, set: grant };
    const { events, interactions } = covered;
    return { set, alongside: [stored, ...covered.writes], events, interactions };
  });
  proceed();
}

/** The prompt was answered by what a person allowed for another one; unless that was taken back. */
async function takeGrant(env: Env, run: LiveRun, call: LiveCall, id: string): Promise<void> {
  await change(env, run, call, async () => {
    const grant = await env.store.grant(id);
    if (!grant || grant.revokedAt !== null) {
      throw new ToolError("tool_denied", "What allowed this call was revoked before it ran.");
    }
    const scope = journalScope(call.row.sessionId, call.row.id);
    return { set: { authorizedBy: `grant:${id}` }, alongside: [use(grant, scope)] };
  });
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
}

/** Stores what the gate found out about a call, before anything is done because of it. */
async function change(
  env: Env,
  run: LiveRun,
  call: LiveCall,
  build: () => CallChange | Promise<CallChange>,
): Promise<void> {
  const { sessionId, id } = call.row;
  let set: Partial<CallRow> = {};
  let version = 0;
  await run.commit(async () => {
    // Whoever asks in the call's place marks its row; that is no reason to stop.
    const stored = await env.store.call(sessionId, id);
    if (stored?.status !== "running") throw new ToolError("tool_cancelled", "The call has ended.");
    ({ version } = stored);
    const built = await build();
    ({ set } = built);
    const { alongside = [], events = [], interactions = [] } = built;
    const write: Write = { table: "tool_calls", id: [sessionId, id], ifVersion: version, set };
    return { sessionId, writes: [write, ...alongside], events, interactions };
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

function keyOf(approval: ToolApproval<unknown>, input: unknown): string {
  return approval.key?.(structuredClone(input)) ?? canonicalJson(input);
}
