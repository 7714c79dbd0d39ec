import type { ChatEvent, InteractionRecord } from "../protocol/index.ts";
import type { Stream } from "./stream.ts";
import type { ChatView } from "./view.ts";

/** The events of a view, newest first: one more costs nothing, and older views share the rest. */
export interface LogEntry {
  event: ChatEvent;
  before: LogEntry | undefined;
}

/** What a view is made of and no screen shows. */
export interface Memory {
  log: LogEntry | undefined;
  count: number;
  /** Text blocks that are being written, by their id. */
  streams: ReadonlyMap<string, Stream & { turnId: string; at: string }>;
  /** What running calls have shown so far, by call. */
  outputs: ReadonlyMap<string, Stream>;
  /** The call of each pending prompt, in the order of asking. */
  pending: ReadonlyMap<string, string>;
  /** Turns, and calls outside of turns, that have begun and not ended. */
  working: ReadonlyMap<string, true>;
  /** Calls that were not seen and are known to ask by questionnaire: their results get no block. */
  silent: ReadonlyMap<string, true>;
  /** Prompts that only the server's list tells of, by id. */
  records: ReadonlyMap<string, InteractionRecord>;
}

const NOTHING: Memory = {
  log: undefined,
  count: 0,
  streams: new Map(),
  outputs: new Map(),
  pending: new Map(),
  working: new Map(),
  silent: new Map(),
  records: new Map(),
};

/** Beside the views and not in them, so that a view stays plain data that can be compared. */
const memories = new WeakMap<ChatView, Memory>();

export function memoryOf(view: ChatView): Memory {
  return memories.get(view) ?? NOTHING;
}

export function remember(view: ChatView, memory: Memory): ChatView {
  memories.set(view, memory);
  return view;
}

/** Every stored event of a view, oldest first. */
export function eventsOf(view: ChatView): ChatEvent[] {
  const events: ChatEvent[] = [];
  for (let entry = memoryOf(view).log; entry; entry = entry.before) events.push(entry.event);
  return events.toReversed();
}
