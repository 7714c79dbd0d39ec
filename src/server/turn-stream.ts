import type { LogSink, SentMessage, Who } from "../core/index.ts";
import { type ChatEvent, type Delivery, type TransientEvent } from "../protocol/index.ts";
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
  // Who may have no stream is refused before the message is sent.
  parts.clients.hold(who)();
  // Whoever follows the turn is there to be asked from its first moment on.
  const presence =
    who.kind === "person" ? core.attend(who, { supported: true, enabled: true }) : undefined;
  try {
    const sent = await core.sendMessage(who, sessionId, message);
    return await follow(parts, who, sessionId, sent);
  } finally {
    presence?.close();
  }
}

function follow(
  parts: ServerParts,
  who: Who,
  sessionId: string,
  { messageId, joinedTurnId, after }: SentMessage,
): Promise<Response> {
  const follower = new TurnFollower(messageId, joinedTurnId);
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
