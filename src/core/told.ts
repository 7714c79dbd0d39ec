import type { Told } from "./agent.ts";
import type { Env } from "./env.ts";

const PAGE = 200;

/** What agents have told in a session since one of its turns ended, or since it began. */
export async function toldSince(env: Env, sessionId: string, turnId?: string): Promise<Told> {
  const told: Told = { texts: [], nativeIds: [] };
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const events = await env.store.events({ sessionId, before, limit: PAGE });
    for (const event of events.toReversed()) {
      before = event.seq;
      if (event.type === "turn_end" && event.turnId === turnId) return told;
      if (event.type === "text" || event.type === "thinking") told.texts.push(event.payload.text);
      if (event.type === "tool_call") {
        const call = await env.store.call(sessionId, event.payload.toolCallId);
        told.nativeIds.push(call?.nativeId ?? event.payload.toolCallId);
      }
    }
    if (events.length === 0) return told;
  }
}
