import { Inbox, Search } from "lucide-react";
import { useState } from "react";
import type { Route } from "../route.ts";
import { NewSession } from "./new-session.tsx";
import { SessionRow } from "./session-row.tsx";
import { Settings } from "./settings.tsx";
import type { ShellProps } from "./shell.tsx";
import { useInbox, useSessions } from "./world.tsx";

export function Sidebar({ route, name, onSignedOut }: ShellProps & { route: Route }) {
  const { sessions, ready } = useSessions();
  const waiting = useInbox().interactions.length;
  const [wanted, setWanted] = useState("");
  const needle = wanted.trim().toLocaleLowerCase();
  const found = sessions.filter(
    ({ title, agent }) =>
      title.toLocaleLowerCase().includes(needle) || agent.toLocaleLowerCase().includes(needle),
  );
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-14 shrink-0 items-center gap-2.5 px-4">
        <img src="/icon.svg" alt="" width={26} height={26} />
        <a href="#/" className="font-semibold tracking-tight">
          Beckon
        </a>
      </div>
      <div className="grid gap-1 px-3 pb-3">
        <NewSession />
        <a
          href="#/inbox"
          className="nav-row"
          aria-current={route.page === "inbox" ? "page" : undefined}
        >
          <Inbox aria-hidden size={17} />
          <span className="flex-1">Inbox</span>
          {waiting > 0 && (
            <span className="badge-waiting" aria-label={`${waiting} waiting for you`}>
              {waiting}
            </span>
          )}
        </a>
      </div>
      <label className="mx-3 mb-2 flex items-center gap-2 rounded-lg border border-line bg-card px-2.5 focus-within:outline-2 focus-within:outline-focus">
        <Search aria-hidden size={15} className="text-soft" />
        <span className="sr-only">Search sessions</span>
        <input
          type="search"
          className="min-w-0 flex-1 bg-transparent py-1.5 text-sm outline-none"
          placeholder="Search sessions"
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
            />
          ))}
        </ul>
        {ready && found.length === 0 && (
          <p className="px-2.5 py-3 text-sm text-soft">
            {sessions.length === 0
              ? "No session yet. Start one above."
              : `No session is called “${wanted.trim()}”.`}
          </p>
        )}
      </nav>
      <Settings name={name} onSignedOut={onSignedOut} />
    </div>
  );
}
