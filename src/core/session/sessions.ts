import {
  type CreateSessionBody,
  LIMITS,
  type PatchSessionBody,
  ProtocolError,
  type SessionRecord,
  UNNAMED_SESSION,
} from "../../protocol/index.ts";
import { CANCELLED, endRunChange, endRunWrite, type EndPorts } from "../run/end.ts";
import { close, defined } from "../interaction.ts";
import { touchSession } from "../turn/messages.ts";
import type {
  CommitResult,
  InteractionRow,
  RunRow,
  SessionRow,
  SessionSummary,
  Write,
  Who,
} from "../ports.ts";
import { payerOf, type Quotas } from "../live/quotas.ts";
import { modeOf } from "./agent-mode.ts";
import { toSessionRecord } from "./records.ts";
import { interactionNotFound } from "../prompt/refusals.ts";
import { ToolError } from "../call/tool.ts";
import { type Change, LOST_RACE, untilCommitted, type Writer } from "../writer.ts";
import type { CorePorts, CoreOptions } from "../api.ts";
import type { HeldRuns } from "../run/live-run.ts";

/** What it takes to make a session, to change it and to end what runs in it. */
export interface SessionPorts extends EndPorts, HeldRuns, Pick<CorePorts, "agents" | "bus"> {
  options: Pick<CoreOptions, "defaultAgent" | "node">;
  quotas: Quotas;
  writer: Writer;
}

/** People see every session; a machine sees the one it is bound to and those it made. */
export function mayRead(who: Who, session: Pick<SessionRow, "id" | "ownerId">): boolean {
  return (
    who.kind === "person" || session.ownerId === who.principalId || session.id === who.sessionId
  );
}

/** Whether there is such a session for `who`. What is not yours does not exist. */
export function isThere<Row extends SessionRow>(who: Who, session: Row | null): session is Row {
  return session !== null && session.deletedAt === null && mayRead(who, session);
}

export function readableBy(who: Who) {
  return who.kind === "person"
    ? {}
    : { readableBy: { ownerId: who.principalId, sessionId: who.sessionId } };
}

/** The session, if there is one that `who` may know of. */
export async function findSession(
  ports: Pick<CorePorts, "store">,
  who: Who,
  sessionId: string,
): Promise<SessionRow> {
  const session = await ports.store.session(sessionId);
  if (!isThere(who, session)) throw sessionNotFound();
  return session;
}

export async function findSummary(
  ports: Pick<CorePorts, "store">,
  who: Who,
  sessionId: string,
): Promise<SessionSummary> {
  const session = await ports.store.summary(sessionId);
  if (!isThere(who, session)) throw sessionNotFound();
  return session;
}

/** The prompt with its session, if `who` may know of them. */
export async function findPrompt(
  ports: Pick<CorePorts, "store">,
  who: Who,
  id: string,
): Promise<{ row: InteractionRow; session: SessionRow }> {
  const row = await ports.store.interaction(id);
  const session = row && (await ports.store.session(row.sessionId));
  if (!row || !isThere(who, session)) throw interactionNotFound();
  return { row, session };
}

function sessionNotFound(): ProtocolError {
  return new ProtocolError(
    "session_not_found",
    "There is no such session. It may have been deleted.",
  );
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export async function createSession(
  ports: SessionPorts,
  who: Who,
  body: CreateSessionBody,
): Promise<SessionRecord> {
  const row = newSession(ports, who, body);
  const result = await storeSession(ports, who, row);
  if (!result.ok) throw new Error("Two sessions got the same id.");
  return toSessionRecord({ ...row, openPrompts: 0, livePrompts: 0, activeRuns: 0 });
}

/** Stores a new session, with what belongs into the same commit, if its maker may have one more. */
export async function storeSession(
  ports: SessionPorts,
  who: Who,
  row: SessionRow,
  alongside: Write[] = [],
): Promise<CommitResult> {
  const payer = payerOf(who);
  const writes: Write[] = [{ table: "sessions", id: row.id, ifVersion: 0, set: row }, ...alongside];
  const made = () => ports.store.budgetSessionCount(payer.id, row.createdAt - DAY_MS);
  return ports.quotas.add(payer, "sessionsPerDay", made, () =>
    ports.writer.commit({ sessionId: row.id, writes, events: [] }),
  );
}

/** A session as it will be stored; throws for one that `who` may not start. */
export function newSession(ports: SessionPorts, who: Who, body: CreateSessionBody): SessionRow {
  const agent = body.agent ?? ports.options.defaultAgent ?? "demo";
  const runtime = ports.agents.get(agent);
  if (!runtime) {
    const known = ports.agents.list().map((one) => one.id);
    throw new ProtocolError(
      "invalid_request",
      `There is no agent "${agent}". Choose one of: ${known.join(", ")}.`,
      { issues: [{ path: "agent", message: "unknown agent" }] },
    );
  }
  const mode = modeOf(runtime, body.permissionMode);
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
  if (who.kind !== "person" && mode.asks !== "all") {
    throw new ProtocolError(
      "person_required",
      `Only a person may let a session run in the mode "${mode.id}": it asks less.`,
    );
  }
  const now = ports.clock.now();
  const payer = payerOf(who);
  return {
    id: ports.ids.next(),
    logId: ports.ids.next(),
    agent,
    title: body.title ?? UNNAMED_SESSION,
    cwd: body.cwd ?? null,
    host: body.cwd === undefined ? null : (ports.options.node?.host ?? null),
    ownerId: who.principalId,
    budgetId: payer.kind === "person" ? null : payer.id,
    settings: defined({
      permissionMode: mode.id,
      model: body.model,
      systemPrompt: body.systemPrompt,
    }),
    runtimeState: null,
    lastSeq: 0,
    activeRunId: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    version: 1,
  };
}

export async function patchSession(
  ports: SessionPorts,
  who: Who,
  sessionId: string,
  body: PatchSessionBody,
): Promise<SessionRecord> {
  const changed = await untilCommitted(async () => {
    const session = await findSession(ports, who, sessionId);
    const settings = { ...session.settings };
    const runtime = ports.agents.get(session.agent);
    if (body.permissionMode) {
      // One that another server of the same store has is not known here.
      settings.permissionMode = runtime
        ? modeOf(runtime, body.permissionMode).id
        : body.permissionMode;
    }
    if (body.model) settings.model = body.model;
    const set = { title: body.title ?? session.title, settings, updatedAt: ports.clock.now() };
    const writes = [touchSession(session, set)];
    const result = await ports.writer.commit({ sessionId, writes, events: [] });
    return result.ok ? { ...session, settings } : LOST_RACE;
  });
  if (changed.activeRunId !== null) {
    ports.live.get(changed.activeRunId)?.hearSettings(changed.settings);
  }
  return toSessionRecord(await findSummary(ports, who, sessionId));
}

/** Stops its run, closes its prompts, and hides it; the rows stay for the audit. */
export async function deleteSession(
  ports: SessionPorts,
  who: Who,
  sessionId: string,
): Promise<void> {
  const ended = await untilCommitted(async () => {
    const session = await findSession(ports, who, sessionId);
    const active = await ports.store.activeRuns(sessionId);
    const change = await deletion(ports, session, who.principalId);
    const result = await ports.writer.commit(change);
    return result.ok ? { runs: active, ownerId: session.ownerId } : LOST_RACE;
  });
  for (const run of ended.runs) {
    ports.live.get(run.id)?.cancel(new ToolError("tool_cancelled", "The session was deleted."));
    ports.bus.publish({ type: "run", runId: run.id });
  }
  ports.bus.publish({ type: "session_deleted", sessionId, ownerId: ended.ownerId });
}

async function deletion(
  ports: SessionPorts,
  session: SessionRow,
  actorId: string,
): Promise<Change> {
  const now = ports.clock.now();
  const change: Required<Pick<Change, "interactions">> & Change = {
    sessionId: session.id,
    writes: [],
    events: [],
    interactions: [],
  };
  const active = await ports.store.activeRuns(session.id);
  // What works in the place of a call ends with that call.
  const isGuest = ({ state }: RunRow) => Number(state !== null && "anchor" in state);
  for (const run of active.sort((a, b) => isGuest(a) - isGuest(b))) {
    if (change.writes.some((write) => write.table === "runs" && write.id === run.id)) continue;
    const part = await endRunChange(ports, run, { ...session, activeRunId: null }, CANCELLED);
    change.writes.push(...part.writes);
    change.events.push(...part.events);
    change.interactions.push(...(part.interactions ?? []));
  }
  const done = new Set(change.interactions.map((row) => row.id));
  const open = await ports.store.openInteractions({
    sessionId: session.id,
    limit: LIMITS.listPageMax,
  });
  for (const row of open.rows.filter((one) => !done.has(one.id))) {
    const step = close(row, "cancelled", now, "The session was deleted.");
    change.writes.push(step.write);
    change.events.push(...step.events);
    change.interactions.push(step.row);
  }
  for (const run of await ports.store.queuedRuns(session.id)) {
    change.writes.push(endRunWrite(run, now));
  }
  change.writes.push(touchSession(session, { deletedAt: now, updatedAt: now, activeRunId: null }));
  for (const event of change.events) event.actorId = actorId;
  return change;
}
