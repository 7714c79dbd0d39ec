import type { CommitResult, Limit, Table } from "../../core/ports.ts";
import type { EncodedCommit } from "./encode-commit.ts";
import type { OpenCounts } from "./open-counts.ts";
import { openPrompts, queuedTurns, type RowList } from "./row-lists.ts";
import type { RowMemory } from "./row-memory.ts";
import { nameOf, placesOf, type Values } from "./rows.ts";

/** Where what there is can be counted. */
interface Parts {
  memory: RowMemory;
  counts: OpenCounts;
}

const RUN = placesOf("runs");
const PROMPT = placesOf("interactions");

/** What a commit adds to what is counted: prompts by their session, and queued turns. */
interface Added {
  openPrompts: Map<string, number>;
  queuedTurns: Map<string, number>;
}

/** Whether the commit would add to something of which there is enough. */
export function checkLimits(parts: Parts, commit: EncodedCommit): CommitResult | undefined {
  if (!commit.limits?.length) return undefined;
  const added = addedBy(parts, commit);
  for (const limit of commit.limits) {
    const more = sumOf(parts, added, limit);
    if (more > 0 && countOf(parts, limit) + more > limit.most) {
      return { ok: false, reason: "full", limit };
    }
  }
  return undefined;
}

function addedBy({ memory }: Parts, { writes }: EncodedCommit): Added {
  const added: Added = { openPrompts: new Map(), queuedTurns: new Map() };
  /** Rows as the writes before leave them. */
  const rows = new Map<string, Values>();
  for (const { table, id, ifVersion, set } of writes) {
    const counted = COUNTED[table];
    if (!counted) continue;
    const name = `${table} ${nameOf(id)}`;
    const before = rows.get(name) ?? (ifVersion === 0 ? [] : memory.of(table).findValues(id)) ?? [];
    const after = [...before];
    for (const [place, value] of set.entries()) if (value !== undefined) after[place] = value;
    rows.set(name, after);
    const change = Number(counted.list.has(after)) - Number(counted.list.has(before));
    const sessionId = String(after[counted.sessionId]);
    const counts = added[counted.of];
    counts.set(sessionId, (counts.get(sessionId) ?? 0) + change);
  }
  return added;
}

interface Counted {
  of: Limit["of"];
  sessionId: number;
  list: RowList;
}

const COUNTED: Partial<Record<Table, Counted>> = {
  interactions: { of: "openPrompts", sessionId: PROMPT.sessionId, list: openPrompts },
  runs: { of: "queuedTurns", sessionId: RUN.sessionId, list: queuedTurns },
};

function sumOf({ memory }: Parts, added: Added, limit: Limit): number {
  let sum = 0;
  for (const [sessionId, count] of added[limit.of]) {
    if (limit.sessionId !== undefined && limit.sessionId !== sessionId) continue;
    if ("budgetId" in limit && limit.budgetId !== undefined) {
      const budgetId = memory.of("sessions").find(sessionId)?.budgetId ?? null;
      if (budgetId === null || (limit.budgetId !== null && limit.budgetId !== budgetId)) continue;
    }
    sum += count;
  }
  return sum;
}

function countOf({ memory, counts }: Parts, limit: Limit): number {
  const { sessionId } = limit;
  if (limit.of === "queuedTurns") return memory.of("runs").count(queuedTurns, limit.sessionId);
  if (sessionId !== undefined) return memory.of("interactions").count(openPrompts, sessionId);
  if (!counts.isKnown) counts.count(memory);
  if (limit.budgetId === undefined) return counts.total();
  return limit.budgetId === null ? counts.ofBudgets() : counts.ofBudget(limit.budgetId);
}
