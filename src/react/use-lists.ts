import { useSyncExternalStore } from "react";
import {
  createInbox,
  createSessionList,
  type InboxState,
  type SessionListState,
} from "../client/index.ts";
import type { Transport } from "../transport/index.ts";
import { type Lazy, lazy } from "./lazy.ts";
import { useTransport } from "./transport-context.tsx";

const NO_INBOX: InboxState = { status: "loading", interactions: [] };
const NO_SESSIONS: SessionListState = {
  status: "loading",
  sessions: [],
  hasMore: false,
  waitingCount: 0,
};

/** All components over one transport look at the same list. */
const inboxes = /* @__PURE__ */ perTransport((transport) =>
  lazy(() => createInbox(transport), NO_INBOX),
);
const lists = /* @__PURE__ */ perTransport((transport) =>
  lazy(() => createSessionList(transport), NO_SESSIONS),
);

/** Everything that waits for an answer, over all sessions, oldest first. */
export function useInbox(): InboxState {
  return useLazy(inboxes(useTransport()));
}

/** The sessions, the one that changed last first. */
export function useSessions(): SessionListState & {
  loadMore: () => Promise<void>;
  reload: () => Promise<void>;
} {
  const list = lists(useTransport());
  return {
    ...useLazy(list),
    loadMore: async () => list.live()?.loadMore(),
    reload: async () => list.live()?.reload(),
  };
}

export function useLazy<State>(source: Lazy<State, unknown>): State {
  return useSyncExternalStore(source.subscribe, source.get, source.get);
}

function perTransport<Value>(make: (transport: Transport) => Value) {
  const made = new WeakMap<Transport, Value>();
  return (transport: Transport): Value => {
    const known = made.get(transport);
    if (known) return known;
    const value = make(transport);
    made.set(transport, value);
    return value;
  };
}
