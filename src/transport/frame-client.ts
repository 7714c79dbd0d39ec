import type { FrameChannel, ServerFrame } from "../protocol/index.ts";
import { CLOSE_CODES } from "../protocol/errors.ts";
import { PROTOCOL_VERSION } from "../protocol/version.ts";
import { Answers } from "./answers.ts";
import { ConnectionState } from "./connection-state.ts";
import { Feeds } from "./feeds.ts";
import { HttpApi } from "./http-api.ts";
import { byFetch, type Fetch } from "./http-exchange.ts";
import { InboxFeed } from "./inbox-feed.ts";
import { Line } from "./line.ts";
import { Outbox } from "./outbox.ts";
import { answersToCalls, requests } from "./plain-requests.ts";
import { closed, SIGNED_OUT, toReply } from "./replies.ts";
import { ServerClock } from "./server-clock.ts";
import { newId, systemTimers, type Timers } from "./timers.ts";
import { type Reply, type SessionsListener, type Transport, TransportError } from "./transport.ts";

export interface FrameClientOptions {
  /** Opens a channel that speaks the frames of `/ws`; one that cannot be opened closes itself. */
  open: () => FrameChannel;
  /** For everything that is a plain request. */
  /** @default the global one */
  fetch?: Fetch;
  baseUrl: string;
  token?: string;
  /** @default a random one */
  clientId?: string;
  /** Whether people may answer here, from the first frame on. @default true */
  interactive?: boolean;
  timers?: Timers;
  /** Called with what to do when the network is back; returns how to stop listening for that. */
  whenBack?: (reconnect: () => void) => () => void;
}

/**
 * A client of the frames, whatever carries them. Logs, the inbox, messages and responses go through
 * the channel; plain requests, and answers that name only a call, go by HTTP.
 */
export function createFrameClient(options: FrameClientOptions): Transport {
  const { timers = systemTimers, clientId = newId(), whenBack = () => () => {} } = options;
  const connection = new ConnectionState();
  const watchers = new Set<SessionsListener>();
  const clock = new ServerClock(timers);
  let enabled = options.interactive ?? true;

  const api = new HttpApi({
    ...options,
    fetch: byFetch(options.fetch),
    clientId,
    timers,
    onAnswer(status) {
      if (status === 401) line.signOut();
    },
  });
  const answers = new Answers(api, connection, timers);
  const line = new Line({
    open: options.open,
    hello: () => ({
      protocolVersion: PROTOCOL_VERSION,
      client: { id: clientId },
      interaction: { supported: true, enabled },
    }),
    connection,
    timers,
    onOpen() {
      feeds.askAgain();
      inbox.askAgain();
      outbox.sendAgain();
    },
    onWelcome({ serverTime }) {
      clock.heard(serverTime);
      for (const watcher of [...watchers]) watcher.stale();
    },
    onFrame: receive,
    onLost({ code, unwelcome }) {
      if (code === CLOSE_CODES.tooLarge) outbox.dropLargest();
      // A browser does not tell why an upgrade was refused; a plain request is told.
      if (unwelcome) void api.isSignedOut();
    },
  });
  const send = (frame: object) => line.send(frame);
  const feeds = new Feeds(send, timers);
  const inbox = new InboxFeed(send, (cursor) => api.interactions({ cursor }), timers);
  const outbox = new Outbox((text) => line.sendText(text), timers);
  const stopListening = connection.listen(({ state }) => {
    if (state === "signed_out") outbox.empty(new TransportError(SIGNED_OUT.code, SIGNED_OUT.error));
  });
  const stopWaitingForNetwork = whenBack(() => line.reconnect());

  function receive(frame: ServerFrame): void {
    switch (frame.type) {
      case "chat_event":
        return feeds.event(frame.sessionId, frame.event);
      case "subscribed":
        return feeds.subscribed(frame);
      case "inbox":
        return inbox.list(frame);
      case "interaction_updated":
        return inbox.updated(frame.interaction);
      case "session_updated":
        for (const watcher of [...watchers]) watcher.updated(frame.session);
        return;
      case "session_deleted":
        feeds.deleted(frame.sessionId);
        for (const watcher of [...watchers]) watcher.deleted(frame.sessionId);
        return;
      case "error":
        return void (outbox.receive(frame) || inbox.error(frame.ref) || feeds.error(frame));
      default:
        outbox.receive(frame);
    }
  }

  async function respond(...[to, body]: Parameters<Transport["respond"]>): Promise<Reply> {
    try {
      const answer = await outbox.ask({
        ...body,
        type: "tool_interaction_response",
        sessionId: to.sessionId,
        callId: to.toolCallId,
        interactionId: to.interactionId,
        responseId: body.responseId ?? newId(),
      });
      return toReply(answer);
    } catch (error) {
      const { code, message } = error as TransportError;
      if (code === "unreachable" || code === "closed") throw error;
      return { ok: false, code, error: message };
    }
  }

  line.connect();
  return {
    clientId,
    connection: () => connection.current,
    onConnection: (listener) => connection.listen(listener),
    reconnect: () => line.reconnect(),
    serverNow: clock.now,
    close() {
      stopWaitingForNetwork();
      stopListening();
      line.close();
      feeds.close();
      inbox.close();
      watchers.clear();
      outbox.empty(closed());
      answers.close();
      api.close();
    },
    ...requests(api),
    subscribe: (sessionId, cursor, listener) => feeds.follow(sessionId, cursor, listener),
    watchInbox: (listener) => inbox.watch(listener),
    watchSessions(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    async sendMessage(sessionId, { text, messageId = newId(), delivery }) {
      const message = { type: "user_message", sessionId, text, messageId, delivery };
      const answer = await outbox.ask(message);
      if (answer.type === "error") throw new TransportError(answer.code, answer.error);
      return { messageId };
    },
    setInteractive(on) {
      enabled = on;
      answers.enabled = on;
      line.send({ type: "set_interaction_mode", enabled: on });
    },
    respond,
    ...answersToCalls(answers),
  };
}
