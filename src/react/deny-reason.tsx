import { useId } from "react";
import type { ApprovalModel } from "./use-approval.ts";

/** What to do instead, in words that go to the agent with the denial. */
export function DenyReason({ model }: { model: ApprovalModel }) {
  const id = useId();
  return (
    <div
      className="bk-reason"
      onKeyDown={(event) => {
        // Here the chord belongs to the field: it sends the reason, it does not approve.
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        model.deny();
      }}
    >
      <label htmlFor={id}>What should be done instead?</label>
      <textarea
        id={id}
        rows={3}
        value={model.reason}
        onChange={(event) => model.setReason(event.target.value)}
      />
      <label className="bk-tick">
        <input
          type="checkbox"
          checked={model.stop}
          onChange={(event) => model.setStop(event.target.checked)}
        />{" "}
        Also stop the agent
      </label>
      <button type="button" data-decision="deny" onClick={model.deny}>
        Deny and send the reason
      </button>
    </div>
  );
}
