import { Answers } from "./answers.ts";
import { ConnectionState } from "./connection-state.ts";
import { HttpApi } from "./http-api.ts";
import { byFetch, type Fetch } from "./http-exchange.ts";
import { LogStream } from "./log-stream.ts";
import { answersToCalls, requests } from "./plain-requests.ts";
import { InboxPoll, SessionsPoll } from "./polls.ts";
import { Reach } from "./reach.ts";
import { ServerClock } from "./server-clock.ts";
import { newId, systemTimers, type Timers } from "./timers.ts";
import type { Transport } from "./transport.ts";
import { whenBack } from "./when-back.ts";

export interface HttpTransportOptions {
  /** The address of the server, without a path. @default where the page came from */
  url?: string;
  /** A browser sends its cookie instead. @default none */
  token?: string;
  /** @default the global one */
  fetch?: Fetch;
  /** @default a random one */
  clientId?: string;
  /** How often the inbox and the list of sessions are read while somebody watches. @default 3 s */
  pollMs?: number;
  timers?: Timers;
}

/**
 * A transport for where no WebSocket gets through: an event stream for each log that is followed,
 * polling for the rest. In a browser each stream holds one of six connections to the server.
 *
 * A person counts as there while a log is followed. `setInteractive(false)` keeps this client from
 * answering; the server does not know of it.
 */
export function createHttpTransport(options: HttpTransportOptions = {}): Transport {
  const { token, timers = systemTimers, clientId = newId(), pollMs = 3_000 } = options;
  const connection = new ConnectionState();
  const clock = new ServerClock(timers);
  const streams = new Set<LogStream>();
  /** Requests may overtake each other; what one person says may not. */
  let messagesBefore: Promise<unknown> = Promise.resolve();
  const api = new HttpApi({
    baseUrl: (options.url ?? location.origin).replace(/\/+$/, ""),
    fetch: byFetch(options.fetch),
    token,
    clientId,
    timers,
    onAnswer(status, headers) {
      clock.heard(headers?.get("date"));
      reach.answered(status);
    },
  });
  const reach = new Reach(connection, timers, () => api.isSignedOut());
  const answers = new Answers(api, connection, timers);
  const inbox = new InboxPoll({ api, reach, timers, pollMs });
  const sessions = new SessionsPoll({ api, reach, timers, pollMs });

  const stopWaitingForNetwork = whenBack(() => reach.reconnect());

  reach.reconnect();
  return {
    clientId,
    connection: () => connection.current,
    onConnection: (listener) => connection.listen(listener),
    reconnect: () => reach.reconnect(),
    serverNow: clock.now,
    close() {
      stopWaitingForNetwork();
      for (const stream of streams) stream.close();
      inbox.close();
      sessions.close();
      answers.close();
      reach.close();
      api.close();
    },
    ...requests(api),
    subscribe(sessionId, cursor, listener) {
      const stream = new LogStream({ api, reach, timers }, sessionId, cursor, listener);
      streams.add(stream);
      void stream.run().finally(() => streams.delete(stream));
      return () => stream.close();
    },
    watchInbox: (listener) => inbox.watch(listener),
    watchSessions: (listener) => sessions.watch(listener),
    sendMessage(sessionId, { messageId = newId(), ...message }) {
      const send = () => api.sendMessage(sessionId, { messageId, ...message });
      const sending = messagesBefore.then(() => answers.untilAnswered(send));
      messagesBefore = sending.catch(() => {});
      return sending;
    },
    setInteractive(on) {
      answers.enabled = on;
    },
    respond: (to, body) => answers.respond(to, body),
    ...answersToCalls(answers),
  };
}
