import { useEffect, useId, useRef } from "react";
import { SEND_REASON } from "../client/approval-choices.ts";
import { WHY_NOT } from "../client/denial-words.ts";
import type { ApprovalModel } from "./use-approval.ts";

/** What to do instead, in words that go to the agent with the denial. */
export function DenyReason({ model, takesFocus }: { model: ApprovalModel; takesFocus: boolean }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const focusAtFirst = useRef(takesFocus);
  useEffect(() => {
    if (focusAtFirst.current) field.current?.focus();
  }, []);
  return (
    <div className="bk-reason">
      <label htmlFor={id}>{WHY_NOT} (optional)</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        value={model.reason}
        onChange={(event) => model.setReason(event.target.value)}
      />
    </div>
  );
}

/** What ends the writing of a reason. Meanwhile there is no yes, neither to press nor by a key. */
export function ReasonRow({ model }: { model: ApprovalModel }) {
  return (
    <div className="bk-row">
      <div className="bk-buttons">
        <label className="bk-tick">
          <input
            type="checkbox"
            checked={model.stop}
            onChange={(event) => model.setStop(event.target.checked)}
          />{" "}
          Also stop the agent
        </label>
        <button type="button" data-decision="deny" onClick={model.deny}>
          {SEND_REASON}
        </button>
        <button
          type="button"
          data-decision="back"
          onClick={() => {
            model.card.ref.current?.focus();
            model.setReasonOpen(false);
          }}
        >
          Back
        </button>
      </div>
    </div>
  );
}
