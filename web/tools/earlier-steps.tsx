import { useState } from "react";
import { type ChatView, earlierOf, type InteractionView } from "../../src/client/index.ts";
import { InteractionCard } from "../../src/react/index.ts";

/** What was answered on the way to a prompt that was asked again, folded into one line. */
export function EarlierSteps({ view, prompt }: { view: ChatView; prompt: InteractionView }) {
  const [open, setOpen] = useState(false);
  const steps = earlierOf(view, prompt);
  if (steps.length === 0) return null;
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-soft">
        {steps.length === 1 ? "1 earlier step" : `${steps.length} earlier steps`}
      </summary>
      {open && (
        <div className="mt-2 grid gap-2">
          {steps.map((step) => (
            <InteractionCard
              key={step.id}
              sessionId={view.sessionId}
              interaction={step}
              autoFocus={false}
            />
          ))}
        </div>
      )}
    </details>
  );
}
