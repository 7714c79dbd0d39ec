import { useState } from "react";
import { DENY } from "../client/approval-choices.ts";
import { ApprovalChoiceButton } from "./approval-choice-button.tsx";
import { MoreChoices, ReadToItsEnd, ReasonRow } from "./on-demand-components.ts";
import { placeChoices } from "./place-choices.ts";
import type { ApprovalModel } from "./use-approval.ts";

export interface ActionsProps {
  model: ApprovalModel;
  /** What opens in the body of the card: an editor, or the field for a reason. */
  open: (what: "edit" | "reason") => void;
}

/** One row that stays in view: a no, a yes, and what needs more words. */
export function ApprovalActions({ model, open }: ActionsProps) {
  return model.reasonOpen ? <ReasonRow model={model} /> : <DecisionRow model={model} open={open} />;
}

function DecisionRow({ model, open }: ActionsProps) {
  const { deny, allow, more } = placeChoices(model.choices);
  // Where there is nothing short to say yes with, the ways to say it are in sight at once.
  const [unfolded, setUnfolded] = useState(!allow);
  return (
    <>
      <div className="bk-row">
        <div className="bk-buttons">
          <ApprovalChoiceButton model={model} choice={deny ?? DENY} />
          {allow && <ApprovalChoiceButton model={model} choice={allow} />}
          <button
            type="button"
            className="bk-unfold"
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
          >
            More
          </button>
        </div>
        {/* Drawn above the buttons: where there is too little room for both, the buttons stay. */}
        {isUnread(model) && <ReadToItsEnd card={model.card} />}
      </div>
      <div className="bk-more" hidden={!unfolded}>
        {unfolded && <MoreChoices model={model} open={open} choices={more} />}
      </div>
    </>
  );
}

/** Nothing is approved before the end of its input was on screen. */
function isUnread({ seen, isDrawn, input, edited, card }: ApprovalModel): boolean {
  return !seen && isDrawn && input.status === "ready" && edited === undefined && card.answerable;
}
