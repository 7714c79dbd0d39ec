import type {
  ChatEvent,
  InteractionRecord,
  SessionRecord,
  TransientEvent,
} from "../protocol/index.ts";
import type { Transport } from "../transport/index.ts";
import { emptyView, prepend, reduceAll, withOpen } from "./reduce.ts";
import { inMicrotask, type Readable, type Schedule, Store } from "./store.ts";
import type { ChatView } from "./view.ts";

export interface ChatSessionState {
  /** `failed`: it cannot be followed, `error` says why. `deleted`: there is nothing left to follow. */
  status: "loading" | "ready" | "failed" | "deleted";
  view: ChatView;
  session?: SessionRecord;
  /** There are events before those in the view. */
  hasOlder: boolean;
  isLoadingOlder: boolean;
  error?: { code: string; error: string };
}

export interface ChatSession extends Readable<ChatSessionState> {
  /**
   * Reads the page before the first event. Resolves when it is in the view, at once if there is
   * none; calls while one is read share it. Rejects as the transport does; then try again.
   */
  loadOlder(): Promise<void>;
  close(): void;
}

export interface ChatSessionOptions {
  /** How many events are read at first, and with each older page. @default 500 */
  page?: number;
  /** When listeners are told. @default after what runs now */
  schedule?: Schedule;
}

/**
 * Follows one session: its end first, older pages on demand, and what is open in it even where its
 * event has not been read. When the server starts over, the view stays until the new one is there.
 */
export function createChatSession(
  transport: Transport,
  sessionId: string,
  { page = 500, schedule = inMicrotask }: ChatSessionOptions = {},
): ChatSession {
  let heard: (ChatEvent | TransientEvent)[] = [];
  /** Set until everything that the log held when it was opened has been heard. */
  let catchingUp: { until: number } | undefined;
  let openList: ReadonlyMap<string, InteractionRecord> = new Map();
  let older: Promise<void> | undefined;
  /** Counts how often the log began anew: what was read of an old one is void. */
  let log = 0;
  let base = emptyView(sessionId);

  const store = new Store<ChatSessionState>(
    { status: "loading", view: base, hasOlder: false, isLoadingOlder: false },
    schedule,
    applyHeard,
  );

  function set(change: Partial<ChatSessionState>): void {
    store.set({ ...store.get(), ...change });
  }

  function show(view: ChatView): void {
    base = view;
    const { status } = store.get();
    if (status === "deleted") return;
    set({ status: "ready", view, hasOlder: view.firstSeq > 1 });
  }

  function applyHeard(): void {
    if (catchingUp || heard.length === 0) return;
    const events = heard;
    heard = [];
    show(reduceAll(base, events));
  }

  function endCatchingUp(): void {
    catchingUp = undefined;
    const events = heard;
    heard = [];
    show(withOpen(reduceAll(base, events), [...openList.values()]));
  }

  function relist(list: ReadonlyMap<string, InteractionRecord>): void {
    openList = list;
    if (catchingUp || store.get().status !== "ready") return;
    applyHeard();
    const view = withOpen(base, [...list.values()]);
    if (view !== base) show(view);
  }

  async function readOlder(): Promise<void> {
    const reading = log;
    set({ isLoadingOlder: true });
    try {
      const query = { before: base.firstSeq, limit: page };
      const { events } = await transport.events(sessionId, query);
      if (reading !== log) return;
      applyHeard();
      show(prepend(base, events));
    } finally {
      older = undefined;
      set({ isLoadingOlder: false });
    }
  }

  const ends = [
    transport.subscribe(
      sessionId,
      { tail: page },
      {
        started({ session, lastSeq, from }) {
          log++;
          base = emptyView(sessionId);
          heard = [];
          const isEmpty = lastSeq === 0 || from > lastSeq;
          catchingUp = isEmpty ? undefined : { until: lastSeq };
          set({ session });
          if (isEmpty) endCatchingUp();
        },
        event(event) {
          heard.push(event);
          if (!catchingUp) store.touch();
          else if ("seq" in event && event.seq >= catchingUp.until) endCatchingUp();
        },
        failed(error) {
          if (store.get().status !== "deleted") set({ status: "failed", error });
        },
      },
    ),
    transport.watchInbox({
      list: (records) => relist(new Map(records.filter(isHere).map((one) => [one.id, one]))),
      updated(record) {
        if (!isHere(record)) return;
        const list = new Map(openList).set(record.id, record);
        relist(list);
        // From now on the view knows how it ended, where it was shown.
        if (record.status !== "pending") list.delete(record.id);
      },
    }),
    transport.watchSessions({
      updated(session) {
        if (session.id === sessionId) set({ session });
      },
      deleted(id) {
        if (id === sessionId) set({ status: "deleted" });
      },
      stale: () => {},
    }),
  ];

  function isHere(record: InteractionRecord): boolean {
    return record.sessionId === sessionId;
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    loadOlder() {
      if (!store.get().hasOlder || catchingUp) return Promise.resolve();
      older ??= readOlder();
      return older;
    },
    close() {
      for (const end of ends) end();
    },
  };
}
