import { Inbox, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { toInteractionView, visibleText } from "../../src/client/index.ts";
import { InteractionCard } from "../../src/react/index.ts";
import type { InteractionRecord } from "../../src/protocol/index.ts";
import { usePreferences } from "../preferences.ts";
import { addressOf } from "../route.ts";
import { FaultBoundary } from "../shell/fault-boundary.tsx";
import { PageHeader } from "../shell/page-header.tsx";
import { relativeTime } from "../shell/relative-time.ts";
import { useMinute } from "../shell/use-minute.ts";
import { useSessions } from "../shell/world.tsx";
import { useFailure } from "./use-failure.ts";
import { useInboxCards } from "./use-inbox-cards.ts";

/** Everything that waits, over all sessions, oldest first; answered where it stands, and kept. */
export function InboxPage() {
  const { groups, ready, waiting, ended, dismiss } = useInboxCards();
  const { sessions } = useSessions();
  const list = useRef<HTMLDivElement>(null);
  const now = useMinute();
  const count = waiting + ended;

  // What had the focus is gone once it is put away: go on from the list, not from nowhere.
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) list.current?.focus();
    before.current = count;
  }, [count]);

  return (
    <>
      <PageHeader>
        <h1 className="font-medium">Inbox</h1>
        {waiting > 0 && (
          <span className="badge-waiting" aria-label={`${waiting} waiting for you`}>
            {waiting}
          </span>
        )}
        {ended > 1 && (
          <button className="quiet-button ml-auto" onClick={() => dismiss()}>
            Dismiss {ended} done
          </button>
        )}
      </PageHeader>
      <div ref={list} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <div className="column grid gap-8 py-6">
          {ready && count === 0 && (
            <div className="py-16 text-center">
              <Inbox aria-hidden size={32} strokeWidth={1.5} className="mx-auto mb-4 text-soft" />
              <h2 className="mb-1 text-lg font-medium">Nothing waits for you</h2>
              <p className="text-soft">
                When an agent asks, in any session, it shows up here and can be answered in place.
              </p>
            </div>
          )}
          {ready && count > 0 && waiting === 0 && (
            <p className="text-sm text-soft">Nothing waits for you any more.</p>
          )}
          {groups.map(({ sessionId, records }) => (
            <div
              key={sessionId}
              role="group"
              aria-labelledby={`group-${sessionId}`}
              className="min-w-0"
            >
              <h2 id={`group-${sessionId}`} className="mb-2 truncate text-sm font-medium">
                <a className="hover:underline" href={addressOf({ page: "session", sessionId })}>
                  {visibleText(sessions.find(({ id }) => id === sessionId)?.title ?? "A session")}
                </a>
              </h2>
              <ul className="grid gap-4">
                {records.map((record) => (
                  <Item key={record.id} record={record} now={now} dismiss={dismiss} />
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

function Item(props: { record: InteractionRecord; now: number; dismiss: (id: string) => void }) {
  const { record, now, dismiss } = props;
  const { interactive } = usePreferences();
  const { id, sessionId, status, createdAt } = record;
  const item = useRef<HTMLLIElement>(null);
  const failure = useFailure(record);
  return (
    <li ref={item} className="min-w-0">
      <FaultBoundary>
        <InteractionCard
          sessionId={sessionId}
          interaction={{ ...toInteractionView(record), ...(failure ? { failure } : {}) }}
          interactive={interactive}
          onEnded={(state) => {
            if (state === "completed" && item.current) goOn(item.current);
          }}
        />
      </FaultBoundary>
      <p className="mt-1 flex items-center gap-3 px-1 text-xs text-soft">
        Asked {relativeTime(createdAt, now)}
        <a
          className="quiet-link"
          href={addressOf({ page: "session", sessionId, interactionId: id })}
        >
          Show in conversation
        </a>
        {status !== "pending" && (
          <button className="quiet-button ml-auto" onClick={() => dismiss(id)}>
            <X aria-hidden size={14} /> Dismiss
          </button>
        )}
      </p>
    </li>
  );
}

/** Whoever has answered here goes on with what waits below it, or with the first that waits. */
function goOn(answered: HTMLElement): void {
  if (!answered.contains(document.activeElement)) return;
  const open = [...document.querySelectorAll<HTMLElement>("main [data-beckon-card][data-open]")];
  const isBelow = (card: HTMLElement) =>
    (answered.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  (open.find(isBelow) ?? open[0])?.focus();
}
