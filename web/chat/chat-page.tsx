import { useMemo, useState } from "react";
import { type ChatView, visibleText } from "../../src/client/index.ts";
import { useChatSession } from "../../src/react/index.ts";
import { FaultBoundary } from "../shell/fault-boundary.tsx";
import { PageHeader } from "../shell/page-header.tsx";
import { useSessions } from "../shell/world.tsx";
import { useChange } from "../use-change.ts";
import { Composer } from "./composer.tsx";
import { EmptyChat } from "./empty-chat.tsx";
import { LinkedPrompt } from "./linked-prompt.tsx";
import { useAgents } from "../shell/use-agents.ts";
import { PermissionMode } from "./permission-mode.tsx";
import { PinnedPrompts } from "./pinned-prompts.tsx";
import { queuedMessages, unreadPrompts } from "./rows.ts";
import { Transcript } from "./transcript.tsx";
import { TranscriptRow } from "./transcript-row.tsx";

export function ChatPage(props: { sessionId: string; interactionId?: string }) {
  const { sessionId, interactionId } = props;
  const { view, status, error, session: opened, loadOlder } = useChatSession(sessionId);
  const ready = status === "ready";
  const listed = useSessions().sessions.find(({ id }) => id === sessionId);
  const session = listed ?? opened;
  const agent = useAgents().find(({ id }) => id === session?.agent);
  const linked = () => (interactionId ? { interactionId } : undefined);
  const [wanted, setWanted] = useState(linked);
  useChange(interactionId, () => setWanted(linked));
  const [sent, setSent] = useState(0);
  const firstPending = view.pending[0];
  const queued = useMemo(() => queuedMessages(view), [view]);

  const onSent = () => setSent((count) => count + 1);

  if (status === "deleted") return <Gone sentence="This session was deleted." />;
  if (status === "failed") return <Gone sentence={error?.error ?? "It cannot be shown."} />;
  return (
    <>
      <PageHeader>
        <div className="min-w-0 flex-1">
          <h1 className="truncate font-medium">{visibleText(session?.title ?? "…")}</h1>
          <p className="truncate text-xs text-soft">
            {visibleText(
              [session?.agent, session?.model, session?.cwd].filter(Boolean).join(" · "),
            )}
          </p>
        </div>
        {firstPending !== undefined && (
          <button
            className="badge-waiting min-w-0 shrink cursor-pointer truncate"
            onClick={() => setWanted({ interactionId: firstPending })}
          >
            {view.pending.length === 1 ? "1 waits for you" : `${view.pending.length} wait for you`}
          </button>
        )}
      </PageHeader>
      {view.turns.length === 0 ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {ready && <EmptyChat agent={session?.agent} sessionId={sessionId} onSent={onSent} />}
        </div>
      ) : (
        <Transcript view={view} sent={sent} show={wanted} loadOlder={loadOlder}>
          {(row) => (
            <FaultBoundary>
              <TranscriptRow row={row} view={view} />
            </FaultBoundary>
          )}
        </Transcript>
      )}
      {ready && <PinnedPrompts view={view} except={interactionId} />}
      {ready && interactionId && !isLoaded(view, interactionId) && (
        <LinkedPrompt key={interactionId} sessionId={sessionId} interactionId={interactionId} />
      )}
      <Composer
        sessionId={sessionId}
        view={view}
        queued={queued}
        onSent={onSent}
        mode={session && <PermissionMode session={session} modes={agent?.modes ?? []} />}
        steers={agent?.capabilities.steer ?? false}
        onShowPrompt={() => firstPending && setWanted({ interactionId: firstPending })}
      />
    </>
  );
}

function Gone({ sentence }: { sentence: string }) {
  return (
    <>
      <PageHeader>
        <h1 className="font-medium">Not here</h1>
      </PageHeader>
      <div className="grid flex-1 place-items-center p-6 text-center">
        <div>
          <p className="mb-4 text-soft">{visibleText(sentence)}</p>
          <a className="button" href="#/">
            To the start
          </a>
        </div>
      </div>
    </>
  );
}

/** Whether the transcript has it; of some open prompts it only knows that they are there. */
function isLoaded(view: ChatView, interactionId: string): boolean {
  const isUnread = unreadPrompts(view).some(({ id }) => id === interactionId);
  return view.interactions.has(interactionId) && !isUnread;
}
