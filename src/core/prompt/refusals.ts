import { ProtocolError } from "../../protocol/index.ts";
import type { CorePorts } from "../api.ts";
import { defined, type Refusal } from "../interaction.ts";
import type { InteractionRow } from "../ports.ts";

export function interactionNotFound(): ProtocolError {
  return new ProtocolError("interaction_not_found", "There is no such prompt.");
}

/** The re-prompts that came after this attempt of a prompt. */
export async function attemptsAfter(
  ports: Pick<CorePorts, "store">,
  row: InteractionRow,
): Promise<InteractionRow[]> {
  const rows = await ports.store.interactionsOfCall(row.sessionId, row.callId);
  return rows.filter((one) => one.key === row.key && one.attempt > row.attempt);
}

export function toError(refusal: Refusal): ProtocolError {
  switch (refusal.refused) {
    case "stale_interaction":
      return new ProtocolError(
        "stale_interaction",
        "This prompt was replaced by a newer one. Answer that one instead.",
        defined({ current: refusal.current, response: refusal.response ?? undefined }),
      );
    case "already_answered":
      return new ProtocolError(
        "already_answered",
        `${refusal.response.responder.name ?? "Somebody"} answered this already.`,
        { response: refusal.response },
      );
    case "interaction_closed":
      return new ProtocolError(
        "interaction_closed",
        CLOSED[refusal.reason] ?? "This prompt is closed.",
        {
          reason: refusal.reason,
        },
      );
  }
}

const CLOSED: Partial<Record<InteractionRow["status"], string>> = {
  timed_out: "Nobody answered in time; this prompt is closed.",
  cancelled: "This prompt was cancelled before it was answered.",
  failed: "The tool call that asked has failed; this prompt is closed.",
  superseded: "This prompt was replaced.",
  decided_elsewhere: "This was decided in the agent's own terminal.",
};
