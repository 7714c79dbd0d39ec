import { useEffect, useRef, useState } from "react";
import { useConnection } from "../../src/react/index.ts";
import { usePreferences } from "../preferences.ts";
import { useInbox, useSessions } from "../shell/world.tsx";
import { Calls } from "./calls.ts";
import { showFavicon } from "./favicon.ts";
import { tellWhileVisible } from "./one-of-tabs.ts";

/** Lets the tab show what waits, and calls for a person who looks elsewhere, if they wanted that. */
export function useAttention(): void {
  const { interactions, ready } = useInbox();
  const { sessions } = useSessions();
  const { interactive } = usePreferences();
  const [calls] = useState(() => new Calls());
  const known = useRef<Set<string>>(undefined);
  const titles = useRef(sessions);
  useEffect(() => {
    titles.current = sessions;
  }, [sessions]);

  useEffect(tellWhileVisible, []);
  // A tab that hears no news leaves the calling to one that does.
  const online = useConnection().state === "online";
  useEffect(() => (online ? calls.takeTurn() : undefined), [calls, online]);
  useEffect(() => () => calls.withdrawAllBut(new Set()), [calls]);

  // A page that only watches is nobody to wait for.
  const waiting = interactive ? interactions.length : 0;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Beckon` : "Beckon";
    showFavicon(waiting);
    return () => {
      document.title = "Beckon";
      showFavicon(0);
    };
  }, [waiting]);

  useEffect(() => {
    if (!ready) return;
    const open = new Set(interactions.map(({ id }) => id));
    const fresh = interactions.filter(({ id }) => known.current && !known.current.has(id));
    known.current = open;
    calls.withdrawAllBut(open);
    void calls.add(fresh, (id) => titles.current.find((one) => one.id === id)?.title);
  }, [interactions, ready, calls]);
}
