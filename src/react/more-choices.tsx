import { useEffect, useId, useRef } from "react";
import { type ApprovalChoice, visibleText } from "../client/index.ts";
import { ALSO_STOPS, DENY_AND_STOP, DENY_WITH_REASON } from "../client/denial-words.ts";
import type { ActionsProps } from "./approval-actions.tsx";
import { ApprovalChoiceButton } from "./approval-choice-button.tsx";
import { useArmed } from "./use-time.ts";

/** What needs more words than a button: wider scopes, editing, and the other ways to deny. */
export function MoreChoices({
  model,
  open,
  choices,
}: ActionsProps & { choices: ApprovalChoice[] }) {
  const id = useId();
  // What has just unfolded under a pointer was not aimed at.
  const armed = useArmed(true);
  const last = useRef<HTMLDivElement>(null);
  // Below the edge of the screen it would look as if nothing had unfolded. (jsdom does not scroll.)
  useEffect(() => last.current?.scrollIntoView?.({ block: "nearest" }), []);
  const leave = (what: "edit" | "reason") => {
    // The button that was pressed goes, and the focus must not go with it.
    model.card.ref.current?.focus();
    open(what);
  };
  return (
    <>
      {choices.map((choice, index) => (
        <div key={choice.key} className="bk-choice">
          <ApprovalChoiceButton
            model={model}
            choice={choice}
            armed={armed}
            describedBy={choice.covers.length > 0 ? `${id}${index}` : undefined}
          />
          {choice.covers.length > 0 && (
            <ul id={`${id}${index}`} className="bk-covers">
              {choice.covers.map((line) => (
                <li key={line}>{visibleText(line)}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
      <div className="bk-buttons" ref={last}>
        {model.startEdit && model.edited === undefined && (
          <button type="button" onClick={() => leave("edit")}>
            {model.editable === "command" ? "Edit the command" : "Edit the input"}
          </button>
        )}
        <button type="button" data-decision="deny" onClick={() => leave("reason")}>
          {DENY_WITH_REASON}
        </button>
        <button type="button" data-decision="deny" title={ALSO_STOPS} onClick={model.denyAndStop}>
          {DENY_AND_STOP}
        </button>
      </div>
    </>
  );
}
