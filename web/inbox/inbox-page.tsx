import { useEffect, useRef } from "react";
import { InteractionCard, toInteractionView } from "../parts.ts";
import { usePreferences } from "../preferences.ts";
import { addressOf } from "../route.ts";
import { PageHeader } from "../shell/page-header.tsx";
import { relativeTime } from "../shell/relative-time.ts";
import { useInbox, useSessions } from "../shell/world.tsx";

/** Everything that waits, over all sessions, oldest first; answered where it stands. */
export function InboxPage() {
  const { interactions, ready } = useInbox();
  const { sessions } = useSessions();
  const { interactive } = usePreferences();
  const list = useRef<HTMLDivElement>(null);
  const count = interactions.length;

  // The card that had the focus is gone once it is answered: go on from the list, not from nowhere.
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) list.current?.focus();
    before.current = count;
  }, [count]);

  return (
    <>
      <PageHeader>
        <h1 className="font-medium">Inbox</h1>
        {count > 0 && <span className="badge-waiting">{count}</span>}
      </PageHeader>
      <div ref={list} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <div className="column grid gap-6 py-7">
          {ready && count === 0 && (
            <div className="py-16 text-center">
              <h2 className="mb-1 text-lg font-medium">Nothing waits for you</h2>
              <p className="text-soft">
                When an agent asks, in any session, it shows up here and can be answered in place.
              </p>
            </div>
          )}
          {interactions.map((record) => (
            <article key={record.id} className="min-w-0">
              <div className="mb-2 flex items-baseline gap-2 text-sm text-soft">
                <h2 className="min-w-0 truncate font-medium text-ink hover:underline">
                  <a
                    href={addressOf({
                      page: "session",
                      sessionId: record.sessionId,
                      interactionId: record.id,
                    })}
                  >
                    {sessions.find(({ id }) => id === record.sessionId)?.title ?? "A session"}
                  </a>
                </h2>
                <span className="shrink-0">{relativeTime(record.createdAt)}</span>
              </div>
              <InteractionCard
                sessionId={record.sessionId}
                interaction={toInteractionView(record)}
                interactive={interactive}
              />
            </article>
          ))}
        </div>
      </div>
    </>
  );
}
