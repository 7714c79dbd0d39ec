import { type ApprovalChoice, visibleText } from "../client/index.ts";
import type { ApprovalModel } from "./use-approval.ts";

interface ChoiceProps {
  model: ApprovalModel;
  choice: ApprovalChoice;
  armed?: boolean;
  describedBy?: string;
}

/** One way to decide. A yes works only once it can be meant. */
export function ApprovalChoiceButton({ model, choice, armed = true, describedBy }: ChoiceProps) {
  const isYes = choice.decision === "approve";
  return (
    <button
      type="button"
      data-decision={choice.decision}
      data-beckon-option={isYes ? "" : undefined}
      disabled={isYes && !(model.canApprove && armed)}
      aria-describedby={describedBy}
      onClick={() => model.choose(choice)}
    >
      {visibleText(choice.label)}
    </button>
  );
}
