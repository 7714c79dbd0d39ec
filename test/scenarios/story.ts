import type { ChatEvent } from "../../src/protocol/index.ts";
import { checkLog } from "./always-true.ts";
import type { World } from "./world.ts";

/**
 * A session's log in a few words an event, so that a test can show a whole sequence. What must be
 * true of every log is checked on the way.
 */
export async function story(world: World, sessionId: string): Promise<string[]> {
  const log = await world.log(sessionId);
  checkLog(log);
  return log.map(tell);
}

/** The part of a story that is about one call. */
export async function callStory(
  world: World,
  sessionId: string,
  toolCallId: string,
): Promise<string[]> {
  const log = await world.log(sessionId);
  checkLog(log);
  return log
    .filter((event) => "toolCallId" in event.payload && event.payload.toolCallId === toolCallId)
    .map(tell);
}

function tell(event: ChatEvent): string {
  const { type, payload } = event;
  switch (type) {
    case "user_message":
      return `user_message ${payload.source}`;
    case "turn_start":
      return `turn_start ${payload.trigger}`;
    case "turn_end":
      return `turn_end ${payload.status}`;
    case "tool_result":
      return `tool_result ${payload.ok ? "ok" : payload.error?.code}`;
    case "interaction_pending": {
      const state = ["queued", "orphaned"].filter((name) => payload[name] === true);
      return ["interaction_pending", payload.pending, ...state].join(" ");
    }
    case "interaction_request":
      return `interaction_request ${payload.attempt}`;
    case "interaction_response":
      return `interaction_response ${payload.action}${payload.late ? " late" : ""}`;
    case "interaction_closed":
      return `interaction_closed ${payload.reason}`;
    default:
      return type;
  }
}
