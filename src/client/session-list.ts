import type { SessionRecord } from "../protocol/index.ts";
import type { Transport } from "../transport/index.ts";
import { inMicrotask, type Readable, type Schedule, Store } from "./store.ts";

export interface SessionListState {
  /** `failed`: the list could not be read; `reload` tries again. What is there stays. */
  status: "loading" | "ready" | "failed";
  /** The one that changed last comes first. */
  sessions: readonly SessionRecord[];
  hasMore: boolean;
  /** Open prompts of the sessions that are in the list. */
  waitingCount: number;
}

export interface SessionList extends Readable<SessionListState> {
  /** Reads the next page; at once if there is none. Rejects as the transport does. */
  loadMore(): Promise<void>;
  /** Reads again as many pages as there were. */
  reload(): Promise<void>;
  close(): void;
}

/** The sessions, page by page, kept up to date. */
export function createSessionList(
  transport: Transport,
  { schedule = inMicrotask }: { schedule?: Schedule } = {},
): SessionList {
  let sessions = new Map<string, SessionRecord>();
  let next: string | undefined;
  let pages = 0;
  let status: SessionListState["status"] = "loading";
  /** What was told of sessions while a page was read: it is newer than the page. */
  let news = new Map<string, SessionRecord | "deleted">();
  let reading: Promise<void> | undefined;
  let readingMore: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;
  const store = new Store<SessionListState>(snapshot(), schedule, () => store.set(snapshot()));

  function snapshot(): SessionListState {
    const all = [...sessions.values()].sort(byChange);
    const waitingCount = all.reduce((sum, session) => sum + session.pendingCount, 0);
    return { status, sessions: all, hasMore: next !== undefined, waitingCount };
  }

  /** One read at a time. */
  function read(work: () => Promise<void>): Promise<void> {
    reading ??= (async () => {
      try {
        news = new Map();
        await work();
        status = "ready";
      } catch (error) {
        if (status === "loading") status = "failed";
        throw error;
      } finally {
        reading = undefined;
        if (!isClosed) store.touch();
        // Told meanwhile that something is missing: also after a read that failed, or of one page.
        if (isStale && !isClosed) reload().catch(() => {});
      }
    })();
    return reading;
  }

  function take(into: Map<string, SessionRecord>, page: SessionRecord[]): void {
    for (const session of page) into.set(session.id, session);
    for (const [id, latest] of news) {
      if (latest === "deleted") into.delete(id);
      else into.set(id, latest);
    }
  }

  async function readPages(count: number): Promise<void> {
    const fresh = new Map<string, SessionRecord>();
    let cursor: string | undefined;
    let done = 0;
    do {
      const page = await transport.sessions(cursor === undefined ? {} : { cursor });
      take(fresh, page.sessions);
      cursor = page.next;
      done++;
    } while (cursor !== undefined && done < count);
    sessions = fresh;
    next = cursor;
    pages = done;
  }

  async function reload(): Promise<void> {
    isStale = false;
    // One that runs may have read before what is missing happened.
    if (reading) return reading.catch(() => {}).then(reload);
    await read(() => readPages(Math.max(1, pages)));
  }

  async function readMore(): Promise<void> {
    // A read that runs is of the pages before the one that is wanted.
    if (reading) return reading.catch(() => {}).then(readMore);
    if (next === undefined || isClosed) return;
    await read(async () => {
      const page = await transport.sessions({ cursor: next });
      take(sessions, page.sessions);
      next = page.next;
      pages++;
    });
  }

  function tell(id: string, latest: SessionRecord | "deleted"): void {
    news.set(id, latest);
    if (latest === "deleted") sessions.delete(id);
    else sessions.set(id, latest);
    store.touch();
  }

  const end = transport.watchSessions({
    updated: (session) => tell(session.id, session),
    deleted: (sessionId) => tell(sessionId, "deleted"),
    stale() {
      // A failure shows in `status`; whoever looks can try again.
      if (reading) isStale = true;
      else reload().catch(() => {});
    },
  });
  reload().catch(() => {});

  return {
    get: store.get,
    subscribe: store.subscribe,
    reload,
    loadMore() {
      readingMore ??= readMore().finally(() => (readingMore = undefined));
      return readingMore;
    },
    close() {
      isClosed = true;
      end();
    },
  };
}

function byChange(a: SessionRecord, b: SessionRecord): number {
  return b.updatedAt.localeCompare(a.updatedAt) || a.id.localeCompare(b.id);
}
