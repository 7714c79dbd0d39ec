import type { Absence, CommitResult } from "../../core/ports.ts";
import { findOrphans } from "./queries/orphans.ts";
import { queuedTurns } from "./row-lists.ts";
import type { RowMemory } from "./row-memory.ts";

/** Whether there is something that a commit takes not to be there. */
export function checkAbsent(
  memory: RowMemory,
  absent: readonly Absence[] | undefined,
): CommitResult | undefined {
  for (const absence of absent ?? []) {
    const isPresent =
      absence.of === "queuedTurns"
        ? memory.of("runs").count(queuedTurns, absence.sessionId) > 0
        : findOrphans(memory, absence).length > 0;
    if (isPresent) return { ok: false, reason: "present", absence };
  }
  return undefined;
}
