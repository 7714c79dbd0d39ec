import type { LogSink, SentMessage, Who } from "../core/index.ts";
import { type ChatEvent, type Delivery, LIMITS, type TransientEvent } from "../protocol/index.ts";
import type { ServerParts } from "./parts.ts";
import { openSse } from "./sse.ts";
import { TurnFollower } from "./turn-follower.ts";

interface Message {
  text: string;
  messageId?: string;
  delivery?: Delivery;
}

/**
 * Sends a message and gives the turn that answers it, as stream events until `done`. Hanging up
 * ends the stream and not the turn; the same message again follows the same turn from its start.
 */
export async function openTurnStream(
  parts: ServerParts,
  who: Who,
  sessionId: string,
  message: Message,
): Promise<Response> {
  const { core } = parts;
  const { session } = await core.session(who, sessionId);
  // Whoever follows the turn is there to be asked from its first moment on.
  const presence =
    who.kind === "person" ? core.attend(who, { supported: true, enabled: true }) : undefined;
  try {
    const sent = await core.sendMessage(who, sessionId, message);
    return await follow(parts, who, { sessionId, sent, lastSeq: session.lastSeq });
  } finally {
    presence?.close();
  }
}

/** @param lastSeq where the log ended before the message was sent */
async function follow(
  parts: ServerParts,
  who: Who,
  { sessionId, sent, lastSeq }: { sessionId: string; sent: SentMessage; lastSeq: number },
): Promise<Response> {
  const follower = new TurnFollower(sent.messageId, sent.joinedTurnId);
  const after = sent.isRepeat ? await seqBefore(parts, who, sessionId, sent.messageId) : lastSeq;
  return openSse(parts, who, { sessionId, after }, (body) => {
    const sink: LogSink = {
      drained: () => body.drained(),
      send({ json }, live) {
        for (const event of follower.next(JSON.parse(json) as ChatEvent | TransientEvent)) {
          body.send(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, live);
          if (event.type === "done") void body.drained().then(() => body.end());
        }
      },
    };
    return sink;
  });
}

/** Where a message that was accepted before stands in the log; looked for from the end. */
async function seqBefore(
  { core }: ServerParts,
  who: Who,
  sessionId: string,
  messageId: string,
): Promise<number> {
  for (let before: number | undefined; ;) {
    const limit = LIMITS.eventsPageDefault;
    const { events } = await core.events(who, { sessionId, before, limit });
    const found = events.find(
      (event) => event.type === "user_message" && event.payload.messageId === messageId,
    );
    if (found) return found.seq - 1;
    before = events[0]?.seq;
    if (before === undefined || before <= 1) return 0;
  }
}
