import type { ChatView, InteractionView } from "../client/index.ts";
import type { InteractionRecord, SessionRecord } from "../protocol/index.ts";
import type { Transport } from "../transport/index.ts";

/** How a card stands. */
export type CardState =
  | "pending"
  | "submitting"
  | "queued"
  | "orphaned"
  | "read_only"
  | "completed"
  | "completed_elsewhere"
  | "timed_out"
  | "cancelled"
  | "failed"
  | "replaced";

export interface CardFacts {
  interactive: boolean;
  submitting: boolean;
  clientId: string;
}

export function cardState(interaction: InteractionView, facts: CardFacts): CardState {
  const { state, response, reason } = interaction;
  if (state === "replaced" || reason === "superseded") return "replaced";
  if (state === "answered")
    return response?.responder.clientId === facts.clientId ? "completed" : "completed_elsewhere";
  if (state === "closed") return reason ?? "failed";
  if (facts.submitting) return "submitting";
  if (!facts.interactive) return "read_only";
  return interaction.late ?? "pending";
}

export function summaryOf(interaction: InteractionView, clientId: string): string {
  const { response, reason } = interaction;
  if (!response) {
    if (reason === "timed_out") return "Nobody answered in time";
    if (reason === "cancelled") return "Cancelled before anybody answered";
    if (reason === "failed") return "The call failed before anybody answered";
    return "Replaced by a newer prompt";
  }
  const word = { approve: "Allowed", deny: "Denied", submit: "Answered", cancel: "Not answered" };
  const { responder } = response;
  const mine = responder.clientId === clientId;
  return `${word[response.action]}${mine ? "" : ` on another device by ${responder.name ?? responder.id}`}`;
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]/gu;

export function visibleText(text: string, options: { multiline?: boolean } = {}): string {
  return text.replace(HIDDEN, (one) =>
    options.multiline && (one === "\n" || one === "\t")
      ? one
      : `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`,
  );
}

export interface Drafts {
  get(id: string): Record<string, unknown> | undefined;
  set(id: string, values: Record<string, unknown>): void;
  drop(id: string): void;
}

export function createDrafts(storage: Storage): Drafts {
  const name = (id: string) => `beckon:draft:${id}`;
  return {
    get(id) {
      const text = storage.getItem(name(id));
      return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>);
    },
    set: (id, values) => storage.setItem(name(id), JSON.stringify(values)),
    drop: (id) => storage.removeItem(name(id)),
  };
}

/** Something to read, and to be told about when it changes. */
export interface Readable<State> {
  get(): State;
  subscribe(listener: () => void): () => void;
}

export interface ChatSessionState {
  status: "loading" | "ready" | "failed" | "deleted";
  view: ChatView;
  session?: SessionRecord;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  error?: { code: string; error: string };
}

export interface ChatSession extends Readable<ChatSessionState> {
  loadOlder(): Promise<void>;
  close(): void;
}

export interface InboxState {
  status: "loading" | "ready";
  interactions: readonly InteractionRecord[];
}

export interface SessionListState {
  status: "loading" | "ready" | "failed";
  sessions: readonly SessionRecord[];
  hasMore: boolean;
  waitingCount: number;
}

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

function store<State>(state: State) {
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(next: State) {
      state = next;
      for (const listener of listeners) listener();
    },
  };
}

export function createChatSession(transport: Transport, sessionId: string): ChatSession {
  const { get, subscribe, set } = store<ChatSessionState>({
    status: "loading",
    view: emptyView(sessionId),
    hasOlder: false,
    isLoadingOlder: false,
  });
  const close = transport.subscribe(
    sessionId,
    { tail: 500 },
    {
      started: ({ session }) => set({ ...get(), status: "ready", session }),
      event: () => {},
      failed: (error) => set({ ...get(), status: "failed", error }),
    },
  );
  return { get, subscribe, close, loadOlder: () => Promise.resolve() };
}

export function createInbox(transport: Transport): Readable<InboxState> & { close(): void } {
  const { get, subscribe, set } = store<InboxState>({ status: "loading", interactions: [] });
  const close = transport.watchInbox({
    list: (interactions) => set({ status: "ready", interactions }),
    updated(one) {
      const others = get().interactions.filter(({ id }) => id !== one.id);
      set({ ...get(), interactions: one.status === "pending" ? [...others, one] : others });
    },
  });
  return { get, subscribe, close };
}

export function createSessionList(transport: Transport): Readable<SessionListState> & {
  loadMore(): Promise<void>;
  reload(): Promise<void>;
  close(): void;
} {
  const { get, subscribe, set } = store<SessionListState>({
    status: "loading",
    sessions: [],
    hasMore: false,
    waitingCount: 0,
  });
  const reload = async () => {
    const { sessions } = await transport.sessions();
    set({ ...get(), status: "ready", sessions });
  };
  const close = transport.watchSessions({
    updated: () => {},
    deleted: () => {},
    stale: () => void reload(),
  });
  void reload();
  return { get, subscribe, close, reload, loadMore: () => Promise.resolve() };
}
