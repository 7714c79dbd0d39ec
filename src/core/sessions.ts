import {
  type CreateSessionBody,
  LIMITS,
  type PatchSessionBody,
  type PermissionMode,
  ProtocolError,
  type SessionRecord,
} from "../protocol/index.ts";
import type { Who } from "./api.ts";
import { CANCELLED, endRunChange } from "./end-run.ts";
import type { Env } from "./env.ts";
import { close, defined } from "./interaction.ts";
import { touchSession } from "./messages.ts";
import type { CommitResult, RunRow, SessionRow, SessionSummary, Write } from "./ports.ts";
import { payerOf } from "./quotas.ts";
import { toSessionRecord } from "./records.ts";
import { ToolError } from "./tool.ts";
import { type Change, LOST_RACE, untilCommitted } from "./writer.ts";

/** People see every session; a machine sees the one it is bound to and those it made. */
export function mayRead(who: Who, session: Pick<SessionRow, "id" | "ownerId">): boolean {
  return (
    who.kind === "person" || session.ownerId === who.principalId || session.id === who.sessionId
  );
}

export function readableBy(who: Who) {
  return who.kind === "person"
    ? {}
    : { readableBy: { ownerId: who.principalId, sessionId: who.sessionId } };
}

/** The session, if there is one that `who` may know of. What is not yours does not exist. */
export async function findSession(env: Env, who: Who, sessionId: string): Promise<SessionRow> {
  const session = await env.store.session(sessionId);
  if (!session || session.deletedAt !== null || !mayRead(who, session)) throw sessionNotFound();
  return session;
}

export async function findSummary(env: Env, who: Who, sessionId: string): Promise<SessionSummary> {
  const session = await env.store.summary(sessionId);
  if (!session || session.deletedAt !== null || !mayRead(who, session)) throw sessionNotFound();
  return session;
}

function sessionNotFound(): ProtocolError {
  return new ProtocolError(
    "session_not_found",
    "There is no such session. It may have been deleted.",
  );
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The modes in which nothing runs without a word that would not by default. */
const ASKS_NO_LESS = new Set<PermissionMode>(["default", "plan", "dontAsk"]);

export async function createSession(
  env: Env,
  who: Who,
  body: CreateSessionBody,
): Promise<SessionRecord> {
  const row = newSession(env, who, body);
  const result = await storeSession(env, who, row);
  if (!result.ok) throw new Error("Two sessions got the same id.");
  return toSessionRecord({ ...row, openPrompts: 0, livePrompts: 0, activeRuns: 0 });
}

/** Stores a new session, with what belongs into the same commit, if its maker may have one more. */
export async function storeSession(
  env: Env,
  who: Who,
  row: SessionRow,
  alongside: Write[] = [],
): Promise<CommitResult> {
  const payer = payerOf(who);
  const writes: Write[] = [{ table: "sessions", id: row.id, ifVersion: 0, set: row }, ...alongside];
  const made = () => env.store.budgetSessionCount(payer.id, row.createdAt - DAY_MS);
  return env.quotas.add(payer, "sessionsPerDay", made, () =>
    env.writer.commit({ sessionId: row.id, writes, events: [] }),
  );
}

/** A session as it will be stored; throws for one that `who` may not start. */
export function newSession(env: Env, who: Who, body: CreateSessionBody): SessionRow {
  const agent = body.agent ?? env.options.defaultAgent ?? "demo";
  const runtime = env.agents.get(agent);
  if (!runtime) {
    const known = env.agents.list().map((one) => one.id);
    throw new ProtocolError(
      "invalid_request",
      `There is no agent "${agent}". Choose one of: ${known.join(", ")}.`,
      { issues: [{ path: "agent", message: "unknown agent" }] },
    );
  }
  const { permissionMode = "default" } = body;
  if (who.kind !== "person" && runtime.capabilities.unasked) {
    throw new ProtocolError(
      "person_required",
      `Only a person may start a session of ${runtime.name}: it runs what it wants without asking.`,
    );
  }
  if (who.kind !== "person" && who.sessionId !== null && runtime.capabilities.folderRules) {
    throw new ProtocolError(
      "person_required",
      `A token that is bound to a session may start none of ${runtime.name}: its folder can allow it to run things without asking.`,
    );
  }
  if (who.kind !== "person" && !ASKS_NO_LESS.has(permissionMode)) {
    throw new ProtocolError(
      "person_required",
      `Only a person may let a session run in the mode "${permissionMode}": it asks less.`,
    );
  }
  const now = env.clock.now();
  const payer = payerOf(who);
  return {
    id: env.ids.next(),
    logId: env.ids.next(),
    agent,
    title: body.title ?? "New session",
    cwd: body.cwd ?? null,
    host: env.options.host,
    ownerId: who.principalId,
    budgetId: payer.kind === "person" ? null : payer.id,
    parentSessionId: null,
    parentCallId: null,
    settings: defined({
      permissionMode,
      model: body.model,
      systemPrompt: body.systemPrompt,
    }),
    runtimeState: null,
    lastSeq: 0,
    takenPosition: 0,
    activeRunId: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    version: 1,
  };
}

export async function patchSession(
  env: Env,
  who: Who,
  sessionId: string,
  body: PatchSessionBody,
): Promise<SessionRecord> {
  const changed = await untilCommitted(async () => {
    const session = await findSession(env, who, sessionId);
    const settings = { ...session.settings };
    if (body.permissionMode) settings.permissionMode = body.permissionMode;
    if (body.model) settings.model = body.model;
    const set = { title: body.title ?? session.title, settings, updatedAt: env.clock.now() };
    const writes = [touchSession(session, set)];
    const result = await env.writer.commit({ sessionId, writes, events: [] });
    return result.ok ? { ...session, settings } : LOST_RACE;
  });
  if (changed.activeRunId !== null) {
    env.live.get(changed.activeRunId)?.onSettings?.(changed.settings);
  }
  return toSessionRecord(await findSummary(env, who, sessionId));
}

/** Stops its run, closes its prompts, and hides it; the rows stay for the audit. */
export async function deleteSession(env: Env, who: Who, sessionId: string): Promise<void> {
  const ended = await untilCommitted(async () => {
    const session = await findSession(env, who, sessionId);
    const active = await env.store.activeRuns(sessionId);
    const change = await deletion(env, session, who.principalId);
    const result = await env.writer.commit(change);
    return result.ok ? { runs: active, ownerId: session.ownerId } : LOST_RACE;
  });
  for (const run of ended.runs) {
    env.live.get(run.id)?.cancel(new ToolError("tool_cancelled", "The session was deleted."));
    env.bus.publish({ type: "run", runId: run.id });
  }
  env.bus.publish({ type: "session_deleted", sessionId, ownerId: ended.ownerId });
}

async function deletion(env: Env, session: SessionRow, actorId: string): Promise<Change> {
  const now = env.clock.now();
  const change: Required<Pick<Change, "interactions">> & Change = {
    sessionId: session.id,
    writes: [],
    events: [],
    interactions: [],
  };
  const active = await env.store.activeRuns(session.id);
  // What works in the place of a call ends with that call.
  const isGuest = ({ state }: RunRow) => Number(state !== null && "anchor" in state);
  for (const run of active.sort((a, b) => isGuest(a) - isGuest(b))) {
    if (change.writes.some((write) => write.table === "runs" && write.id === run.id)) continue;
    const part = await endRunChange(env, run, { ...session, activeRunId: null }, CANCELLED);
    change.writes.push(...part.writes);
    change.events.push(...part.events);
    change.interactions.push(...(part.interactions ?? []));
  }
  const done = new Set(change.interactions.map((row) => row.id));
  const open = await env.store.openInteractions({
    sessionId: session.id,
    limit: LIMITS.listPageMax,
  });
  for (const row of open.rows.filter((one) => !done.has(one.id))) {
    const step = close(row, "cancelled", now, "The session was deleted.");
    change.writes.push(step.write);
    change.events.push(...step.events);
    change.interactions.push(step.row);
  }
  for (const run of await env.store.queuedRuns(session.id)) {
    const set = { status: "ended", endStatus: "cancelled", endedAt: now } as const;
    change.writes.push({ table: "runs", id: run.id, ifVersion: run.version, set });
  }
  change.writes.push(touchSession(session, { deletedAt: now, updatedAt: now, activeRunId: null }));
  for (const event of change.events) event.actorId = actorId;
  return change;
}
