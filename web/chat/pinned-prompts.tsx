import { useEffect, useState } from "react";
import type { ChatView } from "../../src/client/index.ts";
import type { InteractionRecord } from "../../src/protocol/index.ts";
import { InteractionCard, toInteractionView, useTransport } from "../parts.ts";
import { usePreferences } from "../preferences.ts";
import { useInbox } from "../shell/world.tsx";

/**
 * Prompts of this session that its loaded part does not hold: open ones, which must never be out of
 * sight, and the one that a link leads to.
 */
export function PinnedPrompts(props: { view: ChatView; ready: boolean; interactionId?: string }) {
  const { view, ready, interactionId } = props;
  const { interactive } = usePreferences();
  const missing = useInbox().interactions.filter(
    ({ id, sessionId }) => sessionId === view.sessionId && !view.interactions.has(id),
  );
  const known = !interactionId || view.interactions.has(interactionId);
  const linked = useLinked(ready && !known ? interactionId : undefined);
  const shown = linked && !missing.some(({ id }) => id === linked.id) ? [linked] : [];
  const prompts = [...missing, ...shown].filter(({ sessionId }) => sessionId === view.sessionId);
  if (!ready || prompts.length === 0) return null;
  return (
    <section
      aria-label="From earlier in this conversation"
      className="max-h-[55dvh] shrink-0 overflow-y-auto border-t border-line"
    >
      <div className="column grid gap-3 py-4">
        <h2 className="text-sm font-medium text-soft">From earlier in this conversation</h2>
        {prompts.map((record) => (
          <InteractionCard
            key={record.id}
            sessionId={record.sessionId}
            interaction={toInteractionView(record)}
            interactive={interactive}
          />
        ))}
      </div>
    </section>
  );
}

function useLinked(interactionId: string | undefined): InteractionRecord | undefined {
  const transport = useTransport();
  const [record, setRecord] = useState<InteractionRecord>();
  useEffect(() => {
    setRecord(undefined);
    if (!interactionId) return undefined;
    let wanted = true;
    void transport.interaction(interactionId).then(
      (found) => wanted && setRecord(found),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [transport, interactionId]);
  return record;
}
