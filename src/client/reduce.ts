import type { ChatEvent, InteractionRecord, TransientEvent } from "../protocol/index.ts";
import { applyEvent } from "./apply-event.ts";
import { applyRecords, isUntold, tellsOfRecord } from "./apply-record.ts";
import { applyTransient, carryOver } from "./apply-transient.ts";
import { Draft } from "./draft.ts";
import { eventsOf, memoryOf, remember } from "./memory.ts";
import { share } from "./share.ts";
import type { ChatView } from "./view.ts";

/*
 * One reducer from events to what a screen shows. The view depends on which events it was given and
 * on nothing else: not on how they were cut into pieces, repeated, or in which order they came.
 */

/** The view of a session of which nothing has been read. */
export function emptyView(sessionId: string): ChatView {
  return {
    sessionId,
    lastSeq: 0,
    firstSeq: 0,
    turns: [],
    calls: new Map(),
    interactions: new Map(),
    pending: [],
    status: "idle",
    typing: false,
  };
}

/** The view after one more event. What the event does not touch keeps its references. */
export function reduce(view: ChatView, event: ChatEvent | TransientEvent): ChatView {
  return reduceAll(view, [event]);
}

/** As `reduce` for one after the other, but quicker: what many of them touch is copied once. */
export function reduceAll(view: ChatView, events: Iterable<ChatEvent | TransientEvent>): ChatView {
  const draft = new Draft(view);
  const early: ChatEvent[] = [];
  let settles = false;
  for (const event of events) {
    if (!isStored(event)) {
      applyTransient(draft, event);
    } else if (event.seq > draft.lastSeq) {
      settles ||= tellsOfRecord(draft, event);
      applyEvent(draft, event);
    } else {
      early.push(event);
    }
  }
  const reduced = draft.finish();
  return early.length > 0 || settles ? merge(reduced, early, settles) : reduced;
}

function isStored(event: ChatEvent | TransientEvent): event is ChatEvent {
  return "seq" in event;
}

/** The view with a page of older events before it, as if it had been reduced from their start. */
export function prepend(view: ChatView, events: readonly ChatEvent[]): ChatView {
  return merge(view, events, false);
}

function merge(view: ChatView, events: readonly ChatEvent[], anyway: boolean): ChatView {
  const unknown = notIn(view, events);
  if (unknown.size === 0 && !anyway) return view;
  const all = [...unknown.values(), ...eventsOf(view)].sort((a, b) => a.seq - b.seq);
  return rebuild(view, all, [...memoryOf(view).records.values()]);
}

/** Those that the view has not been given yet, by `seq`. */
function notIn(view: ChatView, events: readonly ChatEvent[]): Map<number, ChatEvent> {
  const { firstSeq, lastSeq } = view;
  const hasNoHole = memoryOf(view).count === lastSeq - firstSeq + 1;
  const outside = (event: ChatEvent) => event.seq < firstSeq || event.seq > lastSeq;
  const candidates = hasNoHole ? events.filter(outside) : events;
  if (candidates.length === 0) return new Map();
  const known = new Set(eventsOf(view).map((event) => event.seq));
  return new Map(
    candidates.filter((event) => !known.has(event.seq)).map((event) => [event.seq, event]),
  );
}

/**
 * The view with prompts that the server lists and that are not in the part of the log that was
 * read: they are shown before it, each once, until the log itself tells of them. One that has ended
 * is shown only where it was already on the screen.
 */
export function withOpen(view: ChatView, listed: readonly InteractionRecord[]): ChatView {
  const { records } = memoryOf(view);
  const isUnread = (one: InteractionRecord) =>
    records.has(one.id) || !view.interactions.has(one.id) || isUntold(view, one);
  const wanted = new Map(
    listed
      .filter((one) => one.sessionId === view.sessionId && isUnread(one))
      .filter((one) => one.status === "pending" || records.has(one.id))
      .map((one) => [one.id, one]),
  );
  for (const [id, record] of records) {
    const hasEnded = view.interactions.get(id)?.state !== "open";
    if (hasEnded && !wanted.has(id)) wanted.set(id, record);
  }
  const isSame =
    wanted.size === records.size && [...wanted.values()].every((one) => isKnown(records, one));
  return isSame ? view : rebuild(view, eventsOf(view), [...wanted.values()]);
}

function isKnown(records: ReadonlyMap<string, InteractionRecord>, one: InteractionRecord): boolean {
  const known = records.get(one.id);
  return known?.status === one.status && known.waiting === one.waiting;
}

function rebuild(view: ChatView, events: ChatEvent[], records: InteractionRecord[]): ChatView {
  const draft = new Draft(emptyView(view.sessionId));
  for (const event of events) applyEvent(draft, event);
  applyRecords(draft, events, records);
  carryOver(draft, memoryOf(view));
  const made = draft.finish();
  return remember(share(view, made), memoryOf(made));
}
