import type { InteractionRow, OrphanQuery } from "../../../core/ports.ts";
import { orphanedPrompts, queuedApprovals } from "../row-lists.ts";
import type { RowMemory } from "../row-memory.ts";

export function findOrphans(
  memory: RowMemory,
  { sessionId, tool, inputDigest, requestDigest }: OrphanQuery,
): InteractionRow[] {
  const prompts = memory.of("interactions");
  const unclaimed = [orphanedPrompts, queuedApprovals].flatMap(
    ({ all, alike }) =>
      prompts.listIfShort(all, sessionId) ?? prompts.list(alike, sessionId, tool, requestDigest),
  );
  if (unclaimed.length === 0) return unclaimed;
  const rows = unclaimed
    .filter((row) => row.toolName === tool && row.requestDigest === requestDigest)
    .filter(({ callId }) => {
      return memory.of("tool_calls").find([sessionId, callId])?.inputDigest === inputDigest;
    });
  return rows.sort((a, b) => a.createdAt - b.createdAt);
}
