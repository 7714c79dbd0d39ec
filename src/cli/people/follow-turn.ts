import { setTimeout as sleep } from "node:timers/promises";
import type { Delivery, StreamEvent } from "../../protocol/index.ts";
import { isAway } from "../../transport/http-exchange.ts";
import { type Transport, TransportError } from "../../transport/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { openTransport } from "./open-transport.ts";
import { sayWhenAway } from "./say-when-away.ts";

/** What became of a turn. */
export interface TurnStory {
  status: string;
  /** All that the agent wrote. */
  text: string;
  error?: string;
}

const RETRY_MS = 250;

/**
 * Sends a message and follows the turn that answers it to its end. A connection that breaks is no end:
 * the same message again follows the same turn from its start.
 */
export async function followTurn(
  io: Io,
  data: string,
  sessionId: string,
  message: { text: string; messageId: string; delivery?: Delivery },
): Promise<TurnStory> {
  const stop = io.stopSignal(EXIT.interrupted);
  const transport = openTransport(io, data, { interactive: false });
  const told = new Set<string>();
  try {
    sayWhenAway(io, transport);
    for (;;) {
      const story = await hear(transport, { sessionId, message, stop, onAsk });
      if (story) return story;
      if (stop.aborted) break;
      await sleep(RETRY_MS);
    }
  } finally {
    transport.close();
  }
  throw new CommandFailure("Interrupted. The turn goes on.", EXIT.interrupted);

  function onAsk(interactionId: string): void {
    if (told.has(interactionId)) return;
    told.add(interactionId);
    io.err(`It waits for a person. Answer with: beckon answer ${interactionId}`);
  }
}

interface Hearing {
  sessionId: string;
  message: { text: string; messageId: string; delivery?: Delivery };
  stop: AbortSignal;
  onAsk: (interactionId: string) => void;
}

/** The story of the turn; nothing if the connection broke before its end. */
async function hear(transport: Transport, hearing: Hearing): Promise<TurnStory | undefined> {
  const { sessionId, message, stop, onAsk } = hearing;
  const blocks: string[] = [];
  let isWriting = false;
  let status: string | undefined;
  let error: string | undefined;
  const receive = ({ type, data }: StreamEvent) => {
    if (type === "text_delta") blocks.push((isWriting ? (blocks.pop() ?? "") : "") + data.text);
    if (type !== "session_status") isWriting = type === "text_delta";
    if (type === "error") error = data.message;
    if (type === "done") status = data.status ?? "completed";
    if ("interactionId" in data && type !== "interaction_closed") onAsk(data.interactionId);
  };
  try {
    await transport.streamMessage(sessionId, message, receive, { signal: stop });
  } catch (cause) {
    // A server that is stopping, or cannot write just now, is as good as away.
    const status = cause instanceof TransportError ? cause.status : undefined;
    if (status !== undefined && !isAway(status) && !stop.aborted) throw cause;
  }
  if (status === undefined) return undefined;
  return { status, text: blocks.join("\n\n"), ...(error === undefined ? {} : { error }) };
}
