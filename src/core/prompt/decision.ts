import { canonicalJson } from "../../protocol/index.ts";
import type { CorePorts } from "../api.ts";
import { defined, type EventDraft, type Step } from "../interaction.ts";
import type { DecisionAudit, ResponseRow, Write } from "../ports.ts";

export function responseWrite(set: ResponseRow): Write {
  return { table: "responses", id: [set.interactionId, set.id], ifVersion: 0, set };
}

/** Puts with the response how it was made and what was shown to whoever made it. */
export function audited(
  ports: Pick<CorePorts, "ids">,
  { row, events }: Step,
  { principalId, tokenId, via, editedDigest }: ResponseRow,
  clientId?: string,
): EventDraft[] {
  const audit: DecisionAudit = defined({
    principalId,
    tokenId,
    via,
    clientId,
    shownDigest: ports.ids.digest(canonicalJson(row.request)),
    actionDigest: row.actionDigest ?? undefined,
    editedDigest: editedDigest ?? undefined,
  });
  return events.map((event) =>
    event.type === "interaction_response" ? { ...event, audit } : event,
  );
}
