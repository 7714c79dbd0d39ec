import { useRef, useState } from "react";
import { useAttention } from "../attention/use-attention.ts";
import { ChatPage } from "../chat/chat-page.tsx";
import { HomePage } from "../chat/home-page.tsx";
import { AllowedPage } from "../allowed/allowed-page.tsx";
import { InboxPage } from "../inbox/inbox-page.tsx";
import { DraftsProvider } from "../personal.tsx";
import { type Route, useRoute } from "../route.ts";
import { useChange } from "../use-change.ts";
import { ConnectionBar } from "./connection-bar.tsx";
import { Drawer } from "./drawer.tsx";
import { ReadOnlyBar } from "./mode-switch.tsx";
import { ShellContext } from "./shell-context.ts";
import { Sidebar } from "./sidebar.tsx";
import { useMediaQuery } from "./use-media-query.ts";
import { WorldProvider } from "./world.tsx";

export interface ShellProps {
  name: string;
  /** Perhaps with why. */
  onSignedOut: (problem?: string) => void;
}

export function Shell({ storage, ...props }: ShellProps & { storage: Storage }) {
  return (
    <WorldProvider>
      <DraftsProvider storage={storage}>
        <Frame {...props} />
      </DraftsProvider>
    </WorldProvider>
  );
}

/** The sidebar beside the page, or in a drawer where there is no room for both. */
function Frame(props: ShellProps) {
  const route = useRoute();
  const wide = useMediaQuery("(min-width: 48rem)");
  const [drawer, setDrawer] = useState(false);
  const main = useRef<HTMLElement>(null);
  useAttention();
  useChange(`${route.page} ${idOf(route)} ${wide}`, () => setDrawer(false));

  const sidebar = <Sidebar {...props} route={route} />;
  return (
    <ShellContext value={{ openDrawer: wide ? undefined : () => setDrawer(true) }}>
      <button className="skip-link" onClick={() => main.current?.focus()}>
        Skip to the conversation
      </button>
      <div className="flex h-dvh">
        {wide ? (
          <aside
            aria-label="Sessions and settings"
            className="w-75 shrink-0 border-r border-line bg-side"
          >
            {sidebar}
          </aside>
        ) : (
          <Drawer open={drawer} onClose={() => setDrawer(false)}>
            {sidebar}
          </Drawer>
        )}
        <main ref={main} tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          <ConnectionBar />
          <ReadOnlyBar />
          <Page route={route} />
        </main>
      </div>
    </ShellContext>
  );
}

function Page({ route }: { route: Route }) {
  if (route.page === "inbox") return <InboxPage />;
  if (route.page === "allowed") return <AllowedPage />;
  if (route.page === "home") return <HomePage />;
  return (
    <ChatPage
      key={route.sessionId}
      sessionId={route.sessionId}
      interactionId={route.interactionId}
    />
  );
}

function idOf(route: Route): string {
  return route.page === "session" ? route.sessionId : "";
}
