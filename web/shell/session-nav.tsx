import { Search } from "lucide-react";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import type { Route } from "../route.ts";
import { SessionRow } from "./session-row.tsx";
import { useMinute } from "./use-minute.ts";
import { useSessions } from "./world.tsx";

/** The sessions, those that changed last first; with a search that knows all of them. */
export function SessionNav({ route }: { route: Route }) {
  const { sessions, status, hasMore, list } = useSessions();
  const [wanted, setWanted] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const end = useRef<HTMLLIElement>(null);
  const now = useMinute();
  const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found = sessions.filter(({ title, agent, cwd }) => {
    const text = `${title} ${agent} ${cwd ?? ""}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });

  const [moreFailed, setMoreFailed] = useState(false);
  const loadMore = useCallback(() => {
    list.loadMore().then(
      () => setMoreFailed(false),
      () => setMoreFailed(true),
    );
  }, [list]);
  const searching = words.length > 0;
  useEffect(() => {
    if (searching && hasMore) loadMore();
  }, [searching, hasMore, loadMore, sessions.length]);
  useEffect(() => {
    if (!end.current) return undefined;
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) loadMore();
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [hasMore, loadMore, sessions.length]);
  useShortcut(field);

  const links = () => [...(box.current?.querySelectorAll<HTMLElement>("a.nav-row") ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const all = links();
      const at = all.indexOf(document.activeElement as HTMLElement) + step;
      event.preventDefault();
      (at < 0 ? field.current : all[Math.min(at, all.length - 1)])?.focus();
    }
    if (event.target !== field.current) return;
    if (event.key === "Escape" && wanted !== "") {
      // In a drawer the same key would close it.
      event.preventDefault();
      setWanted("");
    }
    if (event.key === "Enter") links()[0]?.click();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows move among what is inside
    <div ref={box} className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <label className="search">
        <Search aria-hidden size={15} className="shrink-0 text-soft" />
        <span className="sr-only">Search sessions</span>
        <input
          ref={field}
          type="search"
          placeholder="Search sessions"
          aria-keyshortcuts="Control+K Meta+K"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </label>
      <nav aria-label="Sessions" className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        <ul className="grid gap-0.5">
          {found.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              current={route.page === "session" && route.sessionId === session.id}
              now={now}
            />
          ))}
          {hasMore && (
            <li ref={end} className="px-2.5 py-2 text-sm text-soft">
              {moreFailed ? (
                <p role="alert" className="text-danger">
                  More sessions could not be read.{" "}
                  <button className="link-button" onClick={loadMore}>
                    Try again
                  </button>
                </p>
              ) : (
                "More sessions…"
              )}
            </li>
          )}
        </ul>
        {status === "failed" && (
          <p role="alert" className="px-2.5 py-3 text-sm text-danger">
            The sessions could not be read.{" "}
            <button className="link-button" onClick={() => void list.reload().catch(() => {})}>
              Try again
            </button>
          </p>
        )}
        {status === "ready" && found.length === 0 && !hasMore && (
          <p className="px-2.5 py-3 text-sm text-soft">
            {searching
              ? `No session is called “${wanted.trim()}”.`
              : "No session yet. Start one above."}
          </p>
        )}
      </nav>
    </div>
  );
}

/** Ctrl+K, as in most places where there is much to find. */
function useShortcut(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || document.querySelector("dialog[open].modal")) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [field]);
}
