import type { ChatView } from "../../src/client/index.ts";
import { InteractionCard } from "../../src/react/index.ts";
import { usePreferences } from "../preferences.ts";
import { FaultBoundary } from "../shell/fault-boundary.tsx";
import { unreadPrompts } from "./rows.ts";

/**
 * Open prompts of this session that its loaded part does not hold: they must never be out of sight.
 * The one that a link leads to stands apart.
 */
export function PinnedPrompts({ view, except }: { view: ChatView; except?: string }) {
  const { interactive } = usePreferences();
  const prompts = unreadPrompts(view).filter(({ id }) => id !== except);
  if (prompts.length === 0) return null;
  return (
    <section
      aria-label="Waiting since earlier in this conversation"
      className="max-h-[55dvh] shrink-0 overflow-y-auto border-t border-line"
    >
      <div className="column grid gap-3 py-4">
        <h2 className="text-sm font-medium text-soft">
          Waiting since earlier in this conversation
        </h2>
        {prompts.map((prompt) => (
          <FaultBoundary key={prompt.id}>
            <InteractionCard
              sessionId={view.sessionId}
              interaction={prompt}
              interactive={interactive}
            />
          </FaultBoundary>
        ))}
      </div>
    </section>
  );
}
