import {
  type ChatEvent,
  LIMITS,
  ProtocolError,
  type SessionRecord,
  type TransientEvent,
} from "../../protocol/index.ts";
import type { CorePorts, LogSink, OutgoingEvent, Subscription, Watcher } from "../api.ts";
import {
  type BusMessage,
  type InteractionRow,
  type SessionRow,
  StoreUnavailable,
  type Who,
} from "../ports.ts";
import { toInteractionRecord, toSessionRecord } from "../session/records.ts";
import { findSummary } from "../session/sessions.ts";
import { type LogPorts, readPiece } from "./read-log.ts";
import { Recent } from "./recent.ts";
import { SessionUpdates } from "./session-updates.ts";
import { Watchers } from "./watchers.ts";

export interface HubPorts extends LogPorts, Pick<CorePorts, "clock" | "log"> {
  isStopping(): boolean;
}

/** What is larger is not pushed to a client, but read for it. */
const LIVE_BYTES = 128 * 1024;
const RETRY_MS = 1_000;

type Status = SessionRecord["status"];

/** Shown piece by piece, until an event of the log tells the whole. */
type GrowingEvent = Extract<TransientEvent, { type: "text_delta" | "tool_call_delta" }>;

/** One client's place in one log. */
interface Reader {
  sessionId: string;
  /** Whose turn it is when this reader reads. */
  callerId: string;
  sink: LogSink;
  /** The `seq` that it gets next; nothing is sent twice, and nothing is left out. */
  next: number;
  /** The newest `seq` that it has heard of while it was still reading. */
  heardOf: number;
  /** How often it has heard of something: what it guesses at first does not count. */
  hints: number;
  /** The status that its client knows of. */
  status: Status;
  reading: boolean;
  /** It has come to the end of the log once: whatever is stored from then on, it hears of. */
  caughtUp: boolean;
  closed: boolean;
}

/**
 * Brings logs to clients. It is a reader of the log: what it is told is a hint, and when the next
 * event is not the one it was told of, it reads the store.
 */
export class Hub {
  readonly #env: HubPorts;
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #updateWatchers = new Watchers();
  readonly #deletionWatchers = new Watchers();
  readonly #promptWatchers = new Watchers();
  /** Texts and inputs of calls that are still growing, for who joins in the middle. */
  readonly #growing = new Map<string, Map<string, GrowingEvent>>();
  readonly #updates: SessionUpdates;
  /** As which version each prompt was told last: hints are repeated, and come late. */
  readonly #toldVersions = new Recent<number>();
  /** Deleted sessions that were told of. */
  readonly #toldDeletions = new Recent<true>();
  /** Deleted sessions whose last events are on their way to who follows them. */
  readonly #ending = new Set<string>();

  constructor(env: HubPorts) {
    this.#env = env;
    this.#updates = new SessionUpdates(env, {
      isHeard: (sessionId) => !this.#updateWatchers.isEmpty || this.#readers.has(sessionId),
      tell: (summary, record) => {
        for (const watcher of this.#updateWatchers.of(summary)) watcher.sessionUpdated?.(record);
      },
      tellStatus: (sessionId, status, age) => this.#tellStatus(sessionId, status, age),
      failed: this.#failed,
    });
  }

  hear(message: BusMessage): void {
    switch (message.type) {
      case "events":
        return this.#heardEvents(message.sessionId, message.lastSeq, message.events);
      case "transient":
        return this.#transient(message.sessionId, message.event);
      case "session":
        return this.#updates.changed(message.sessionId);
      case "session_deleted":
        return void this.#deleted(message.sessionId, message.ownerId).catch(this.#failed);
      default:
    }
  }

  async subscribe(
    who: Who,
    query: { sessionId: string; after?: number; tail?: number },
    sink: LogSink,
    started: (at: { session: SessionRecord; lastSeq: number; logId: string }) => void,
  ): Promise<Subscription> {
    const summary = await findSummary(this.#env, who, query.sessionId);
    const { lastSeq, logId } = summary;
    if (query.after !== undefined && query.after > lastSeq) {
      throw new ProtocolError(
        "resync",
        `The log ends at ${lastSeq}, before the cursor ${query.after}. Read it again from the start.`,
        { sessionId: query.sessionId, lastSeq, logId },
      );
    }
    const after = query.after ?? (query.tail === undefined ? 0 : Math.max(0, lastSeq - query.tail));
    const session = toSessionRecord(summary);
    started({ session, lastSeq, logId });
    const reader: Reader = {
      sessionId: query.sessionId,
      callerId: who.principalId,
      sink,
      next: after + 1,
      // One more than it ends with: what was stored since that was looked up is read as well.
      heardOf: lastSeq + 1,
      hints: 0,
      status: session.status,
      reading: false,
      caughtUp: false,
      closed: false,
    };
    const readers = this.#readers.get(query.sessionId) ?? new Set();
    this.#readers.set(query.sessionId, readers.add(reader));
    this.#readOn(reader);
    return { close: () => this.#close(reader) };
  }

  watch(watcher: Watcher): Subscription {
    const removals: (() => void)[] = [];
    if (watcher.sessionUpdated) removals.push(this.#updateWatchers.add(watcher));
    if (watcher.sessionDeleted) removals.push(this.#deletionWatchers.add(watcher));
    if (watcher.interactionUpdated) removals.push(this.#promptWatchers.add(watcher));
    return {
      close: () => {
        for (const remove of removals) remove();
      },
    };
  }

  /** A prompt is so now; who was told that already hears nothing. */
  hearPrompt(row: InteractionRow): void {
    if (this.#promptWatchers.isEmpty || (this.#toldVersions.get(row.id) ?? 0) >= row.version)
      return;
    this.#toldVersions.set(row.id, row.version);
    void this.#interaction(row).catch(this.#failed);
  }

  /** A session is so now: whoever follows it looks whether that is news. */
  hearSession(session: SessionRow): void {
    const { id, lastSeq, ownerId, deletedAt } = session;
    if (deletedAt !== null) return void this.#deleted(id, ownerId).catch(this.#failed);
    const readers = this.#readers.get(id) ?? [];
    if ([...readers].some((reader) => reader.next <= lastSeq)) {
      this.#heardEvents(id, lastSeq, undefined);
    }
    this.#updates.changed(id);
  }

  /** Hints may have been lost: every reader looks at its log. */
  async lookAgain(): Promise<void> {
    for (const sessionId of this.#readers.keys()) {
      const session = await this.#env.store.session(sessionId);
      if (session) this.hearSession(session);
    }
  }

  #heardEvents(sessionId: string, lastSeq: number, events: ChatEvent[] | undefined): void {
    for (const event of events ?? []) this.#blockEnded(event);
    const readers = this.#readers.get(sessionId);
    if (!readers) return;
    const outgoing: OutgoingEvent[] = [];
    for (const reader of readers) {
      reader.heardOf = Math.max(reader.heardOf, lastSeq);
      reader.hints++;
      if (reader.reading) continue;
      const first = events?.[0]?.seq;
      if (!events || first === undefined || first > reader.next) {
        this.#readOn(reader);
        continue;
      }
      for (const [index, event] of events.entries()) {
        if (event.seq !== reader.next) continue;
        const told = (outgoing[index] ??= toOutgoing(event));
        // Pushed, one such event could fill the queue of a client that reads well; read, it is paced.
        if (told.json.length > LIVE_BYTES) {
          this.#readOn(reader);
          break;
        }
        reader.next++;
        reader.sink.send(told, true);
      }
    }
  }

  /** Tries again if the store fails, or else a log that grows no more would stay half told. */
  #readOn(reader: Reader): void {
    if (reader.closed) return;
    this.#read(reader).catch((error: unknown) => {
      this.#failed(error);
      if (error instanceof StoreUnavailable && !this.#env.isStopping()) {
        this.#env.clock.timer(RETRY_MS, () => this.#readOn(reader));
      }
    });
  }

  /** Reads pieces as fast as the client takes them and others let it, until it has everything. */
  async #read(reader: Reader): Promise<void> {
    if (reader.reading) return;
    reader.reading = true;
    const { sessionId, sink } = reader;
    try {
      while (!reader.closed && reader.next <= reader.heardOf) {
        const { hints } = reader;
        const after = reader.next - 1;
        const query = { sessionId, after, limit: reader.heardOf - after };
        const found = await readPiece(this.#env, reader.callerId, query);
        // Nothing yet; but what was heard of meanwhile was stored after this look had begun.
        if (found.length === 0 && reader.hints === hints) {
          reader.caughtUp = true;
          break;
        }
        for (const { seq, json } of found) {
          if (reader.closed) return;
          reader.next = seq + 1;
          sink.send({ sessionId, seq, json }, false);
        }
        // Several events may have been stored between the look at the session and the first reading.
        if (!reader.caughtUp) reader.heardOf = Math.max(reader.heardOf, reader.next);
        await sink.drained();
      }
    } finally {
      reader.reading = false;
    }
    for (const event of this.#growing.get(sessionId)?.values() ?? []) {
      if (!reader.closed) sink.send({ sessionId, json: JSON.stringify(event) }, true);
    }
  }

  #close(reader: Reader): void {
    reader.closed = true;
    const readers = this.#readers.get(reader.sessionId);
    readers?.delete(reader);
    if (readers?.size === 0) this.#readers.delete(reader.sessionId);
  }

  #transient(sessionId: string, event: TransientEvent): void {
    if (event.type === "text_delta" || event.type === "tool_call_delta") {
      this.#grow(sessionId, event);
    }
    const readers = this.#readers.get(sessionId);
    if (!readers) return;
    const told = { sessionId, json: JSON.stringify(event) };
    for (const reader of readers) {
      if (reader.reading) continue;
      if (event.type === "session_status") reader.status = event.payload.status;
      reader.sink.send(told, true);
    }
  }

  #grow(sessionId: string, event: GrowingEvent): void {
    const growing = this.#growing.get(sessionId) ?? new Map<string, GrowingEvent>();
    this.#growing.set(sessionId, growing);
    const { offset, text } = event.payload;
    const key = keyOf(event);
    const before = growing.get(key)?.payload.text ?? "";
    if (offset > before.length) return;
    const grown = { offset: 0, text: before.slice(0, offset) + text };
    growing.set(key, { ...event, payload: { ...event.payload, ...grown } } as GrowingEvent);
  }

  #blockEnded(event: ChatEvent): void {
    if (event.type === "turn_end") this.#growing.delete(event.sessionId);
    if (event.type !== "text" && event.type !== "tool_call") return;
    const growing = this.#growing.get(event.sessionId);
    growing?.delete(keyOf(event));
    if (growing?.size === 0) this.#growing.delete(event.sessionId);
  }

  async #interaction(row: InteractionRow): Promise<void> {
    const record = toInteractionRecord(row);
    const { hasMachines } = this.#promptWatchers;
    const session = hasMachines ? await this.#env.store.session(row.sessionId) : null;
    for (const watcher of this.#promptWatchers.of(session)) watcher.interactionUpdated?.(record);
  }

  /** Who was told the record at once is told its status once more only when that lasts. */
  #tellStatus(sessionId: string, status: Status, age: "new" | "lasting"): void {
    let told: OutgoingEvent | undefined;
    for (const reader of this.#readers.get(sessionId) ?? []) {
      if (reader.status === status || (reader.sink.hearsSessions && age === "new")) continue;
      reader.status = status;
      told ??= { sessionId, json: JSON.stringify(this.#statusEvent(sessionId, status)) };
      reader.sink.send(told, true);
    }
  }

  #statusEvent(sessionId: string, status: Status): TransientEvent {
    const timestamp = new Date(this.#env.clock.now()).toISOString();
    return { type: "session_status", sessionId, timestamp, payload: { status } };
  }

  /** Who follows it sees how it ended, also if the hints of that were lost; then everybody hears. */
  async #deleted(sessionId: string, ownerId: string): Promise<void> {
    if (this.#ending.has(sessionId) || this.#toldDeletions.get(sessionId)) return;
    this.#ending.add(sessionId);
    const readers = this.#readers.get(sessionId) ?? [];
    this.#readers.delete(sessionId);
    this.#growing.delete(sessionId);
    this.#updates.forget(sessionId);
    try {
      for (const reader of readers) await this.#sendRest(reader);
    } finally {
      this.#ending.delete(sessionId);
    }
    this.#toldDeletions.set(sessionId, true);
    for (const watcher of this.#deletionWatchers.of({ id: sessionId, ownerId })) {
      watcher.sessionDeleted?.(sessionId);
    }
  }

  async #sendRest(reader: Reader): Promise<void> {
    if (reader.closed) return;
    const { sessionId, callerId, sink } = reader;
    // From here on nobody else sends to it: each event is still sent once.
    reader.closed = true;
    const after = reader.next - 1;
    const limit = LIMITS.eventsPageMax;
    for (const { seq, json } of await readPiece(this.#env, callerId, { sessionId, after, limit })) {
      sink.send({ sessionId, seq, json }, true);
    }
  }

  readonly #failed = (error: unknown): void => {
    // Whoever was being read for when the server ends reads on from the next one.
    if (error instanceof StoreUnavailable && this.#env.isStopping()) return;
    this.#env.log.warn({ error }, "a client could not be told; it will be with the next event");
  };
}

/** What grows is one block of text, or the input of one call. */
function keyOf({
  type,
  payload,
}: GrowingEvent | Extract<ChatEvent, { type: "text" | "tool_call" }>): string {
  const isText = type === "text" || type === "text_delta";
  return isText ? `text|${payload.blockId}` : `input|${payload.toolCallId}`;
}

function toOutgoing(event: ChatEvent): OutgoingEvent {
  return { sessionId: event.sessionId, seq: event.seq, json: JSON.stringify(event) };
}
