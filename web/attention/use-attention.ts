import { useEffect, useRef } from "react";
import { getPreferences } from "../preferences.ts";
import { useInbox } from "../shell/world.tsx";
import { showFavicon } from "./favicon.ts";
import { notify, ring } from "./notify.ts";

/** Lets the tab show what waits, and calls for a person who looks elsewhere, if they wanted that. */
export function useAttention(): void {
  const { interactions, ready } = useInbox();
  const known = useRef<Set<string>>(undefined);

  useEffect(() => {
    const waiting = interactions.length;
    document.title = waiting > 0 ? `(${waiting}) Beckon` : "Beckon";
    showFavicon(waiting);
    if (!ready) return;
    const fresh = interactions.filter(({ id }) => known.current && !known.current.has(id));
    known.current = new Set(interactions.map(({ id }) => id));
    const { notify: wanted, sound } = getPreferences();
    if (fresh.length === 0 || !document.hidden) return;
    if (wanted) for (const one of fresh.slice(0, 3)) notify(one);
    if (sound) ring();
  }, [interactions, ready]);
}
