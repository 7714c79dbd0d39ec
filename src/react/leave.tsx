import { visibleText } from "../client/index.ts";

interface LeaveProps {
  /** What leaving it unanswered is called, where the asker has a word for it. */
  label?: string;
  cancel: () => void;
  decline: () => void;
}

/** The two ways not to answer. Both work at once: neither lets anything run. */
export function Leave({ label = "Skip", cancel, decline }: LeaveProps) {
  return (
    <>
      <div className="bk-leave">
        <button type="button" data-decision="cancel" onClick={cancel}>
          {visibleText(label)}
        </button>
        <button type="button" data-decision="deny" onClick={decline}>
          Refuse
        </button>
      </div>
      <p className="bk-hint">
        {visibleText(label)} gives no answer. Refuse says no to whoever asks.
      </p>
    </>
  );
}
