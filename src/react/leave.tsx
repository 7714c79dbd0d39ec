import { visibleText } from "../client/index.ts";
import { waysToLeave } from "../client/unanswered-words.ts";
import type { InputSchema } from "../protocol/index.ts";

interface LeaveProps {
  /** The form, which may have a word of its own for leaving it unanswered. */
  schema?: InputSchema;
  cancel: () => void;
  decline: () => void;
}

/** The two ways not to answer. Both work at once: neither lets anything run. */
export function Leave({ schema, cancel, decline }: LeaveProps) {
  const { skip, refuse } = waysToLeave(schema);
  return (
    <>
      <div className="bk-leave">
        <button type="button" data-decision="cancel" onClick={cancel}>
          {visibleText(skip.label)}
        </button>
        <button type="button" data-decision="deny" onClick={decline}>
          {refuse.label}
        </button>
      </div>
      <p className="bk-hint">
        {[skip, refuse].map(({ label, does }) => `${visibleText(label)} ${does}`).join(" ")}
      </p>
    </>
  );
}
