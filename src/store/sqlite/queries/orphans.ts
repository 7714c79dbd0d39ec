import type { InteractionRow, Store } from "../../../core/ports.ts";
import { orphanedPrompts, queuedApprovals } from "../row-lists.ts";
import type { RowMemory } from "../row-memory.ts";

export function findOrphans(
  memory: RowMemory,
  { sessionId, tool, inputDigest, requestDigest }: Parameters<Store["orphans"]>[0],
): InteractionRow[] {
  const rows = [orphanedPrompts, queuedApprovals]
    .flatMap(
      ({ all, alike }) =>
        memory.listIfShort(all, sessionId) ?? memory.list(alike, sessionId, tool, requestDigest),
    )
    .filter((row) => row.toolName === tool && row.requestDigest === requestDigest)
    .filter(({ callId }) => {
      return memory.find("tool_calls", sessionId, callId)?.inputDigest === inputDigest;
    });
  return rows.sort((a, b) => a.createdAt - b.createdAt);
}
