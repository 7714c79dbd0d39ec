import type { Told } from "./agent.ts";
import { type ChatEvent, LIMITS } from "../../protocol/index.ts";
import { readPiece, type LogPorts } from "../live/read-log.ts";

/** What agents have told in a session since one of its turns ended, or since it began. */
export async function toldSince(
  ports: LogPorts,
  sessionId: string,
  turnId?: string,
): Promise<Told> {
  const told: Told = { texts: [], nativeIds: [] };
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const query = { sessionId, before, limit: LIMITS.eventsPageMax };
    const found = await readPiece(ports, sessionId, query);
    for (const { json } of found.toReversed()) {
      const event = JSON.parse(json) as ChatEvent;
      before = event.seq;
      if (event.type === "turn_end" && event.turnId === turnId) return told;
      if (event.type === "text" || event.type === "thinking") told.texts.push(event.payload.text);
      if (event.type === "tool_call") {
        const call = await ports.store.call(sessionId, event.payload.toolCallId);
        told.nativeIds.push(call?.nativeId ?? event.payload.toolCallId);
      }
    }
    if (found.length === 0) return told;
  }
}
