import type { InteractionRecord, NodeRecord, SessionRecord } from "../../protocol/index.ts";
import type { InteractionRow, NodeRow, SessionSummary } from "../ports.ts";
import { actionElsewhere, isOpen } from "../interaction.ts";
import { LEASE_MS } from "../run/lease.ts";

const iso = (time: number) => new Date(time).toISOString();

export function toSessionRecord(row: SessionSummary): SessionRecord {
  return {
    id: row.id,
    title: row.title,
    agent: row.agent,
    ...(row.cwd === null ? {} : { cwd: row.cwd }),
    ...(row.settings.model === undefined ? {} : { model: row.settings.model }),
    permissionMode: row.settings.permissionMode,
    status: row.livePrompts > 0 ? "waiting" : row.activeRuns > 0 ? "running" : "idle",
    pendingCount: row.openPrompts,
    lastSeq: row.lastSeq,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}

export function toInteractionRecord(row: InteractionRow): InteractionRecord {
  return {
    id: row.id,
    sessionId: row.sessionId,
    toolCallId: row.callId,
    toolName: row.toolName,
    status: row.status === "open" || row.status === "expiring" ? "pending" : row.status,
    waiting: row.link,
    request: row.request,
    ...(row.response ? { response: row.response } : {}),
    ...(row.status === "decided_elsewhere" ? { action: actionElsewhere(row) } : {}),
    ...(row.outcome?.kind === "complete" ? { result: row.outcome.value } : {}),
    createdAt: iso(row.createdAt),
    ...(isOpen(row) && row.expiresAt !== null ? { expiresAt: iso(row.expiresAt) } : {}),
    ...(row.endedAt === null ? {} : { endedAt: iso(row.endedAt) }),
  };
}

/**
 * A node lives for as long as its leases do that it renewed last.
 *
 * @param now by the store's clock, as everything in the row
 */
export function toNodeRecord({ publicKey: _key, ...row }: NodeRow, now: number): NodeRecord {
  const live = now - row.seenAt < LEASE_MS;
  return { ...row, startedAt: iso(row.startedAt), seenAt: iso(row.seenAt), live };
}
