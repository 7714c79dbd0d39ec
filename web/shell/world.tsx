import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from "react";
import {
  createInbox,
  createSessionList,
  type InboxState,
  type SessionListState,
} from "../../src/client/index.ts";
import { useTransport } from "../../src/react/index.ts";

interface World {
  inbox: ReturnType<typeof createInbox>;
  sessions: ReturnType<typeof createSessionList>;
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

export function useInbox(): InboxState & { ready: boolean } {
  const { inbox } = useWorld();
  const state = useSyncExternalStore(inbox.subscribe, inbox.get);
  return { ...state, ready: state.status === "ready" };
}

export function useSessions() {
  const { sessions } = useWorld();
  const state: SessionListState = useSyncExternalStore(sessions.subscribe, sessions.get);
  return { ...state, ready: state.status === "ready", list: sessions };
}
