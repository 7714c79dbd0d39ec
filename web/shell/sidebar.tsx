import { Inbox, ShieldCheck } from "lucide-react";
import type { Route } from "../route.ts";
import { NewSession } from "./new-session.tsx";
import { SessionNav } from "./session-nav.tsx";
import { Settings } from "./settings.tsx";
import type { ShellProps } from "./shell.tsx";
import { useInbox } from "./world.tsx";

export function Sidebar({ route, name, onSignedOut }: ShellProps & { route: Route }) {
  const waiting = useInbox().interactions.length;
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
        <a
          href="#/allowed"
          className="nav-row"
          aria-current={route.page === "allowed" ? "page" : undefined}
        >
          <ShieldCheck aria-hidden size={17} />
          Allowed
        </a>
      </div>
      <SessionNav route={route} />
      <Settings name={name} onSignedOut={onSignedOut} />
    </div>
  );
}
