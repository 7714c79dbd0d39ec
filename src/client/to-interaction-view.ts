import type { InteractionRecord } from "../protocol/index.ts";
import { elsewhereWords } from "./elsewhere-words.ts";
import type { InteractionView } from "./view.ts";

/** A record of the server as the cards take it. */
export function toInteractionView(record: InteractionRecord): InteractionView {
  const { status, waiting, response, action, endedAt } = record;
  const open = status === "pending";
  return {
    id: record.id,
    callId: record.toolCallId,
    request: record.request,
    pending: open && waiting === "live",
    askedAt: record.createdAt,
    ...(open && waiting !== "live" ? { late: waiting } : {}),
    ...(response ? { response } : {}),
    ...(status === "decided_elsewhere" ? { action, message: elsewhereWords(action) } : {}),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(status === "pending"
      ? { state: "open" }
      : status === "answered"
        ? { state: "answered" }
        : { state: "closed", reason: status }),
  };
}
