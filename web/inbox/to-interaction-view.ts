import type { InteractionView } from "../../src/client/index.ts";
import type { InteractionRecord } from "../../src/protocol/index.ts";

/** A prompt from the server's list, in the shape that the cards take. */
export function toInteractionView(record: InteractionRecord): InteractionView {
  const { status, waiting, response } = record;
  const open = status === "pending";
  const ended = { state: status === "answered" ? "answered" : "closed" } as const;
  return {
    id: record.id,
    callId: record.toolCallId,
    request: record.request,
    ...(open ? { state: "open" as const } : ended),
    pending: open && waiting === "live",
    ...(open && waiting !== "live" ? { late: waiting } : {}),
    ...(response ? { response } : {}),
    ...(status === "pending" || status === "answered" ? {} : { reason: status }),
    askedAt: record.createdAt,
    ...(record.endedAt ? { endedAt: record.endedAt } : {}),
  };
}
