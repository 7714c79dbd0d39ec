import type { ChatEvent, ServerFrame, TransientEvent } from "../protocol/index.ts";
import { backoffMs, type Timers } from "./timers.ts";
import type { LogListener } from "./transport.ts";

type Subscribed = Extract<ServerFrame, { type: "subscribed" }>;
type Cursor = { after?: number; tail?: number };

/** One listener's place in a log. */
interface Follower {
  listener: LogListener;
  wants: Cursor;
  /** Since it was told that the log has started: which log, and the last `seq` that it has. */
  started?: { logId: string; seq: number };
}

/** One session's log. Its followers share one subscription, which begins where the last one is. */
interface Feed {
  sessionId: string;
  followers: Set<Follower>;
  ref: string;
  asked: { afterSeq?: number; tail?: number };
  /** The server has confirmed the subscription that was asked for last. */
  live: boolean;
  tries: number;
  stopRetry(): void;
}

/** Codes that will not go away by asking again. */
const FINAL = new Set(["session_not_found", "invalid_request"]);

/**
 * The logs that a client follows over frames. Whatever the line does, each follower hears every
 * event once and in order: it drops a `seq` that it has, and a hole makes it ask again.
 */
export class Feeds {
  readonly #feeds = new Map<string, Feed>();
  readonly #send: (frame: object) => boolean;
  readonly #timers: Timers;
  #count = 0;

  constructor(send: (frame: object) => boolean, timers: Timers) {
    this.#send = send;
    this.#timers = timers;
  }

  follow(sessionId: string, wants: Cursor, listener: LogListener): () => void {
    const feed = this.#feeds.get(sessionId) ?? this.#add(sessionId);
    const follower: Follower = { listener, wants };
    feed.followers.add(follower);
    this.#ask(feed);
    return () => {
      if (!feed.followers.delete(follower) || feed.followers.size > 0) return;
      if (this.#remove(feed)) this.#send({ type: "unsubscribe", sessionId });
    };
  }

  /** There is a new line, on which nothing has been asked for. */
  askAgain(): void {
    for (const feed of this.#feeds.values()) this.#ask(feed);
  }

  subscribed(frame: Subscribed): void {
    const feed = this.#byRef(frame.ref);
    if (!feed) return;
    const { logId } = frame;
    const isOther = ({ started }: Follower) => started !== undefined && started.logId !== logId;
    if ([...feed.followers].some(isOther)) return this.#startOver(feed);
    feed.live = true;
    for (const follower of [...feed.followers]) start(follower, frame);
    const first = Math.min(...[...feed.followers].map(({ started }) => started?.seq ?? 0));
    if (feed.asked.afterSeq !== undefined && first < feed.asked.afterSeq) this.#ask(feed);
  }

  event(sessionId: string, event: ChatEvent | TransientEvent): void {
    const feed = this.#feeds.get(sessionId);
    if (!feed) return;
    let hasHole = false;
    for (const { started, listener } of [...feed.followers]) {
      if (!started) continue;
      if (!("seq" in event)) {
        if (feed.live) listener.event(event);
      } else if (event.seq === started.seq + 1) {
        started.seq = event.seq;
        feed.tries = 0;
        listener.event(event);
      } else if (event.seq > started.seq) hasHole = true;
    }
    if (!hasHole || !feed.live) return;
    if (feed.tries++ === 0) this.#ask(feed);
    else this.#askLater(feed);
  }

  /** Whether the error was about a subscription. */
  error(frame: Extract<ServerFrame, { type: "error" }>): boolean {
    const named = frame.ref === undefined ? this.#feeds.get(frame.sessionId ?? "") : undefined;
    const feed = this.#byRef(frame.ref) ?? named;
    if (!feed) return false;
    if (frame.code === "resync") this.#startOver(feed);
    else if (FINAL.has(frame.code)) this.#fail(feed, { code: frame.code, error: frame.error });
    else this.#askLater(feed);
    return true;
  }

  deleted(sessionId: string): void {
    const feed = this.#feeds.get(sessionId);
    const error = "This session was deleted.";
    if (feed) this.#fail(feed, { code: "session_not_found", error });
  }

  close(): void {
    for (const feed of this.#feeds.values()) this.#remove(feed);
  }

  #add(sessionId: string): Feed {
    const feed: Feed = {
      sessionId,
      followers: new Set(),
      ref: "",
      asked: {},
      live: false,
      tries: 0,
      stopRetry: () => {},
    };
    this.#feeds.set(sessionId, feed);
    return feed;
  }

  #remove(feed: Feed): boolean {
    feed.stopRetry();
    return this.#feeds.get(feed.sessionId) === feed && this.#feeds.delete(feed.sessionId);
  }

  #byRef(ref: ServerFrame["ref"]): Feed | undefined {
    if (ref === undefined) return undefined;
    return [...this.#feeds.values()].find((feed) => feed.ref === ref);
  }

  #ask(feed: Feed): void {
    feed.stopRetry();
    feed.live = false;
    feed.ref = `s${++this.#count}`;
    feed.asked = earliest([...feed.followers]);
    const { ref, sessionId } = feed;
    this.#send({ type: "subscribe", ref, sessionId, ...feed.asked });
  }

  #askLater(feed: Feed): void {
    feed.live = false;
    feed.stopRetry();
    const wait = backoffMs(feed.tries++, this.#timers);
    feed.stopRetry = this.#timers.timer(wait, () => this.#ask(feed));
  }

  /** It is another log, or a shorter one: what was heard of it is void. */
  #startOver(feed: Feed): void {
    for (const follower of feed.followers) {
      follower.started = undefined;
      follower.wants = follower.wants.tail === undefined ? {} : follower.wants;
    }
    this.#ask(feed);
  }

  #fail(feed: Feed, error: { code: string; error: string }): void {
    this.#remove(feed);
    for (const { listener } of [...feed.followers]) listener.failed(error);
    feed.followers.clear();
  }
}

/** The place from which every follower gets what it lacks. */
function earliest(followers: Follower[]): Feed["asked"] {
  const isTail = ({ started, wants }: Follower) => !started && wants.tail !== undefined;
  const known = followers
    .filter((follower) => !isTail(follower))
    .map(({ started, wants }) => started?.seq ?? wants.after ?? 0);
  if (known.length > 0) return { afterSeq: Math.min(...known) };
  return { tail: Math.max(...followers.map(({ wants }) => wants.tail ?? 1)) };
}

function start(follower: Follower, { session, lastSeq, logId }: Subscribed): void {
  if (follower.started) return;
  const { after = 0, tail } = follower.wants;
  const from = tail === undefined ? after : Math.max(0, lastSeq - tail);
  follower.started = { logId, seq: from };
  follower.listener.started({ session, lastSeq, logId, from });
}
