import { expect } from "vitest";
import {
  type BlockView,
  type ChatView,
  emptyView,
  prepend,
  promptsOf,
  reduce,
  reduceAll,
} from "../../src/client/index.ts";
import type { ChatEvent, TransientEvent } from "../../src/protocol/index.ts";
import type { Client } from "./client.ts";
import type { World } from "./world.ts";

/**
 * What a screen shows of a session, after making sure that it shows the same to everybody: to the
 * client that heard it live, to one that reads the log now, and to one that reads it page by page.
 */
export async function sharedView(
  world: World,
  client: Client,
  sessionId: string,
): Promise<ChatView> {
  const log = await world.log(sessionId);
  await client.until((frame) => frame["event"]?.seq === log.length);
  const live = liveView(client, sessionId, log.length);
  const whole = reduceAll(emptyView(sessionId), log);
  expect(live).toEqual(whole);
  for (const cut of log.keys()) {
    const tail = reduceAll(emptyView(sessionId), log.slice(cut));
    expect(prepend(tail, log.slice(0, cut))).toEqual(whole);
  }
  return whole;
}

/** Everything as it was heard, transient events too. */
function liveView(client: Client, sessionId: string, until: number): ChatView {
  const heard = client.frames
    .filter((frame) => frame.type === "chat_event" && frame["sessionId"] === sessionId)
    .map((frame) => frame["event"] as ChatEvent | TransientEvent)
    .filter((event) => !("seq" in event) || event.seq <= until);
  return heard.reduce(reduce, emptyView(sessionId));
}

/** The blocks of each turn, by their kinds; of calls, their tools and the states of what they ask. */
export function outline(view: ChatView): string[][] {
  return view.turns.map((turn) => turn.blocks.map((block) => outlineBlock(view, block)));
}

function outlineBlock(view: ChatView, block: BlockView): string {
  if (block.kind === "questionnaire") {
    return `questionnaire ${view.interactions.get(block.interactionId)?.state}`;
  }
  if (block.kind !== "tools") return block.kind;
  return block.callIds
    .map((id) => {
      const asked = promptsOf(view, id).map((prompt) => ` ${prompt.state}`);
      return `${view.calls.get(id)?.name}${asked.join("")}`;
    })
    .join(" + ");
}
