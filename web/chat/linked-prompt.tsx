import { useEffect, useRef } from "react";
import { InteractionCard, useInteraction } from "../../src/react/index.ts";
import { usePreferences } from "../preferences.ts";
import { addressOf } from "../route.ts";

/** The prompt that a link leads to, where the loaded part of its session does not hold it. */
export function LinkedPrompt(props: { sessionId: string; interactionId: string }) {
  const { sessionId, interactionId } = props;
  const { status, record, interaction } = useInteraction(interactionId);
  const { interactive } = usePreferences();
  const section = useRef<HTMLElement>(null);
  const here = record?.sessionId === sessionId;
  useEffect(() => {
    if (here) section.current?.focus();
  }, [here]);
  if (status === "loading") return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="From earlier in this conversation"
      className="max-h-[55dvh] shrink-0 overflow-y-auto border-t border-line"
    >
      <div className="column grid gap-3 py-4">
        {here && interaction ? (
          <>
            <h2 className="text-sm font-medium text-soft">From earlier in this conversation</h2>
            <InteractionCard
              sessionId={sessionId}
              interaction={interaction}
              interactive={interactive}
              autoFocus={false}
            />
          </>
        ) : (
          <p role="status" className="text-sm text-soft">
            This prompt is not in this session.{" "}
            {record && (
              <a
                className="underline"
                href={addressOf({ page: "session", sessionId: record.sessionId, interactionId })}
              >
                Show it where it is
              </a>
            )}
          </p>
        )}
      </div>
    </section>
  );
}
