import { Eye, MessageSquareReply } from "lucide-react";
import { NOT_INTERACTIVE, setPreferences, usePreferences } from "../preferences.ts";

/** Whether this page may answer, where everybody looks. */
export function ModeSwitch() {
  const { interactive } = usePreferences();
  const Icon = interactive ? MessageSquareReply : Eye;
  return (
    <button
      role="switch"
      aria-checked={interactive}
      aria-label="Answering here"
      className="mode-switch"
      title={
        interactive
          ? "Answering here is on, and agents count on it. Click to only watch."
          : `Answering here is off. ${NOT_INTERACTIVE} Click to answer again.`
      }
      onClick={() => setPreferences({ interactive: !interactive })}
    >
      <Icon aria-hidden size={16} />
      <span className="max-sm:sr-only">Answering here: {interactive ? "on" : "off"}</span>
    </button>
  );
}

/** Says on every page that nothing can be answered here, and how that is changed. */
export function ReadOnlyBar() {
  const { interactive } = usePreferences();
  if (interactive) return null;
  return (
    <div className="notice-bar">
      <Eye aria-hidden size={16} className="shrink-0 text-soft" />
      <p className="min-w-0 flex-1">
        <strong className="font-medium">Answering here is off.</strong> {NOT_INTERACTIVE}
      </p>
      <button className="button" onClick={() => setPreferences({ interactive: true })}>
        Answer here
      </button>
    </div>
  );
}
