import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from "react";
import type { Connection } from "../../src/transport/index.ts";
import {
  createInbox,
  createSessionList,
  type InboxState,
  type SessionListState,
  type Store,
  useTransport,
} from "../parts.ts";

interface World {
  inbox: Store<InboxState>;
  sessions: Store<SessionListState>;
}

const WorldContext = createContext<World | null>(null);

/** What every part of the page looks at: all that waits, and all sessions. */
export function WorldProvider({ children }: { children: ReactNode }) {
  const transport = useTransport();
  const world = useMemo(
    () => ({ inbox: createInbox(transport), sessions: createSessionList(transport) }),
    [transport],
  );
  useEffect(
    () => () => {
      world.inbox.close();
      world.sessions.close();
    },
    [world],
  );
  return <WorldContext value={world}>{children}</WorldContext>;
}

function useWorld(): World {
  const world = use(WorldContext);
  if (!world) throw new Error("Put a <WorldProvider> around this.");
  return world;
}

export function useInbox(): InboxState {
  const { inbox } = useWorld();
  return useSyncExternalStore(inbox.subscribe, inbox.getSnapshot);
}

export function useSessions(): SessionListState {
  const { sessions } = useWorld();
  return useSyncExternalStore(sessions.subscribe, sessions.getSnapshot);
}

export function useConnection(): Connection {
  const transport = useTransport();
  return useSyncExternalStore(
    (listener) => transport.onConnection(listener),
    () => transport.connection(),
  );
}
